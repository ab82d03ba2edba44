"""What a request body holds, piece by piece: each text and each image, and the part it belongs to.

Four shapes are read: OpenAI chat and Responses, Anthropic messages, Gemini contents. Readers are
tolerant: a piece that they do not know is passed on as `Unread`, to be counted, never guessed.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from ullage.counting.images import Detail, Size, size_of_base64
from ullage.wire.members import Object, compact, objects, written
from ullage.wire.results import OBSERVATION

Part = Literal["system", "tools", "data", "history", "images", "reserve"]
"""A line of the budget table; data is what tools returned, history all other messages."""

SYSTEM_ROLES = ("system", "developer")
RESULT_ROLES = ("tool", "function")
# Members that hold what the model reads of a block.
TEXT_MEMBERS = ("text", "thinking", "refusal")
CALL_MEMBERS = ("arguments", "args", "input", "action", "code")
THOUGHTS = ("thinking", "summary_text", "reasoning_text")
RESULT_MEMBERS = ("output", "response", "content", "result")
NESTED_MEMBERS = ("content", "parts", "summary")
# A block without a type is named by one of these members (Gemini's parts, calls of a chat message).
UNTYPED = (
    "function",
    "functionCall",
    "function_call",
    "functionResponse",
    "function_response",
    "inlineData",
    "inline_data",
    "fileData",
    "file_data",
    "executableCode",
    "codeExecutionResult",
    "image_url",
)
CALL_ENDS = ("_call", "_use", "Call")
RESULT_ENDS = ("_result", "_output", "_response", "Response", "Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A text that the model reads; a tool's definition carries the tool's name.

    `thought` is what a model thought on an earlier turn: some servers take it out of the prompt.
    """

    part: Part
    text: str
    tool: str | None = None
    thought: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """An image that the model sees; `size` is None where its pixels cannot be read."""

    size: Size | None
    detail: Detail = "high"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """Something that the model gets and that is no text and no image, by its word."""

    kind: str


Piece = Text | Image | Unread


def pieces(body: Object) -> Iterator[Piece]:
    """Yield everything that a request body gives to the model."""
    try:
        yield from members(body)
    except RecursionError:
        yield Unread(kind="nested too deeply")


def members(body: Object) -> Iterator[Piece]:
    """Yield the pieces of the members of a body that the model reads."""
    for name in ("system", "instructions", "systemInstruction", "system_instruction"):
        yield from content(body.get(name), "system")
    yield from definitions(body.get("tools"))
    yield from definitions(body.get("functions"))
    for name in ("messages", "input", "contents"):
        yield from conversation(body.get(name))


def definitions(raw: object) -> Iterator[Text]:
    """Yield each tool's definition as compact JSON."""
    for one in tools_in(raw):
        inner = one.get("function")
        name = (inner if isinstance(inner, dict) else one).get("name") or one.get("type")
        yield Text(part="tools", text=compact(one), tool=str(name or "unnamed"))


def tools_in(raw: object) -> Iterator[Object]:
    """Yield each tool of a list; Gemini groups several in one."""
    for one in objects(raw):
        grouped = one.get("functionDeclarations") or one.get("function_declarations")
        if isinstance(grouped, list):
            yield from tools_in(grouped)
        else:
            yield one


def conversation(raw: object) -> Iterator[Piece]:
    """Yield the pieces of a conversation: one text, one message or a list of them."""
    for one in raw if isinstance(raw, list) else [raw]:
        if isinstance(one, dict) and ("role" in one or "parts" in one):
            yield from message(one)
        else:
            yield from content(one, "history")


def message(raw: Object) -> Iterator[Piece]:
    """Yield the pieces of one message."""
    part = part_of(raw)
    for name in ("content", "parts"):
        yield from content(raw.get(name), part)
    if isinstance(thought := raw.get("reasoning_content"), str):
        yield Text(part=part, text=thought, thought=True)
    yield from content(raw.get("tool_calls"), "history")
    if isinstance(raw.get("function_call"), dict):
        yield from call({"function_call": raw["function_call"]}, part)


def part_of(raw: Object) -> Part:
    """Return the part that a message's text belongs to."""
    role, said = raw.get("role"), raw.get("content")
    if role in SYSTEM_ROLES:
        return "system"
    if role in RESULT_ROLES:
        return "data"
    if role == "user" and isinstance(said, str) and OBSERVATION.match(said):
        return "data"
    return "history"


def content(raw: object, part: Part) -> Iterator[Piece]:
    """Yield the pieces of a text, of one block, or of a list of blocks."""
    if isinstance(raw, str):
        yield Text(part=part, text=raw)
    elif isinstance(raw, list):
        for one in raw:
            yield from content(one, part)
    elif isinstance(raw, dict):
        yield from block(raw, part)


def block(raw: Object, part: Part) -> Iterator[Piece]:
    """Yield the pieces of a block, by what kind it is."""
    kind = kind_of(raw)
    if kind in READERS:
        yield from READERS[kind](raw, part)
    elif kind.endswith(RESULT_ENDS):
        yield from result(raw, part)
    elif kind.endswith(CALL_ENDS):
        yield from call(raw, part)
    elif texts := [raw[name] for name in TEXT_MEMBERS if isinstance(raw.get(name), str)]:
        thought = kind in THOUGHTS or raw.get("thought") is True
        yield from (Text(part=part, text=str(one), thought=thought) for one in texts)
    else:
        inner = [raw[name] for name in NESTED_MEMBERS if name in raw]
        yield from content(inner, part)
        if not inner or "encrypted_content" in raw:
            yield Unread(kind=kind or "untyped")


def kind_of(raw: Object) -> str:
    """Return a block's type, or the member that tells its kind."""
    kind = raw.get("type")
    if isinstance(kind, str):
        return kind
    return next((name for name in UNTYPED if name in raw), "")


def inside(raw: Object) -> Object:
    """Return the object that a block wraps under the name of its kind, or the block itself."""
    inner = raw.get(kind_of(raw))
    return inner if isinstance(inner, dict) else raw


def call(raw: Object, _: Part) -> Iterator[Piece]:
    """Yield a call's name and arguments: the model reads its own calls again."""
    called = inside(raw)
    for name in ("name", *CALL_MEMBERS):
        if name in called:
            yield Text(part="history", text=written(called[name]))


def result(raw: Object, _: Part) -> Iterator[Piece]:
    """Yield what a tool returned: text, blocks, or an object as compact JSON."""
    returned = inside(raw)
    value = next((returned[name] for name in RESULT_MEMBERS if name in returned), None)
    if isinstance(value, list) or (isinstance(value, dict) and "type" in value):
        yield from content(value, "data")
    elif value is not None:
        yield Text(part="data", text=written(value))
    elif not any(name in returned for name in RESULT_MEMBERS):
        yield Unread(kind=kind_of(raw))


def linked_image(raw: Object, _: Part) -> Iterator[Piece]:
    """Yield OpenAI's image: a link or a data URL, with or without a detail."""
    link = raw.get("image_url")
    holder = link if isinstance(link, dict) else raw
    link = holder.get("url") if isinstance(link, dict) else link
    detail: Detail = "low" if holder.get("detail") == "low" else "high"
    yield Image(size=pixels(link), detail=detail)


def sourced_image(raw: Object, _: Part) -> Iterator[Piece]:
    """Yield Anthropic's image, or MCP's."""
    source = raw.get("source")
    holder = source if isinstance(source, dict) else raw
    yield Image(size=pixels(holder.get("data")))


def media(raw: Object, _: Part) -> Iterator[Piece]:
    """Yield Gemini's data: an image by its media type, anything else unread."""
    held = inside(raw)
    kind = str(held.get("mimeType") or held.get("mime_type") or "media")
    if kind.startswith("image/"):
        yield Image(size=pixels(held.get("data")))
    else:
        yield Unread(kind=kind)


def document(raw: Object, part: Part) -> Iterator[Piece]:
    """Yield Anthropic's document: its text, where it is text."""
    source = raw.get("source")
    held = source if isinstance(source, dict) else {}
    if held.get("type") == "text":
        yield from content(held.get("data"), part)
    elif held.get("type") == "content":
        yield from content(held.get("content"), part)
    else:
        yield Unread(kind="document")


def program(raw: Object, part: Part) -> Iterator[Piece]:
    """Yield the code that a Gemini model ran."""
    yield from content(inside(raw).get("code"), part)


def pixels(data: object) -> Size | None:
    """Return the size of an image in base64; a link to elsewhere has none."""
    if not isinstance(data, str) or data.startswith(("http://", "https://")):
        return None
    return size_of_base64(data)


READERS: Mapping[str, Callable[[Object, Part], Iterator[Piece]]] = {
    "function": call,
    "custom": call,
    "image_url": linked_image,
    "input_image": linked_image,
    "computer_screenshot": linked_image,
    "image": sourced_image,
    "inlineData": media,
    "inline_data": media,
    "fileData": media,
    "file_data": media,
    "document": document,
    "executableCode": program,
}

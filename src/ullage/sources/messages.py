"""Messages as people save them, as entries: the shapes of providers, LangChain's and ShareGPT's."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ullage.sources.opened import is_object
from ullage.sources.times import seconds_of
from ullage.transcript.finding import Source
from ullage.transcript.message import Message, Role, ToolCall
from ullage.transcript.transcript import Entry
from ullage.wire import anthropic, gemini, openai_responses
from ullage.wire.contents import text_of
from ullage.wire.members import Object, compact, inside, listed, objects, read_object, text, written

ROLES: Mapping[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "humanmessage": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "gpt": "assistant",
    "bot": "assistant",
    "chatbot": "assistant",
    "function_call": "assistant",
    "tool_call": "assistant",
    "tool": "tool",
    "function": "tool",
    "observation": "tool",
    "function_response": "tool",
    "tool_response": "tool",
    "tool_result": "tool",
    "ipython": "tool",
}
CONTENTS = ("content", "value", "parts", "tool_calls", "function_call")
CALLING = ("function_call", "tool_call")
# Of LangChain, whose messages have a type instead of a role.
TYPES = ("human", "ai", "system", "tool", "function", "AIMessageChunk")
TIMES = ("timestamp", "created_at", "time", "created")
FAILED = "error"


def is_message(value: object) -> bool:
    """Whether a value is one message of a conversation."""
    if not is_object(value):
        return False
    raw = unwrapped(value)
    if openai_responses.read_item(raw) is not None and "type" in raw:
        return True
    return role_of(raw) is not None and any(name in raw for name in CONTENTS)


def unwrapped(raw: Object) -> Object:
    """Take a message out of what LangChain puts around one."""
    held = inside(raw, "kwargs") if "lc" in raw else inside(raw, "data")
    if not held or "content" not in held:
        return raw
    names = listed(raw.get("id"))
    last = names[-1] if names and isinstance(names[-1], str) else ""
    kind = text(held, "type") or text(raw, "type") or ""
    named = last.removesuffix("Chunk").removesuffix("Message").lower()
    return {**held, "type": named if named in ROLES else kind}


def role_of(raw: Object) -> Role | None:
    """Return the role of a message; None where it names none that is known."""
    kind = text(raw, "type")
    word = text(raw, "role", "from") or (kind if kind in TYPES else None)
    return ROLES.get((word or "").lower().removesuffix("messagechunk"))


@dataclass(slots=True)
class Entries:
    """The entries of a conversation so far, and what had no shape that is known."""

    found: list[Entry] = field(default_factory=list)
    unread: Counter[str] = field(default_factory=Counter)

    def add(self, value: object, source: Source) -> None:
        """Add one message as it was saved; one of Anthropic or Gemini may hold several results."""
        raw = unwrapped(value) if is_object(value) else None
        messages = list(read(raw)) if raw is not None else []
        if raw is None or not messages:
            self.unread[named(value)] += 1
            return
        failed = failures(raw)
        at = next((when for name in TIMES if (when := seconds_of(raw.get(name)))), None)
        for one in messages:
            self.found.append(
                Entry(
                    message=one,
                    source=source,
                    at=at,
                    failed=one.role == "tool" and ("" in failed or one.answers in failed),
                    finish_reason=text(raw, "finish_reason", "stop_reason"),
                    model=text(raw, "model"),
                    key=text(raw, "id", "uuid"),
                )
            )


def named(value: object) -> str:
    """Return what a message that is not read is counted as."""
    word = text(value, "role", "from", "type") if is_object(value) else None
    return f"message of {word}" if word else "message"


def failures(raw: Object) -> set[str]:
    """Return the calls that a message calls failed; an empty name stands for its only one."""
    ids = {
        text(block, "tool_use_id") or ""
        for block in objects(raw.get("content"))
        if block.get("is_error") is True
    }
    marked = raw.get("is_error") is True or raw.get("error") or raw.get("status") == FAILED
    return ids | {""} if marked else ids


def read(raw: Object) -> Iterator[Message]:
    """Yield the messages that one saved message holds; nothing where its shape is not known."""
    role = role_of(raw)
    shape = next((read_one for fits, read_one in SHAPES if fits(raw)), None)
    if shape is not None:
        yield from shape(raw, role)


def is_item(raw: Object) -> bool:
    """Whether it is an item of OpenAI's Responses that only this shape has."""
    return "role" not in raw and openai_responses.read_item(raw) is not None


def item(raw: Object, role: Role | None) -> Iterator[Message]:
    """Read a call or a result of OpenAI's Responses."""
    found = openai_responses.read_item(raw)
    if found is not None:
        yield found


def has_parts(raw: Object) -> bool:
    """Whether a message has the parts of Gemini."""
    return role_of(raw) is not None and isinstance(raw.get("parts"), list)


def with_parts(raw: Object, role: Role | None) -> Iterator[Message]:
    """Read a message of Gemini."""
    if role is not None:
        yield from gemini.read_content(raw, role)


def has_blocks(raw: Object) -> bool:
    """Whether the content of a message holds blocks that only Anthropic has."""
    blocks = objects(raw.get("content"))
    return role_of(raw) in anthropic.ROLES and any(
        one.get("type") in (anthropic.CALL, anthropic.RESULT) for one in blocks
    )


def with_blocks(raw: Object, role: Role | None) -> Iterator[Message]:
    """Read a message of Anthropic."""
    if role is not None:
        yield from anthropic.read_message(raw, role)


def plain(raw: Object, role: Role | None) -> Iterator[Message]:
    """Read a message with a role and a content, and calls beside it."""
    if role is None:
        return
    word = text(raw, "role", "from") or ""
    content = raw.get("content", raw.get("value"))
    calls = tuple(calls_of(raw))
    if word in CALLING and not calls:
        calls, content = (call_of(read_object(written(content))),), ""
    yield Message(
        role=role,
        text=said(content),
        calls=calls if role == "assistant" else (),
        answers=text(raw, "tool_call_id", "call_id", "tool_use_id") if role == "tool" else None,
        name=text(raw, "name", "tool_name", "function") if role == "tool" else text(raw, "name"),
    )


Shape = tuple[Callable[[Object], bool], Callable[[Object, Role | None], Iterator[Message]]]
SHAPES: Sequence[Shape] = (
    (is_item, item),
    (has_parts, with_parts),
    (has_blocks, with_blocks),
    (lambda raw: role_of(raw) is not None, plain),
)


def said(content: object) -> str:
    """Return the text of a content; a value that is no text is written as JSON."""
    if content is None or isinstance(content, str):
        return content or ""
    blocks = objects(content)
    if blocks and all("text" in one or "type" in one for one in blocks):
        return text_of(content)
    if isinstance(content, list) and content and all(isinstance(one, str) for one in content):
        return "".join(map(str, content))
    return "" if content == [] else compact(content)


def calls_of(raw: Object) -> Iterator[ToolCall]:
    """Yield the calls of a message: OpenAI's, its older form, and flat ones of others."""
    for one in objects(raw.get("tool_calls")):
        yield call_of(one)
    if called := inside(raw, "function_call"):
        yield call_of(called)


def call_of(raw: Object) -> ToolCall:
    """Read one call, whose name and arguments may stand one level deeper."""
    called = inside(raw, "function", "custom") or raw
    given = next(
        (called[name] for name in ("arguments", "args", "input", "parameters") if name in called),
        None,
    )
    return ToolCall(
        call_id=text(raw, "id", "call_id", "tool_call_id"),
        name=text(called, "name", "function", "function_name") or "",
        arguments="" if given is None else written(given),
    )


def paired(entries: Sequence[Entry]) -> list[Entry]:
    """Give calls and results without ids the ids by which they belong together.

    The older forms have none: a result follows its call, and names the same tool if it names one.
    Such an id is the place of its call.
    """
    done: list[Entry] = []
    waiting: list[ToolCall] = []
    for at, entry in enumerate(entries):
        one = entry.message
        if one.role == "assistant" and any(call.call_id is None for call in one.calls):
            calls = tuple(
                call if call.call_id else replace(call, call_id=f"call {at + 1}.{number}")
                for number, call in enumerate(one.calls, start=1)
            )
            waiting = [new for new, old in zip(calls, one.calls, strict=True) if not old.call_id]
            done.append(replace(entry, message=replace(one, calls=calls)))
            continue
        if one.role == "tool" and one.answers is None:
            call = next((it for it in waiting if one.name in (None, it.name)), None)
            if call is not None:
                waiting.remove(call)
                named_so = replace(one, answers=call.call_id, name=one.name or call.name)
                done.append(replace(entry, message=named_so))
                continue
        done.append(entry)
    return done

"""OpenAI Responses: an item is a piece; `instructions` are the system text."""

from collections.abc import Iterator, Sequence

from ullage.errors import LoadError
from ullage.history.forms.form import SYSTEM, Form
from ullage.history.forms.markers import marked, source, without_markers
from ullage.history.forms.openai_chat import holds_more_than_text
from ullage.history.piece import Piece
from ullage.transcript.message import Message, Role
from ullage.wire.members import Object
from ullage.wire.openai_responses import is_request, read_item


def split(document: Object) -> Iterator[Piece]:
    """Yield the instructions and the items; one that is neither said nor called is passed on."""
    instructions, given = document.get("instructions"), document.get("input")
    if isinstance(instructions, str):
        message = Message(role="system", text=instructions)
        yield Piece(message=message, raw=instructions, place=SYSTEM)
    if isinstance(given, str):
        yield Piece(message=Message(role="user", text=given), raw=given, place=0)
        return
    if not isinstance(given, list):
        raise LoadError(f"'input' is no list of items but {type(given).__name__}")
    for place, raw in enumerate(given):
        message_ = read_item(raw) if isinstance(raw, dict) else None
        if not isinstance(raw, dict) or message_ is None:
            # Reasoning belongs to the reply behind it; a compacted history stands for itself.
            message_ = Message(role="assistant", text="")
            yield Piece(message=message_, raw=raw, place=place, solid=True)
            continue
        yield Piece(
            message=message_,
            raw=raw,
            place=place,
            marked=marked(raw),
            source=source(raw),
            solid=holds_more_than_text(raw.get("content"))
            or holds_more_than_text(raw.get("output")),
        )


def say(role: Role, text: str) -> Object:
    """Return a message of ours."""
    return {"role": role, "content": text}


def answer(message: Message, text: str) -> Object:
    """Return the result of a call."""
    return {"type": "function_call_output", "call_id": message.answers or "", "output": text}


def reword(raw: object, text: str) -> object:
    """Return a result with another text: a list of parts stays one."""
    if not isinstance(raw, dict):
        return raw
    is_list = isinstance(raw.get("output"), list)
    return {**raw, "output": [{"type": "input_text", "text": text}] if is_list else text}


def join(document: Object, pieces: Sequence[Piece]) -> Object:
    """Return the body with these items; a text alone stays a text."""
    raws = [one.raw for one in pieces if one.place != SYSTEM]
    if len(raws) == 1 and isinstance(raws[0], str):
        return {**document, "input": raws[0]}
    items = [say("user", one) if isinstance(one, str) else without_markers(one) for one in raws]
    return {**document, "input": items}


def places(pieces: Sequence[Piece]) -> tuple[int | None, ...]:
    """Return where each item came from."""
    return tuple(one.place for one in pieces if one.place != SYSTEM)


FORM = Form(
    name="openai-responses",
    list_member="input",
    fits=is_request,
    split=split,
    say_raw=say,
    answer_raw=answer,
    reword_raw=reword,
    join=join,
    places=places,
    replies_span=True,
)

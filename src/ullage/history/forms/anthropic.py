"""Anthropic Messages: each result of a message is a piece, and what else it says one more."""

from collections.abc import Iterator, Sequence

from ullage.errors import LoadError
from ullage.history.forms.blocks import joined, places, shares
from ullage.history.forms.form import SYSTEM, Form, Share, need_list
from ullage.history.piece import Piece
from ullage.transcript.message import Message, Role
from ullage.wire.anthropic import ROLES, is_request, read_message
from ullage.wire.contents import text_of
from ullage.wire.members import Object, objects


def split(document: Object) -> Iterator[Piece]:
    """Yield the system text, and the pieces of each message."""
    system = document.get("system")
    if isinstance(system, str | list):
        message = Message(role="system", text=text_of(system))
        yield Piece(message=message, raw={"role": "system", "content": system}, place=SYSTEM)
    for place, raw in enumerate(need_list(document, "messages")):
        role = ROLES.get(str(raw.get("role"))) if isinstance(raw, dict) else None
        if not isinstance(raw, dict) or role is None:
            raise LoadError(f"messages[{place}] is no message of Anthropic's: {type(raw).__name__}")
        yield from shares(raw, place, list(read_message(raw, role)), failed, solid)


def failed(block: Object) -> bool:
    """Whether a result is marked as an error."""
    return block.get("is_error") is True


def solid(block: Object) -> bool:
    """Whether a result holds what is no text."""
    return any(one.get("type") != "text" for one in objects(block.get("content")))


def say(role: Role, text: str) -> Object:
    """Return a message of ours."""
    return {"role": role, "content": text}


def answer(message: Message, text: str) -> Object:
    """Return the result of a call, in a message of its own."""
    block = {"type": "tool_result", "tool_use_id": message.answers or "", "content": text}
    return {"role": "user", "content": [block]}


def reword(raw: object, text: str) -> object:
    """Return a result with another text: a list of blocks stays one."""
    if not isinstance(raw, Share):
        return raw
    (block,) = [raw.new] if raw.new is not None else [objects(raw.whole["content"])[raw.blocks[0]]]
    is_list = isinstance(block.get("content"), list)
    new = {**block, "content": [{"type": "text", "text": text}] if is_list else text}
    return Share(whole=raw.whole, blocks=raw.blocks, new=new)


def join(document: Object, pieces: Sequence[Piece]) -> Object:
    """Return the body with these messages."""
    return {**document, "messages": joined(pieces, "content")}


FORM = Form(
    name="anthropic",
    list_member="messages",
    fits=is_request,
    split=split,
    say_raw=say,
    answer_raw=answer,
    reword_raw=reword,
    join=join,
    places=places,
)

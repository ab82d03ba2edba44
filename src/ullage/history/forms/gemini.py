"""Gemini: each result of a content is a piece, and what else it says one more."""

from collections.abc import Iterator, Sequence

from ullage.errors import LoadError
from ullage.history.forms.blocks import joined, places, shares
from ullage.history.forms.form import SYSTEM, Form, Share, blocks_of
from ullage.history.piece import Piece
from ullage.transcript.message import Message, Role
from ullage.wire.gemini import RETURNED, ROLES, WRAPPINGS, is_request, read_content, said_in
from ullage.wire.members import Object, inside, objects

WORDS = {"user": "user", "assistant": "model", "tool": "user", "system": "user"}


def split(document: Object) -> Iterator[Piece]:
    """Yield the system text, and the pieces of each content."""
    system = inside(document, "systemInstruction", "system_instruction")
    if system:
        said = "".join(said_in(part) for part in objects(system.get("parts")))
        yield Piece(message=Message(role="system", text=said), raw=system, place=SYSTEM)
    held = document.get("contents")
    for place, raw in enumerate(held if isinstance(held, list) else [held]):
        if isinstance(raw, str):
            yield Piece(message=Message(role="user", text=raw), raw=raw, place=place)
            continue
        role = ROLES.get(str(raw.get("role") or "user")) if isinstance(raw, dict) else None
        if not isinstance(raw, dict) or role is None:
            raise LoadError(f"contents[{place}] is no content of Gemini's: {type(raw).__name__}")
        if not all(isinstance(part, dict) for part in blocks_of(raw)):
            raise LoadError(f"contents[{place}]: a part is no object")
        yield from shares(raw, place, list(read_content(raw, role)), failed, solid)


def failed(part: Object) -> bool:
    """Whether a result is an error: its response says nothing else."""
    response = inside(inside(part, *RETURNED), "response")
    return len(response) == 1 and "error" in response


def solid(part: Object) -> bool:
    """Whether a result holds what is no text: files beside its response."""
    return bool(inside(part, *RETURNED).get("parts"))


def say(role: Role, text: str) -> Object:
    """Return a content of ours."""
    return {"role": WORDS[role], "parts": [{"text": text}]}


def answer(message: Message, text: str) -> Object:
    """Return the result of a call, in a content of its own."""
    held: dict[str, object] = {"name": message.name or "", "response": {"output": text}}
    if message.answers is not None:
        held["id"] = message.answers
    return {"role": "user", "parts": [{"functionResponse": held}]}


def reword(raw: object, text: str) -> object:
    """Return a result with another text, wrapped as it was where it was wrapped."""
    if not isinstance(raw, Share):
        return raw
    part = raw.new if raw.new is not None else objects(blocks_of(raw.whole))[raw.blocks[0]]
    name = next(one for one in RETURNED if one in part)
    held = inside(part, name)
    response = inside(held, "response")
    key = next(iter(response)) if len(response) == 1 else "output"
    new = {**part, name: {**held, "response": {key if key in WRAPPINGS else "output": text}}}
    return Share(whole=raw.whole, blocks=raw.blocks, new=new)


def join(document: Object, pieces: Sequence[Piece]) -> Object:
    """Return the body with these contents; one text alone stays one."""
    found = joined(pieces, "parts")
    held = document.get("contents")
    if not isinstance(held, list) and len(found) == 1 and found[0] is held:
        return document
    return {**document, "contents": found}


FORM = Form(
    name="gemini",
    list_member="contents",
    fits=is_request,
    split=split,
    say_raw=say,
    answer_raw=answer,
    reword_raw=reword,
    join=join,
    places=places,
)

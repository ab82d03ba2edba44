"""OpenAI chat completions: a message is a piece."""

from collections.abc import Iterator, Sequence

from ullage.history.forms.form import Form, need_list
from ullage.history.forms.markers import marked, source, without_markers
from ullage.history.piece import Piece
from ullage.transcript.message import Message, Role
from ullage.wire.members import Object, objects
from ullage.wire.openai_chat import ROLES, read_message

TEXTS = ("text", "input_text", "output_text", "refusal")


def split(document: Object) -> Iterator[Piece]:
    """Yield the messages of a body; one of an unknown kind is passed on as it is."""
    for place, raw in enumerate(need_list(document, "messages")):
        word = raw.get("role") if isinstance(raw, dict) else None
        if not isinstance(raw, dict) or not isinstance(word, str) or word not in ROLES:
            yield Piece(
                message=Message(role="assistant", text=""), raw=raw, place=place, solid=True
            )
            continue
        yield Piece(
            message=read_message(raw, ROLES[word]),
            raw=raw,
            place=place,
            marked=marked(raw),
            source=source(raw),
            solid=holds_more_than_text(raw.get("content")),
        )


def holds_more_than_text(content: object) -> bool:
    """Whether a content holds blocks that are no text, such as images."""
    return any(block.get("type") not in TEXTS for block in objects(content))


def say(role: Role, text: str) -> Object:
    """Return a message of ours."""
    return {"role": role, "content": text}


def answer(message: Message, text: str) -> Object:
    """Return the result of a call; without an id it is one of the older form."""
    if message.answers is None:
        return {"role": "function", "name": message.name or "", "content": text}
    return {"role": "tool", "tool_call_id": message.answers, "content": text}


def reword(raw: object, text: str) -> object:
    """Return a result with another text: a list of blocks stays one."""
    if not isinstance(raw, dict):
        return raw
    is_list = isinstance(raw.get("content"), list)
    return {**raw, "content": [{"type": "text", "text": text}] if is_list else text}


def join(document: Object, pieces: Sequence[Piece]) -> Object:
    """Return the body with these messages."""
    return {**document, "messages": [without_markers(one.raw) for one in pieces]}


def places(pieces: Sequence[Piece]) -> tuple[int | None, ...]:
    """Return where each message came from."""
    return tuple(one.place for one in pieces)


def fits(document: Object) -> bool:
    """Whether a body is one of this form."""
    return isinstance(document.get("messages"), list)


FORM = Form(
    name="openai-chat",
    list_member="messages",
    fits=fits,
    split=split,
    say_raw=say,
    answer_raw=answer,
    reword_raw=reword,
    join=join,
    places=places,
)

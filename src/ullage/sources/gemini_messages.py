"""The messages of a Gemini CLI session: what each holds as entries of a transcript."""

from collections.abc import Iterator
from dataclasses import dataclass

from ullage.sources.gemini_produced import produced_of, result_text
from ullage.sources.opened import Opened
from ullage.sources.times import seconds_of
from ullage.transcript.finding import Source
from ullage.transcript.message import Message, ToolCall
from ullage.transcript.served import Usage
from ullage.transcript.transcript import Entry
from ullage.wire.gemini import read_content
from ullage.wire.members import Object, compact, inside, listed, number, objects, text

SHOWN_ONLY = ("info", "error", "warning")
"""Messages that a person was shown and the model was not."""

FAILED = ("error", "cancelled")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message of a session with its id and the line that held it last."""

    key: str
    value: Object
    line: int | None


def entries_of(one: Said, session: str, opened: Opened) -> Iterator[Entry]:
    """Yield what a message says and calls, and then the results of its calls."""
    value, place = one.value, Source(path=opened.name, line=one.line)
    at, kind = seconds_of(value.get("timestamp")), text(value, "type")
    if kind != "gemini":
        for message in contents(value):
            yield Entry(
                message=message,
                source=place,
                at=at,
                key=one.key,
                in_context=kind not in SHOWN_ONLY,
            )
        return
    calls = objects(value.get("toolCalls"))
    said = [message.text for message in contents(value)]
    yield Entry(
        message=Message(
            role="assistant", text="".join(said), calls=tuple(call_of(call) for call in calls)
        ),
        source=place,
        at=at,
        usage=usage_of(inside(value, "tokens")),
        model=text(value, "model"),
        key=one.key,
    )
    for call in calls:
        yield from results(call, place, session, opened)


def contents(value: Object) -> list[Message]:
    """Return what a message says: a text, or parts as the model has them."""
    content = value.get("content")
    if isinstance(content, str):
        return [Message(role="user", text=content)]
    parts = [
        {"text": part} if isinstance(part, str) else part
        for part in (content if isinstance(content, list) else [content])
    ]
    return list(read_content({"parts": parts}, "user"))


def call_of(raw: Object) -> ToolCall:
    """Return a call."""
    return ToolCall(
        call_id=text(raw, "id"),
        name=text(raw, "name") or "",
        arguments=compact(raw.get("args") or {}),
    )


def results(raw: Object, place: Source, session: str, opened: Opened) -> Iterator[Entry]:
    """Yield the result of a call, as far as there is one: the parts of it that the model reads."""
    name, key = text(raw, "name"), text(raw, "id")
    parts = objects(raw.get("result"))
    held = [inside(part, "functionResponse") for part in parts if "functionResponse" in part]
    said = [result_text(inside(one, "response")) for one in held]
    said += [text(part, "text") or "" for part in parts if "text" in part]
    if not said and isinstance(raw.get("result"), str):
        said = [str(raw["result"])]
    if not said:
        return
    given = "\n".join(said)
    failed = text(raw, "status") in FAILED
    shown = raw.get("resultDisplay")
    produced = produced_of(shown, given, name, session, opened, place.line)
    yield Entry(
        message=Message(role="tool", text=given, answers=key, name=name),
        source=place,
        at=seconds_of(raw.get("timestamp")),
        produced=None if failed else produced,
        failed=failed,
        key=key,
    )


def usage_of(raw: Object) -> Usage | None:
    """Return the tokens of a reply; what is thought stands beside what is written."""
    if not raw:
        return None
    wrote = [one for one in (number(raw, "output"), number(raw, "thoughts")) if one is not None]
    return Usage(
        input=number(raw, "input"),
        output=sum(wrote) if wrote else None,
        reasoning=number(raw, "thoughts"),
        cached=number(raw, "cached"),
    )


def messages_in(raw: object, line: int | None) -> list[Said]:
    """Return the messages of a list that have an id or a type."""
    return [
        Said(key=text(one, "id") or f"{line}:{at}", value=one, line=line)
        for at, one in enumerate(objects(listed(raw)))
    ]

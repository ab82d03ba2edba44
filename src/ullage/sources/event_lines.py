"""Event lines: `{"turn", "event": "assistant" | "tool" | "compaction", …}`, one a line."""

from collections.abc import Callable, Iterator, Mapping

from ullage.sources.form import Form
from ullage.sources.opened import Opened, is_object
from ullage.sources.record import Damaged, Record
from ullage.transcript.finding import Source
from ullage.transcript.message import Message, ToolCall
from ullage.transcript.transcript import Compaction, Entry, Transcript
from ullage.wire.members import Object, number, text, written


def is_event(one: object) -> bool:
    """Whether an object is an event line."""
    return is_object(one) and "turn" in one and one.get("event") in EVENTS


def fits(opened: Opened) -> bool:
    """Whether the first lines are events."""
    return bool(opened.head) and all(map(is_event, opened.head))


def records(opened: Opened) -> Iterator[Record]:
    """Yield the damaged lines, then the one session that the events tell of."""
    entries: list[Entry] = []
    compactions: list[Compaction] = []
    count, unread = 0, 0
    for line in opened.lines():
        if line.fault is not None:
            yield Damaged(
                line=line.number, why=line.fault, chars=line.chars, saved=len(line.values)
            )
        for value in line.values:
            count += 1
            place = Source(path=opened.name, line=line.number)
            if not is_object(value) or not is_event(value):
                unread += 1
            elif value["event"] == "compaction":
                compactions.append(compaction(value, len(entries), place))
            else:
                message = MESSAGES[str(value["event"])](value)
                entries.append(Entry(message=message, source=place))
    yield Transcript(
        session=opened.name,
        form=FORM.name,
        entries=entries,
        compactions=compactions,
        source=Source(path=opened.name),
        records=count,
        unread={"event": unread} if unread else {},
    )


def said(value: Object) -> Message:
    """Return what the model wrote."""
    return Message(role="assistant", text=text(value, "text") or "")


def called(value: Object) -> Message:
    """Return a call; these lines hold no results."""
    call = ToolCall(
        call_id=None, name=text(value, "name") or "", arguments=written(value.get("args", {}))
    )
    return Message(role="assistant", text=text(value, "text") or "", calls=(call,))


def compaction(value: Object, at: int, place: Source) -> Compaction:
    """Return a compaction; what stayed is not told."""
    return Compaction(
        at=at,
        act="summarise",
        tokens_before=number(value, "tokens_before", "before", "pre_tokens"),
        tokens_after=number(value, "tokens_after", "after", "post_tokens"),
        source=place,
    )


MESSAGES: Mapping[str, Callable[[Object], Message]] = {"assistant": said, "tool": called}
EVENTS = (*MESSAGES, "compaction")

FORM = Form(name="events", what="event lines", fits=fits, records=records)

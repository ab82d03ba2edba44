"""The next step of an investigation: the first rule that applies to what is known."""

from collections.abc import Callable, Sequence

from ullage.lab.experiment.agents import noted
from ullage.lab.experiment.agents.knowledge import TOO_LONG, Knowledge, worst
from ullage.lab.experiment.agents.reading import number, word
from ullage.lab.experiment.agents.seen import Seen
from ullage.lab.experiment.agents.style import Style
from ullage.lab.experiment.turn import Call, Turn

Step = Callable[[Knowledge, Style], Turn | None]
NARROW = 20
"""Rows that a narrower ranked table is asked for."""
NARROWER = 10
"""Rows that is asked for of one kind of event."""
NO_IDLE = {"column": "pid", "op": ">", "value": 0}
BY_COUNT = [{"column": "count", "descending": True}]


def called(tool: str, **arguments: object) -> Turn:
    """Return a turn with one call."""
    return Turn(calls=(Call(tool=tool, arguments=arguments),))


def list_first(known: Knowledge, _: Style) -> Turn | None:
    """Ask for the listing, where none is here."""
    return called("list_containers") if known.listing is None else None


def read_on(known: Knowledge, style: Style) -> Turn | None:
    """Read the next page of a listing that was spilled."""
    if known.page.handle is None or known.pages >= style.pages:
        return None
    return called("read_result", handle=known.page.handle, offset=known.page.offset)


def list_again(known: Knowledge, style: Style) -> Turn | None:
    """Ask once more for a listing that is broken and says nothing of the rest."""
    broken = known.listing is not None and not known.listing.parsed and known.page.handle is None
    return called("list_containers") if broken and known.listings <= style.again else None


def rank(known: Knowledge, style: Style) -> Turn | None:
    """Build a ranked table of processes; where it is not whole, a shorter one."""
    asked: dict[str, object] = {
        "source": "events",
        "where": [NO_IDLE],
        "group": ["pid", "comm"],
        "aggregate": {"count": "sum", "share": "sum"},
        "sort": BY_COUNT,
    }
    if not known.ranked:
        return called("compute", **asked)
    if style.queries and len(known.ranked) == 1 and not is_whole(known.ranked[0]):
        return called("compute", **asked, limit=NARROW)
    return None


def is_whole(one: Seen) -> bool:
    """Whether a result was delivered whole."""
    return one.read.whole


def look_closer(known: Knowledge, _: Style) -> Turn | None:
    """Ask for the timeline of a process that had to wait too long, before that is recorded."""
    for pid, states in known.states.items():
        if worst(states)[1] >= TOO_LONG and pid not in known.timelines | known.noted:
            return called("timeline", pid=pid)
    return None


def note(known: Knowledge, _: Style) -> Turn | None:
    """Record what is known of a process that was looked into."""
    for pid, states in known.states.items():
        if pid in known.noted or not states.rows:
            continue
        what, ms = worst(states)
        container = known.container(pid)
        if ms >= TOO_LONG:
            return called("record_finding", text=noted.fault(pid, container, what, ms))
        events = sum(number(row, "events") for row in states.rows)
        return called("record_finding", text=noted.cleared(pid, container, events, TOO_LONG))
    return None


def look_into(known: Knowledge, _: Style) -> Turn | None:
    """Ask for the thread states of the next candidate."""
    for pid in known.candidates():
        if pid not in known.states and pid not in known.noted:
            return called("thread_states", pid=pid)
    return None


def stop_at_fault(known: Knowledge, _: Style) -> Turn | None:
    """Stop where a process is at fault."""
    return done(known) if noted.faults_in(known.findings) else None


def narrow(known: Knowledge, style: Style) -> Turn | None:
    """Ask narrower questions where the listing is not whole: the busiest processes by event."""
    if known.listing is None or known.listing.whole or len(known.narrowed) >= style.queries:
        return None
    if not known.by_event:
        return called(
            "compute", source="events", group=["event"], aggregate={"count": "sum"}, sort=BY_COUNT
        )
    asked = {str(one.arguments.get("where")) for one in known.narrowed}
    for event in events_of(known.by_event):
        where = [NO_IDLE, {"column": "event", "op": "==", "value": event}]
        if not any(repr(event) in one for one in asked):
            return called("compute", source="events", where=where, sort=BY_COUNT, limit=NARROWER)
    return None


def events_of(tables: Sequence[Seen]) -> list[str]:
    """Return the names of events in tables, in their order."""
    return list(dict.fromkeys(word(row, "event") for one in tables for row in one.read.rows))


def cover(known: Knowledge, _: Style) -> Turn | None:
    """Record how much of the listing was seen, once nothing else is left to do."""
    if known.listing is None or any(noted.COVERED.search(text) for text in known.findings):
        return None
    seen = len(known.listing.rows)
    return called("record_finding", text=noted.covered(seen, whole=known.listing.whole))


def done(known: Knowledge) -> Turn:
    """Say the last word of a stage: nothing that a finding says."""
    return Turn(words=f"Done: {len(known.findings)} findings are recorded.")


STEPS: tuple[Step, ...] = (
    list_first,
    read_on,
    list_again,
    rank,
    look_closer,
    note,
    look_into,
    stop_at_fault,
    narrow,
    cover,
)


def next_step(known: Knowledge, style: Style) -> Turn:
    """Return the next step of an investigation; the last one where no rule applies."""
    for step in STEPS:
        turn = step(known, style)
        if turn is not None:
            return turn
    return done(known)

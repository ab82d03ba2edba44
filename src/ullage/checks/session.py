"""A transcript with what the checks need to know of it: its calls, its results, its answer."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, cast

from ullage.arrivals.alone import Alone, alone
from ullage.checks.measured import Measured
from ullage.counting.models import window_of
from ullage.transcript.finding import Finding
from ullage.transcript.message import ToolCall
from ullage.transcript.transcript import Entry, Transcript
from ullage.transcript.words import Boundary, Severity
from ullage.wire.results import is_result

Made = TypeVar("Made")

UNKNOWN = "unknown"
"""The tool of a result whose call is not there and that names none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One tool result of a session: `session.entries[entry]` is the message that carries it.

    `asked` is the entry with its call, `call` that call; both are None where they are not there.
    `measured` is its arrival, None where what was produced is not known as a text. `counted` is
    False for one that another transcript holds, too, and that is counted there.
    """

    entry: int
    tool: str
    text: str
    asked: int | None
    call: ToolCall | None
    measured: Measured | None
    counted: bool


@dataclass(frozen=True, kw_only=True)
class Session:
    """One transcript and its results, in the order in which the model was given them."""

    transcript: Transcript
    results: Sequence[Result]

    @property
    def entries(self) -> Sequence[Entry]:
        """The messages, in order."""
        return self.transcript.entries

    @cached_property
    def made(self) -> dict[object, object]:
        """What `once` has made of this session; it goes with it."""
        return {}

    def once(self, make: "Callable[[Session], Made]") -> Made:
        """Return what a function makes of this session: several checks ask, it is made once."""
        if make not in self.made:
            self.made[make] = make(self)
        return cast("Made", self.made[make])  # kept by the function that made it

    @cached_property
    def result_at(self) -> Mapping[int, Result]:
        """The results by their entries."""
        return {one.entry: one for one in self.results}

    @cached_property
    def unknown(self) -> Mapping[int, Alone]:
        """What the results show by themselves of which nothing is known as produced, by entry."""
        return {
            one.entry: alone(one.text)
            for one in self.results
            if one.counted and one.measured is None
        }

    @cached_property
    def window(self) -> int | None:
        """The model's window in tokens: by the transcript, else as published; None if unknown."""
        model = self.transcript.model
        return self.transcript.window or (window_of(model) if model else None)

    @cached_property
    def answer(self) -> int | None:
        """The last message that the model wrote, if it is an answer: a text without a call."""
        wrote = [at for at, one in enumerate(self.entries) if one.message.role == "assistant"]
        if not wrote or self.entries[wrote[-1]].message.calls:
            return None
        return wrote[-1] if self.entries[wrote[-1]].message.text.strip() else None

    @cached_property
    def task(self) -> int | None:
        """The first message of a user that is no tool's result."""
        return next(
            (
                at
                for at, one in enumerate(self.entries)
                if one.message.role == "user" and not is_result(one.message)
            ),
            None,
        )


SessionCheck = Callable[[Session], Iterator[Finding]]


def finding(
    session: Session,
    entry: int | None,
    check: str,
    severity: Severity,
    boundary: Boundary | None,
    advice: str,
    evidence: Mapping[str, object],
) -> Finding:
    """Return a finding about one message of a session, or about all of it."""
    whole = session.transcript
    result = session.result_at.get(entry) if entry is not None else None
    at = None if entry is None else session.entries[entry]
    number = None if at is None else at.exchange
    return Finding(
        check=check,
        severity=severity,
        boundary=boundary,
        evidence={**evidence} if number is None else {"exchange": number, **evidence},
        advice=advice,
        session=whole.session,
        source=whole.source if at is None or at.source.path is None else at.source,
        tool=result.tool if result else None,
        call_id=at.message.answers if at is not None else None,
    )


def results_of(
    transcript: Transcript, measured: Callable[[int, str], Measured | None]
) -> Iterator[Result]:
    """Yield the tool results of a transcript; `measured` gives the arrival of an entry's, if any.

    A result belongs to the call that it answers: the last one before it with that id, so that ids
    that are used again are told apart. What a compaction put in the place of one is none.
    """
    stand_ins = {at for one in transcript.compactions for at in one.after or () if at >= one.at}
    answered: set[str | None] = {None}
    calls: dict[str, tuple[int, ToolCall]] = {}
    for at, entry in enumerate(transcript.entries):
        message = entry.message
        calls.update({one.call_id: (at, one) for one in message.calls if one.call_id})
        if not is_result(message) or not entry.in_context:
            continue
        if at in stand_ins and message.answers in answered:
            continue
        answered.add(message.answers)
        asked, call = calls.get(message.answers or "", (None, None))
        tool = (call.name if call else None) or message.name or UNKNOWN
        yield Result(
            entry=at,
            tool=tool,
            text=message.text,
            asked=asked,
            call=call,
            measured=measured(at, tool),
            counted=at >= transcript.shared,
        )

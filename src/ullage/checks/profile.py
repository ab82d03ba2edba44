"""What a set of sessions is like: its figures, session by session, and what it was run with."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from ullage.arrivals.label import faults
from ullage.checks.session import Result, Session
from ullage.checks.steps import number_of
from ullage.transcript.finding import Finding

CUTS = frozenset({"silent-cut", "cut-to-empty", "invalid-syntax"})
"""The checks that say of a result that it was cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """One session in figures; `task` is a mark that equal tasks share, None without one.

    `produced` and `delivered` are records (else lines, else characters) of the `measured` results.
    `tokens` are those of all its replies, in and out, None where none says so.
    """

    session: str
    path: str | None
    task: int | None
    results: int
    measured: int
    produced: int
    delivered: int
    cut: int
    broken: int
    calls: int
    tokens: int | None
    outcome: float | None


# What is not the same on two days is no other prompt: dates, times, ids, long numbers.
_PASSING = re.compile(
    r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"
    r"|\b(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?\s+)?"
    r"(?:\d{1,2}(?:st|nd|rd|th)?\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
    r"\s+\d{1,4}(?:st|nd|rd|th)?(?:,?\s+\d{4})?\b"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|\b\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)?"
    r"(?:\s?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})\b)?"
    r"|\b\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[ap]\.?m\b\.?)?"
    r"|\b[0-9a-f]{12,}\b|\b\d{6,}\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Profile:
    """Takes in sessions one at a time; keeps figures, names and marks.

    `tools` are those that were offered, `called` those of sessions that do not say which were.
    `prompts` are marks of system texts without dates, times, ids and long numbers.
    """

    sessions: list[Figures] = field(default_factory=list)
    models: Counter[str] = field(default_factory=Counter)
    agents: Counter[str] = field(default_factory=Counter)
    tools: Counter[str] = field(default_factory=Counter)
    called: Counter[str] = field(default_factory=Counter)
    prompts: Counter[str] = field(default_factory=Counter)
    windows: Counter[str] = field(default_factory=Counter)
    settings: Counter[str] = field(default_factory=Counter)

    def add(self, session: Session) -> None:
        """Take in one session."""
        whole = session.transcript
        results = [one for one in session.results if one.counted]
        self.sessions.append(figures(session, results))
        models = {one.model for one in session.entries if one.model} | {whole.model} - {None}
        self.models.update(filter(None, models))
        self.agents.update([" ".join(filter(None, (whole.agent, whole.version)))])
        self.tools.update(set(whole.tools))
        self.called.update({one.tool for one in results} if not whole.tools else ())
        self.prompts.update([f"{number_of(prompt_of(session)):016x}"])
        self.windows.update([str(session.window)] if session.window is not None else [])
        self.settings.update(f"{name}={value}" for name, value in whole.settings.items())

    def flagged(self, findings: Iterable[Finding]) -> None:
        """Take in which results of which session were found to be cut or broken by a check."""
        times = Counter(one.session for one in self.sessions)
        flags: dict[tuple[str | None, str | None], set[tuple[object, str]]] = {}
        for one in findings:
            if one.check in CUTS and one.session is not None:
                place = one.call_id or one.source.line or one.evidence.get("result")
                path = one.source.path if times[one.session] > 1 else None
                flags.setdefault((one.session, path), set()).add((place, one.check))
        # Two files may each have a session of one name.
        self.sessions = [
            with_flags(
                one, flags.get((one.session, one.path if times[one.session] > 1 else None), ())
            )
            for one in self.sessions
        ]


def prompt_of(session: Session) -> str:
    """Return the system texts that a session began with, without what is another every day."""
    first = takewhile(lambda one: one.message.role == "system", session.entries)
    return _PASSING.sub("_", "\n".join(one.message.text for one in first))


def figures(session: Session, results: Sequence[Result]) -> Figures:
    """Return one session in figures."""
    whole = session.transcript
    arrived = [one.measured.arrival for one in results if one.measured and one.measured.arrival]
    own = list(session.entries)[whole.shared :]
    usage = [one.usage for one in own if one.usage is not None]
    task = session.task
    return Figures(
        session=whole.session,
        path=whole.source.path,
        task=None if task is None else number_of(session.entries[task].message.text.strip()),
        results=len(results),
        measured=len(arrived),
        produced=sum(one.records.produced or one.produced_chars for one in arrived),
        delivered=sum(
            one.records.delivered if one.records.produced else one.chars for one in arrived
        ),
        cut=sum(one.lost for one in arrived),
        broken=sum("invalid-syntax" in faults(one) for one in arrived),
        calls=sum(len(one.message.calls) for one in own) or len(results),
        tokens=sum((one.input or 0) + (one.output or 0) for one in usage) if usage else None,
        outcome=whole.outcome,
    )


def with_flags(one: Figures, flags: Iterable[tuple[object, str]]) -> Figures:
    """Return a session whose results were not measured with what the checks say of them."""
    if one.measured:
        return one
    cut = {place for place, _ in flags}
    broken = {place for place, check in flags if check == "invalid-syntax"}
    return replace(one, cut=len(cut), broken=len(broken))

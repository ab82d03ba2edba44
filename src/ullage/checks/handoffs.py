"""`handoff-lost` over sessions: what a sub-agent answered, and what its parent was given of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ullage.arrivals.arrival import arrival
from ullage.arrivals.child_findings import Child, child_of
from ullage.checks import handoff_lost
from ullage.checks.session import Result, Session, finding
from ullage.transcript.finding import Finding

NAME = handoff_lost.NAME
BEGINS_AGENT = re.compile(r"task|agent|delegate|spawn|assist|dispatch", re.IGNORECASE)
LEAST = 40
"""A shorter answer ("done") says nothing that could be lost."""
ENOUGH = 0.9
"""A parent may be given an answer without its last blank lines and its greeting."""

Place = tuple[str, str]
"""A session, and the call in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What a sub-agent wrote: its marked findings if it has any, and its answer."""

    session: str
    child: Child | None
    answer: str


@dataclass(slots=True)
class Handoffs:
    """Takes in sessions; of each it keeps what one agent answers another, and nothing else."""

    given: dict[Place, Finding] = field(default_factory=dict)
    texts: dict[Place, str] = field(default_factory=dict)
    answers: dict[Place, Answered] = field(default_factory=dict)

    def add(self, session: Session) -> None:
        """Take in one session, a parent, a child, or both."""
        whole = session.transcript
        for one in session.results:
            if one.counted and one.call is not None and BEGINS_AGENT.search(one.tool):
                self.take(session, one)
        if whole.parent is not None and whole.parent_call is not None:
            wrote = [one.message.text for one in session.entries if one.message.role == "assistant"]
            answer = session.answer
            self.answers[whole.parent, whole.parent_call] = Answered(
                session=whole.session,
                child=child_of("\n".join(wrote)),
                answer="" if answer is None else session.entries[answer].message.text,
            )

    def take(self, session: Session, one: Result) -> None:
        """Keep what a parent was given, and where that would be reported."""
        call_id = session.entries[one.entry].message.answers
        if call_id is None:
            return
        place = (session.transcript.session, call_id)
        self.texts[place] = one.text
        self.given[place] = finding(session, one.entry, NAME, "error", "handoff", "", {})

    def findings(self) -> Iterator[Finding]:
        """Report the hand-offs on which something was lost, where both ends are there."""
        for place, answered in self.answers.items():
            if place in self.texts:
                yield from lost(answered, self.texts[place], self.given[place])


def lost(answered: Answered, delivered: str, at: Finding) -> Iterator[Finding]:
    """Report marked findings that did not arrive; else an answer that did not."""
    if answered.child is not None and answered.child.findings:
        for one in handoff_lost.check(answered.child, delivered):
            yield placed(at, {"child": answered.session, **one.evidence}, one.advice)
        return
    answer = answered.answer.strip()
    if len(answer) < LEAST:
        return
    whole = arrival(answer, delivered, boundary="handoff")
    if whole.rate is None or whole.chars >= ENOUGH * len(answer):
        return
    advice = (
        f"The sub-agent answered with {len(answer)} characters, and {whole.chars} of them reached "
        "its parent. Hand on the whole answer, or a line for each point with a handle to the rest."
    )
    evidence = {
        "child": answered.session,
        "produced_chars": len(answer),
        "delivered_chars": whole.chars,
        "notice": whole.notice.grade,
    }
    yield placed(at, evidence, advice)


def placed(at: Finding, evidence: dict[str, object], advice: str) -> Finding:
    """Return a finding at the message that the parent was given."""
    return Finding(
        check=NAME,
        severity="error",
        boundary="handoff",
        evidence={**at.evidence, **evidence},
        advice=advice,
        session=at.session,
        source=at.source,
        tool=at.tool,
        call_id=at.call_id,
    )

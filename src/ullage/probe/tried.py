"""One case that was tried: how it came out, and what is wrong with the harness by it."""

from collections.abc import Sequence
from dataclasses import dataclass

from ullage.ledger.store import Ledger
from ullage.probe.case import Case
from ullage.probe.observed import Asked, Observed, Seen
from ullage.probe.outcome import Outcome, Trial, outcome
from ullage.probe.wire_findings import wire_findings
from ullage.transcript.finding import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """One request: where it went, its size in bytes, what it was answered.

    `tools` is how many it offers, None where it offers none; `calls` are those of the reply.
    """

    number: int
    path: str
    status: int
    bytes: int
    messages: int
    tools: int | None
    calls: Sequence[str]
    finish_reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A case, and all that is said of it; bodies are in the ledger."""

    case: Case
    outcome: Outcome
    findings: Sequence[Finding]
    produced: int
    asked: Sequence[Sent]
    answers: Sequence[str]

    @property
    def requests(self) -> int:
        """How many requests came."""
        return len(self.asked)


def tried(one: Observed, trial: Trial, ledger: Ledger) -> Tried:
    """Judge a case."""
    came = outcome(one, trial)
    read = {seen.number: seen for seen in one.seen}
    ledger.flush()
    return Tried(
        case=one.case,
        outcome=came,
        findings=wire_findings(ledger, one.case) if came.is_seen else (),
        produced=len(one.payloads),
        asked=[sent(each, read.get(each.number)) for each in one.asked],
        answers=tuple(one.answers),
    )


def sent(asked: Asked, read: Seen | None) -> Sent:
    """Say of a request what fits a line; `read` is None for one that is none to a model."""
    turn = asked.turn
    tools = read.tools if read else None
    return Sent(
        number=asked.number,
        path=asked.path,
        status=asked.status,
        bytes=asked.size,
        messages=len(read.messages) if read else 0,
        tools=None if tools is None else len(tools),
        calls=tuple(call.name for call in turn.calls) if turn else (),
        finish_reason=turn.finished_by if turn and not turn.refused else None,
    )

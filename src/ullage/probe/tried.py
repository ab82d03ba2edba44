"""One case that was tried: how it came out, and what is wrong with the harness by it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ullage.ledger.store import Ledger
from ullage.probe.case import Case, Format, Kind, Returns
from ullage.probe.judging import contradicted, probe_findings
from ullage.probe.observed import Asked, Observed, Seen
from ullage.probe.outcome import Outcome, Trial, outcome
from ullage.probe.produced import keep_produced
from ullage.probe.verdict.judge import Verdict, judge_story
from ullage.probe.verdict.requests import Story
from ullage.probe.wire_findings import wire_findings
from ullage.transcript.finding import Finding, Source

Shape = tuple[Kind, Format, Returns]


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
    """A case, and all that is said of it; bodies are in the ledger.

    `verdict` is None where the harness did not get as far as that anything can be said.
    """

    case: Case
    outcome: Outcome
    verdict: Verdict | None
    findings: Sequence[Finding]
    asked: Sequence[Sent]
    answers: Sequence[str]

    @property
    def requests(self) -> int:
        """How many requests came."""
        return len(self.asked)

    @property
    def is_measured(self) -> bool:
        """Whether the harness did what the case tries, so that no loss would mean something."""
        return self.outcome.is_seen and (self.verdict is None or self.verdict.is_measured)

    @property
    def lost(self) -> bool:
        """Whether anything was lost in it."""
        return self.verdict is not None and self.verdict.lost


class Bar:
    """Judges cases, one after the other.

    It remembers what a harness writes around a result that it does not shorten: that is no notice.
    With `kept`, findings name their place in the ledger; else that is gone when they are read.
    """

    def __init__(self, trial: Trial, ledger: Ledger, *, kept: bool) -> None:
        self._trial, self._ledger, self._kept = trial, ledger, kept
        self._around: dict[Shape, str] = {}

    def around(self, case: Case) -> str:
        """Return what stands around a whole result of a case's shape, as far as it was seen."""
        return self._around.get(shape(case), "")

    def judge(self, one: Observed) -> Tried:
        """Judge a case."""
        came = outcome(one, self._trial)
        story = Story(one)
        keep_produced(self._ledger, story)
        read = {seen.number: seen for seen in one.seen}
        verdict = judge_story(story, around=self.around(one.case)) if came.is_seen else None
        if verdict is not None:
            self._remember(verdict)
        return Tried(
            case=one.case,
            outcome=came,
            verdict=verdict,
            findings=self._findings(story, verdict, looped=came.kind == "looped"),
            asked=[sent(each, read.get(each.number)) for each in one.asked],
            answers=tuple(one.answers),
        )

    def _remember(self, verdict: Verdict) -> None:
        """Keep what stands around a result that lost nothing."""
        whole = [one for one in verdict.deliveries if not one.lost and one.request is not None]
        if whole:
            self._around.setdefault(shape(verdict.case), whole[0].around)

    def _findings(
        self, story: Story, verdict: Verdict | None, *, looped: bool
    ) -> Sequence[Finding]:
        """Return what the checks of the wire say, and what only the case shows.

        A loop is the finding of its case. Its hundreds of results that were asked for again and
        taken away again are not held against each other as well: that takes minutes.
        """
        if verdict is None:
            return ()
        self._ledger.flush()
        found = () if looped else wire_findings(self._ledger, story.case, beside=story.beside)
        on_wire = [each for each in found if not contradicted(verdict, each)]
        both = [*on_wire, *probe_findings(verdict, {one.check for one in on_wire})]
        return both if self._kept else [replace(one, source=Source()) for one in both]


def shape(case: Case) -> Shape:
    """Return what the words around a result may depend on."""
    return case.kind, case.format, case.returns


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

"""The measures of one run, all of them computed from its ledger."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache

from ullage.arrivals.read import read
from ullage.arrivals.validity import validity
from ullage.history.handoff import Handoff
from ullage.lab.experiment.key import Key
from ullage.lab.experiment.recorded import Made, Recorded, recorded
from ullage.lab.experiment.revealed import Path, Revealed, revealed, second_path
from ullage.lab.experiment.verdict import (
    Wrong,
    evidence_lost,
    is_correct,
    is_definite,
    is_false_alarm,
    wrong,
)
from ullage.ledger.store import Ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """What a run came to. Counts are of both stages; characters are those of all requests.

    `findings` counts different findings that were recorded, `carried` those that stand in the
    deciding stage's first request; finding yield is `carried` ÷ `computations`. `cut` are results
    whose delivered text is not what was produced in another order of parts, `broken` those of them
    that are JSON no more. `evidence_lost` is the denominator of silent fabrication: a definite
    wrong answer without the evidence. `excluded` is the reason why the run does not count.
    """

    run: str
    answer: str | None
    correct: bool
    false_alarm: bool
    calls: int
    computations: int
    findings: int
    carried: int
    results: int
    cut: int
    broken: int
    refetches: int
    requests: int
    chars_in: int
    revealed: Path
    revealed_by: str | None
    wrong: Wrong | None
    evidence_lost: bool
    fabricated: bool
    excluded: str | None

    @property
    def finding_yield(self) -> float | None:
        """Findings carried ÷ computations; None where none was made, never 0."""
        return self.carried / self.computations if self.computations else None

    @property
    def computations_per_finding(self) -> float | None:
        """Computations for each finding carried; None where none was."""
        return self.computations / self.carried if self.carried else None

    @property
    def naive_yield(self) -> float | None:
        """What 1 - p would say, p being the share of results that were cut; None without any."""
        return 1 - self.cut / self.results if self.results else None

    def to_dict(self) -> dict[str, object]:
        """Return all of it, the ratios beside their numerators and denominators."""
        return {
            **asdict(self),
            "finding_yield": self.finding_yield,
            "computations_per_finding": self.computations_per_finding,
            "naive_yield": self.naive_yield,
        }


def measure(ledger: Ledger, run: str, key: Key) -> Measures:
    """Return the measures of a run. Raises LedgerError where the ledger has no request of it."""
    found = recorded(ledger, run)
    handoff = Handoff(ledger, run=run)
    body = {"messages": [{"role": "user", "content": text} for text in found.decided_on]}
    handed = handoff.verify([body] if found.decided_on else [], stage="decide")
    gone = {*handed.missing, *handed.partial}
    arrived = frozenset(one.text for one in handoff.findings() if one.text not in gone)
    first: Revealed = revealed(found, key)
    lost = evidence_lost(found, key, arrived)
    right = is_correct(found.answer, key)
    excluded = second_path(found, key)
    delivered = [one for one in found.made if one.delivered is not None]
    cut = [one for one in delivered if is_cut(one)]
    return Measures(
        run=run,
        answer=found.answer,
        correct=right,
        false_alarm=is_false_alarm(found.answer, key),
        calls=len(found.made),
        computations=sum(one.tool == "compute" for one in found.made),
        findings=handed.total.found,
        carried=handed.total.arrived,
        results=len(delivered),
        cut=len(cut),
        broken=sum(is_broken(one.produced, one.delivered or "") for one in cut),
        refetches=refetches(found),
        requests=found.requests,
        chars_in=found.chars_in,
        revealed=first.path,
        revealed_by=first.tool,
        wrong=wrong(found, key, arrived),
        evidence_lost=lost,
        fabricated=lost and not right and is_definite(found.answer),
        excluded=None if excluded is None else excluded.reason,
    )


def refetches(run: Recorded) -> int:
    """Return how many calls had been made before, with the same arguments."""
    calls = Counter((one.tool, one.arguments) for one in run.made)
    return sum(count - 1 for count in calls.values())


def is_cut(one: Made) -> bool:
    """Whether something of a result did not arrive, or is no longer what it was."""
    return one.delivered != one.produced and not same_values(one.produced, one.delivered or "")


@lru_cache(maxsize=4096)
def same_values(produced: str, delivered: str) -> bool:
    """Whether two texts are the same JSON value; the order of an object's members is none of it."""
    one, other = read(produced), read(delivered)
    return one.is_value and other.form == "json" and one.value == other.value


@lru_cache(maxsize=4096)
def is_broken(produced: str, delivered: str) -> bool:
    """Whether a delivered text is no whole JSON any more, where the produced one was."""
    return validity(read(produced), read(delivered)) is False


def totals(runs: Sequence[Measures]) -> Mapping[str, int]:
    """Return how many runs there are, how many count, and how many are excluded, by reason."""
    reasons = Counter(one.excluded for one in runs if one.excluded is not None)
    return {"runs": len(runs), "counted": sum(one.excluded is None for one in runs), **reasons}

"""What one run lost: each produced result, and what the model was first given of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ullage.arrivals.arrival import Arrival
from ullage.arrivals.rates import CallRates
from ullage.ledger.records import ProducedKind
from ullage.transcript.words import Boundary, Cohort

Where = Literal["tool", "harness", "unknown"]
"""Which code lost it: the tool's own, before it handed on; the harness's, after; or one of both."""

Certainty = Literal["exact", "high", "low"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One produced result against what the model was first given of it.

    `produced` is without the records that a step declared as dropped. `delivered` is None where no
    request carried the result; `arrival` then is None too. `exchange` and `certainty` say where
    and how surely it was found; both are None where the tool itself handed on nothing.
    """

    number: int
    run: str
    tool: str
    kind: ProducedKind
    produced: str
    declared_drops: int
    handed_on: str | None
    delivered: str | None
    exchange: int | None
    certainty: Certainty | None
    arrival: Arrival | None
    boundary: Boundary | None
    where: Where


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """All results of a run, and what could not be told.

    `delivered_results` counts the tool results that the model was given; for `unknown` of them
    nothing was recorded as produced. `other_requests` went to paths that are not read yet.
    """

    run: str
    results: Sequence[Measured]
    exchanges: int
    other_requests: int
    failed_requests: int
    delivered_results: int
    unknown: int
    not_recorded: int
    cohorts: Sequence[Cohort]
    by_tool: Mapping[str, CallRates]

    @property
    def unseen(self) -> Sequence[Measured]:
        """The results that no request carried."""
        return [one for one in self.results if one.delivered is None]

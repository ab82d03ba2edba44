"""What one run lost: each produced result, and what the model was first given of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ullage.arrivals.arrival import Arrival
from ullage.arrivals.rates import CallRates, call_rates
from ullage.arrivals.sighting import Certainty
from ullage.ledger.records import ProducedKind
from ullage.transcript.finding import Finding, Source
from ullage.transcript.words import Boundary, Cohort

Where = Literal["tool", "harness", "unknown"]
"""Which code lost it: the tool's own, before it handed on; the harness's, after; or one of both."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One produced result against what the model was first given of it.

    `produced` is without the records that a step declared as dropped. `delivered` is None where no
    request carried the result; `arrival` then is None too. `exchange` and `certainty` say where
    and how surely it was found; both are None where the tool itself handed on nothing. Where the
    ledger kept no texts, `produced` is empty, `delivered` too if there was any; the sizes in
    characters are known all the same. `shortened` says that it was before it was recorded.
    `source` and `call_id` are those of a result in a transcript.
    """

    number: int
    run: str
    tool: str
    kind: ProducedKind
    key: str | None
    produced: str
    declared_drops: int
    handed_on: str | None
    delivered: str | None
    exchange: int | None
    certainty: Certainty | None
    arrival: Arrival | None
    boundary: Boundary | None
    where: Where
    produced_chars: int
    handed_on_chars: int | None
    delivered_chars: int | None
    shortened: bool = False
    source: Source = field(default_factory=Source)
    call_id: str | None = None

    def to_dict(self) -> dict[str, object]:
        """Return the members of `arrival.results[]` in `ullage.scan/1`, without any text."""
        found = self.arrival
        return {
            "tool": self.tool,
            "kind": self.kind,
            "declared_drops": self.declared_drops,
            "produced_chars": self.produced_chars,
            "handed_on_chars": self.handed_on_chars,
            "delivered_chars": self.delivered_chars,
            "exchange": self.exchange,
            "certainty": self.certainty,
            "where": self.where,
            "arrival": None if found is None else {**found.to_dict(), "boundary": self.boundary},
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Requests:
    """The requests of a run by what became of them.

    `to_model` counts those to a path that is read, `to_model_failed` the failed ones of them,
    `read` those with messages, `unreadable` those that were answered and have none. `other_paths`
    are those that are not read, by method and path. `failures` counts all that failed by what was
    said about it. `conversations` are told apart by their history. `ended` counts replies that say
    why they ended; `compactions` those that show that the server replaced history.
    """

    all: int
    to_model: int
    to_model_failed: int
    read: int
    failed: int
    unreadable: int
    other_paths: Mapping[str, int]
    failures: Mapping[str, int]
    conversations: int
    cohorts: Sequence[Cohort]
    ended: int = 0
    compactions: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """All results of a run, and what could not be told.

    `delivered_results` counts the tool results that the model was given; for `unknown` of them
    nothing was recorded as produced. `given` counts the same by the exchange that gave them first,
    `given_unknown` those of them that are unknown, and `given_shortened` those of these that show
    that something cut them before they were sent. `served` is what the checks of exchanges found.
    """

    run: str
    results: Sequence[Measured]
    requests: Requests
    delivered_results: int
    unknown: int
    not_recorded: int
    by_tool: Mapping[str, CallRates]
    served: Sequence[Finding] = ()
    given: Mapping[int, int] = field(default_factory=dict)
    given_unknown: Mapping[int, int] = field(default_factory=dict)
    given_shortened: Mapping[int, int] = field(default_factory=dict)

    @property
    def tool_results(self) -> int:
        """All results: those that were recorded as produced, and the others that were given."""
        return len(self.results) + self.unknown

    @property
    def unknown_shortened(self) -> int:
        """How many results of which nothing was recorded as produced show that they were cut."""
        return sum(self.given_shortened.values())

    @property
    def unseen(self) -> Sequence[Measured]:
        """The results that no request carried."""
        return [one for one in self.results if one.delivered is None]

    @property
    def unknown_keys(self) -> Mapping[str, str]:
        """The tools whose results have no record with the field that was named as their key."""
        named: dict[str, str] = {}
        found: set[str] = set()
        for one in self.results:
            if one.key is None or one.arrival is None or one.arrival.keys is None:
                continue
            named[one.tool] = one.key
            if one.arrival.keys.found or one.arrival.rate is None:
                found.add(one.tool)
        return {tool: key for tool, key in named.items() if tool not in found}


def rates_by_tool(results: Sequence[Measured]) -> dict[str, CallRates]:
    """Return each tool's rates over its calls that a request carried."""
    arrivals: dict[str, list[Arrival]] = {}
    for one in results:
        found = arrivals.setdefault(one.tool, [])
        if one.arrival is not None:
            found.append(one.arrival)
    return {tool: call_rates(found) for tool, found in arrivals.items()}

"""From a run's records to what it lost."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ullage.arrivals.arrival import Arrival, arrival
from ullage.arrivals.join import sightings
from ullage.arrivals.rates import CallRates, call_rates
from ullage.arrivals.sighting import Sighting
from ullage.checks.declared import without_declared
from ullage.checks.measured import Measured, Measurement, Where
from ullage.ledger.records import StoredExchange, StoredResult
from ullage.ledger.store import Ledger
from ullage.transcript.words import Boundary
from ullage.wire.openai_chat import is_chat, read_request
from ullage.wire.results import is_result


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A message text, and the first exchange that carried it."""

    text: str
    exchange: int
    is_result: bool


def measure(ledger: Ledger, run: str) -> Measurement:
    """Measure one run: what was produced, what the model was first given, and where it was lost."""
    exchanges = list(ledger.exchanges(run))
    stored = list(ledger.results(run))
    chats = [one for one in exchanges if is_chat(one.path)]
    sent = first_sent(chats)
    drops = Counter(key for step in ledger.steps(run) for key in step.dropped)
    made = [without_declared(one, drops) for one in stored]
    seen = sightings(
        [carried(one, text) for one, (text, _) in zip(stored, made, strict=True)],
        [one.text for one in sent],
    )
    results = [
        measured(one, text, count, sighting, sent)
        for one, (text, count), sighting in zip(stored, made, seen, strict=True)
    ]
    joined = {sighting.index for sighting in seen if sighting is not None}
    given = [index for index, one in enumerate(sent) if one.is_result]
    return Measurement(
        run=run,
        results=results,
        exchanges=len(exchanges),
        other_requests=len(exchanges) - len(chats),
        failed_requests=sum(one.error is not None or (one.status or 0) >= 400 for one in exchanges),
        delivered_results=len(given),
        unknown=sum(index not in joined for index in given),
        not_recorded=ledger.faults(run),
        cohorts=sorted({one.cohort for one in exchanges if one.cohort is not None}),
        by_tool=rates_by_tool(results),
    )


def first_sent(exchanges: Sequence[StoredExchange]) -> list[Sent]:
    """Return the texts that the model was given, each once, in order of sending.

    A request repeats its history: the n-th message with a text is new only if no earlier request
    had that text n times. What the model itself wrote is left out.
    """
    known: set[tuple[str, int]] = set()
    found = []
    for exchange in exchanges:
        occurrences: Counter[str] = Counter()
        for message in read_request(exchange.request_body).messages:
            if message.role == "assistant" or not message.text.strip():
                continue
            occurrences[message.text] += 1
            place = (message.text, occurrences[message.text])
            if place not in known:
                known.add(place)
                found.append(
                    Sent(
                        text=message.text,
                        exchange=exchange.number,
                        is_result=is_result(message),
                    )
                )
    return found


def carried(result: StoredResult, produced: str) -> str:
    """Return the text to look for in the requests: what the tool handed on, if it said so."""
    return produced if result.handed_on is None else result.handed_on


def measured(
    result: StoredResult,
    produced: str,
    declared_drops: int,
    sighting: Sighting | None,
    sent: Sequence[Sent],
) -> Measured:
    """Measure one result."""
    handed = result.handed_on
    delivered = None
    if sighting is not None:
        delivered = sent[sighting.index].text[sighting.start : sighting.end]
    elif handed is not None and not handed.strip():
        delivered = handed  # nothing that could be found in a request
    whole = None
    boundary: Boundary | None = None
    where: Where = "unknown"
    if delivered is not None:
        boundary, where = first_loss(produced, handed, delivered, result.key)
        whole = arrival(produced, delivered, key=result.key, boundary=boundary or "budget")
    return Measured(
        number=result.number,
        run=result.run,
        tool=result.tool,
        kind=result.kind,
        produced=produced,
        declared_drops=declared_drops,
        handed_on=handed,
        delivered=delivered,
        exchange=sent[sighting.index].exchange if sighting else None,
        certainty=sighting.certainty if sighting else None,
        arrival=whole,
        boundary=boundary,
        where=where,
    )


def first_loss(
    produced: str, handed: str | None, delivered: str, key: str | None
) -> tuple[Boundary | None, Where]:
    """Return the boundary of the first step that lost something, and whose code that is."""
    if handed is None:
        return boundary_of(arrival(produced, delivered, key=key)), "unknown"
    in_tool = boundary_of(arrival(produced, handed, key=key))
    if in_tool is not None:
        return in_tool, "tool"
    return boundary_of(arrival(handed, delivered, key=key)), "harness"


def boundary_of(step: Arrival) -> Boundary | None:
    """Return where one step's loss belongs; None where nothing was lost.

    `serialise` where the values all arrived in a form that is no longer the produced one; else
    `budget`.
    """
    if step.lost:
        return "budget"
    if step.valid is False:
        return "serialise"
    return None


def rates_by_tool(results: Sequence[Measured]) -> dict[str, CallRates]:
    """Return each tool's rates over its calls that a request carried."""
    arrivals: dict[str, list[Arrival]] = {}
    for one in results:
        found = arrivals.setdefault(one.tool, [])
        if one.arrival is not None:
            found.append(one.arrival)
    return {tool: call_rates(found) for tool, found in arrivals.items()}

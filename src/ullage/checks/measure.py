"""From a run's records to what it lost."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ullage.arrivals.arrival import Arrival, arrival
from ullage.arrivals.by_call import Answer
from ullage.arrivals.join import sightings
from ullage.arrivals.shortened import shortened
from ullage.arrivals.sighting import Sighting
from ullage.checks.declared import without_declared
from ullage.checks.measured import Measured, Measurement, Where, rates_by_tool
from ullage.checks.recalled import recalled
from ullage.checks.requests import all_requests, go_through
from ullage.checks.sent import Sent
from ullage.ledger.level import levelled
from ullage.ledger.records import StoredResult
from ullage.ledger.store import Ledger
from ullage.sources.ledger import exchange_of
from ullage.transcript.words import Boundary
from ullage.wire.exchange import Exchange


def measure(ledger: Ledger, run: str) -> Measurement:
    """Measure one run: what was produced, what the model was first given, and where it was lost.

    A run of which the ledger keeps no texts was measured before they were let go.
    """
    known = recalled(ledger, run)
    if known is not None:
        return known
    path = str(ledger.path)
    going = go_through(exchange_of(one, path) for one in ledger.exchanges(run))
    sent = going.conversations.texts()
    answers = going.conversations.answers(sent)
    stored = list(ledger.results(run))
    drops = Counter(key for step in ledger.steps(run) for key in step.dropped)
    made = [without_declared(one, drops) for one in stored]
    seen = sightings(
        [carried(one, text) for one, (text, _) in zip(stored, made, strict=True)],
        [one.text for one in sent],
        calls=[one.call_id for one in stored],
        answers=answers,
    )
    results = [
        measured(one, text, count, sighting, sent)
        for one, (text, count), sighting in zip(stored, made, seen, strict=True)
    ]
    joined = {sighting.index for sighting in seen if sighting is not None}
    given = delivered(sent, answers, joined)
    unknown = [sent[index] for index in given if index not in joined]
    return Measurement(
        run=run,
        results=results,
        requests=going.done(),
        delivered_results=len(given),
        unknown=len(unknown),
        not_recorded=ledger.faults(run),
        by_tool=rates_by_tool(results),
        served=going.findings,
        given=Counter(sent[index].exchange for index in given),
        given_unknown=Counter(one.exchange for one in unknown),
        given_shortened=shortened_in(unknown),
    )


def measure_exchanges(exchanges: Iterable[Exchange]) -> Measurement:
    """Measure what was sent and served where nothing was recorded as produced."""
    going = go_through(exchanges)
    sent = going.conversations.texts()
    given = delivered(sent, going.conversations.answers(sent), set())
    return Measurement(
        run="",
        results=[],
        requests=going.done(),
        delivered_results=len(given),
        unknown=len(given),
        not_recorded=0,
        by_tool={},
        served=going.findings,
        given_shortened=shortened_in([sent[index] for index in given]),
    )


def shortened_in(unknown: Iterable[Sent]) -> Counter[int]:
    """Count by exchange the results that say that they were shortened, or end inside a value."""
    return Counter(one.exchange for one in unknown if shortened(one.text) is not None)


def together(measurements: Sequence[Measurement]) -> Measurement:
    """Return several measurements as one; its run is theirs if they are of one."""
    results = [one for each in measurements for one in each.results]
    runs = {each.run for each in measurements}
    return Measurement(
        run=runs.pop() if len(runs) == 1 else "",
        results=results,
        requests=all_requests([each.requests for each in measurements]),
        delivered_results=sum(each.delivered_results for each in measurements),
        unknown=sum(each.unknown for each in measurements),
        not_recorded=sum(each.not_recorded for each in measurements),
        by_tool=rates_by_tool(results),
        served=[one for each in measurements for one in each.served],
        given_shortened=sum_of([each.given_shortened for each in measurements]),
    )


def sum_of(counts: Iterable[Mapping[int, int]]) -> Counter[int]:
    """Add counts by exchange."""
    total = Counter[int]()
    for one in counts:
        total.update(one)
    return total


def delivered(
    sent: Sequence[Sent], answers: Sequence[Answer | None], joined: set[int]
) -> list[int]:
    """Return which texts are results that the model was given.

    One that repeats a joined result in another conversation, and was not made a second time, is
    that result again: history that was handed over. So is a later text of a conversation that
    answers the call of a joined one: what was left of that in the history.
    """
    known = {(sent[index].answers, sent[index].text) for index in joined}
    answered = {answers[index] for index in joined} - {None}
    return [
        index
        for index, one in enumerate(sent)
        if one.is_result
        and (
            index in joined
            or not (
                (one.repeats and (one.answers, one.text) in known)
                or ((answer := answers[index]) in answered and answer and not answer.shared)
            )
        )
    ]


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
    given = None
    if sighting is not None:
        given = sent[sighting.index].text[sighting.start : sighting.end]
    elif handed is not None and not handed.strip():
        given = handed  # nothing that could be found in a request
    whole = None
    boundary: Boundary | None = None
    where: Where = "unknown"
    if given is not None:
        whole = compared(produced, given, key=result.key)
        boundary, where = first_loss(result, produced, given, whole)
        whole = replace(whole, boundary=boundary or "budget")
    return Measured(
        number=result.number,
        run=result.run,
        tool=result.tool,
        kind=result.kind,
        key=result.key,
        produced=produced,
        declared_drops=declared_drops,
        handed_on=handed,
        delivered=given,
        exchange=sent[sighting.index].exchange if sighting else None,
        certainty=sighting.certainty if sighting else None,
        arrival=whole,
        boundary=boundary,
        where=where,
        produced_chars=len(produced),
        handed_on_chars=None if handed is None else len(handed),
        delivered_chars=None if given is None else len(given),
        shortened=shortened(produced) is not None,
    )


def compared(before: str, after: str, *, key: str | None) -> Arrival:
    """Compare two texts of the ledger, equal where only their redaction differs."""
    before, after = levelled(before, after)
    return arrival(before, after, key=key)


def first_loss(
    result: StoredResult, produced: str, given: str, whole: Arrival
) -> tuple[Boundary | None, Where]:
    """Return the boundary of the first step that lost something, and whose code that is.

    `whole` is the arrival of `produced` in `given`, over both steps.
    """
    handed = result.handed_on
    if handed is None:
        return boundary_of(whole), "unknown"
    in_tool = whole if handed == given else compared(produced, handed, key=result.key)
    if (lost_at := boundary_of(in_tool)) is not None:
        return lost_at, "tool"
    after = whole if handed in (given, produced) else compared(handed, given, key=result.key)
    return boundary_of(after), "harness"


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

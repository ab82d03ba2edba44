"""From a run's records to what it lost."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ullage.arrivals.arrival import Arrival, arrival
from ullage.arrivals.by_call import Answer
from ullage.arrivals.join import sightings
from ullage.arrivals.shortened import shortened
from ullage.arrivals.sighting import Sighting
from ullage.checks.announced import announced
from ullage.checks.boundaries import boundary_of
from ullage.checks.declared import without_declared
from ullage.checks.measured import Measured, Measurement, Where, rates_by_tool
from ullage.checks.recalled import recalled
from ullage.checks.requests import Going, all_requests, go_through
from ullage.checks.sent import Sent
from ullage.checks.session import Session, results_of
from ullage.ledger.level import levelled
from ullage.ledger.records import StoredResult
from ullage.ledger.store import Ledger
from ullage.sources.ledger import exchange_of
from ullage.transcript.transcript import Transcript
from ullage.transcript.words import Boundary
from ullage.wire.exchange import Exchange

Judge = Callable[[StoredResult, str, int, Sighting | None, Sequence[Sent]], Measured]
"""Measures one result by its produced text without declared drops, their number, and its place."""


def measure(ledger: Ledger, run: str) -> Measurement:
    """Measure one run: what was produced, what the model was first given, and where it was lost.

    A run of which the ledger keeps no texts was measured before they were let go.
    """
    return measure_run(ledger, run).measurement


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A measurement, and the sessions that it was made of; none where there are no texts."""

    measurement: Measurement
    sessions: Sequence[Session]


def measure_run(
    ledger: Ledger, run: str, *, counts: Callable[[Exchange], bool] = lambda _: True
) -> Run:
    """Measure one run as `measure` does, and put its conversations together as sessions.

    Exchanges that do not count are left out, as if they had not been made.
    """
    known = recalled(ledger, run)
    if known is not None:
        return Run(measurement=known, sessions=())
    path = str(ledger.path)
    started: dict[int, float] = {}

    def exchanges() -> Iterator[Exchange]:
        for one in ledger.exchanges(run):
            started[one.number] = one.started
            yield exchange_of(one, path)

    going = go_through(one for one in exchanges() if counts(one))
    found = measured_run(
        run,
        going,
        list(ledger.results(run)),
        drops=Counter(key for step in ledger.steps(run) for key in step.dropped),
        not_recorded=ledger.faults(run),
    )
    records = list(ledger.compactions(run))
    return replace(found, sessions=announced(found.sessions, records, started))


def measured_run(
    run: str,
    going: Going,
    stored: Sequence[StoredResult],
    *,
    drops: Mapping[str, int],
    not_recorded: int,
    judge: Judge | None = None,
) -> Run:
    """Join the results of a run with what its requests gave the model, and measure each.

    `drops` counts the records that declared steps have dropped. `judge` is `measured`, or what
    gives the same sooner because it remembers.
    """
    judge = judge or measured
    sent = going.conversations.texts()
    answers = going.conversations.answers(sent)
    left = Counter(drops)
    made = [without_declared(one, left) for one in stored]
    seen = sightings(
        [carried(one, text) for one, (text, _) in zip(stored, made, strict=True)],
        [one.text for one in sent],
        calls=[one.call_id for one in stored],
        answers=answers,
    )
    results = [
        judge(one, text, count, sighting, sent)
        for one, (text, count), sighting in zip(stored, made, seen, strict=True)
    ]
    joined = {sighting.index for sighting in seen if sighting is not None}
    given = delivered(sent, answers, joined)
    unknown = [sent[index] for index in given if index not in joined]
    measurement = Measurement(
        run=run,
        results=results,
        requests=going.done(),
        delivered_results=len(given),
        unknown=len(unknown),
        not_recorded=not_recorded,
        by_tool=rates_by_tool(results),
        served=going.findings,
        given=Counter(sent[index].exchange for index in given),
        given_unknown=Counter(one.exchange for one in unknown),
        given_shortened=shortened_in(unknown),
    )
    places = [None if one is None else place_of(sent[one.index]) for one in seen]
    known_at = list(zip(places, results, strict=True))
    return Run(measurement=measurement, sessions=sessions_of(going, known_at))


Place = tuple[int, str | None, str]
"""The conversation of a message, the call that it answers, and its text."""


def place_of(sent: Sent) -> Place:
    """Return where a text was given."""
    return (sent.conversation, sent.answers, sent.text)


def sessions_of(
    going: Going, known_at: Iterable[tuple[Place | None, Measured]] = ()
) -> list[Session]:
    """Return the conversations as sessions, their results with what was measured of them."""
    waiting: defaultdict[Place | None, list[Measured]] = defaultdict(list)
    for place, one in known_at:
        waiting[place].append(one)
    found = []
    for number, transcript in going.assembly.done():
        results = list(results_of(transcript, partial(next_known, waiting, number, transcript)))
        found.append(Session(transcript=transcript, results=results))
    return found


def next_known(
    waiting: Mapping[Place | None, list[Measured]],
    conversation: int,
    transcript: Transcript,
    at: int,
    _: str,
) -> Measured | None:
    """Return what was measured of the result in an entry, each once; None where nothing was."""
    message = transcript.entries[at].message
    there = waiting.get((conversation, message.answers, message.text))
    return there.pop(0) if there else None


def measure_exchanges(exchanges: Iterable[Exchange]) -> Run:
    """Measure what was sent and served where nothing was recorded as produced."""
    going = go_through(exchanges)
    sent = going.conversations.texts()
    given = delivered(sent, going.conversations.answers(sent), set())
    measurement = Measurement(
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
    return Run(measurement=measurement, sessions=sessions_of(going))


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
    answers the call of a joined one, or of one that was given: what was left of that in the
    history, or another spelling of it.
    """
    known = {(sent[index].answers, sent[index].text) for index in joined}
    answered = {answers[index] for index in joined} - {None}
    found = []
    for index, one in enumerate(sent):
        answer = answers[index]
        is_again = answer is not None and not answer.shared and answer in answered
        handed = one.handed_over or (one.repeats and (one.answers, one.text) in known)
        if one.is_result and (index in joined or not (is_again or handed)):
            found.append(index)
            answered.add(answer)
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

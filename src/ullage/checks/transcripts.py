"""Measuring a transcript: each result against what was produced, where it tells of both."""

from collections.abc import Sequence
from dataclasses import replace

from ullage.arrivals.arrival import arrival
from ullage.arrivals.shortened import shortened
from ullage.checks.boundaries import boundary_of
from ullage.checks.measured import Measured, Measurement, Requests, rates_by_tool
from ullage.checks.session import Session, results_of
from ullage.checks.watch import Watch
from ullage.transcript.finding import Finding
from ullage.transcript.transcript import Entry, Transcript
from ullage.wire.exchange import Exchange
from ullage.wire.reply import Reply


def session_of(transcript: Transcript) -> Session:
    """Return a transcript with its results, each measured as far as it can be."""

    def measured(at: int, tool: str) -> Measured | None:
        return measured_result(transcript, at, tool)

    return Session(transcript=transcript, results=list(results_of(transcript, measured)))


def measured_result(transcript: Transcript, at: int, tool: str) -> Measured | None:
    """Measure one result; None where what was produced is not known as a text."""
    entry = transcript.entries[at]
    produced = entry.produced
    if produced is None or produced.text is None:
        return None
    given = entry.message.text
    whole = arrival(produced.text, given)
    boundary = boundary_of(whole)
    return Measured(
        number=at + 1,
        run=transcript.session,
        tool=tool,
        kind="tool",
        key=None,
        produced=produced.text,
        declared_drops=0,
        handed_on=None,
        delivered=given,
        exchange=entry.exchange,
        certainty="call-id",
        arrival=replace(whole, boundary=boundary or "budget"),
        boundary=boundary,
        where="harness",
        produced_chars=len(produced.text),
        handed_on_chars=None,
        delivered_chars=len(given),
        shortened=shortened(produced.text) is not None,
        source=entry.source if entry.source.path is not None else transcript.source,
        call_id=entry.message.answers,
    )


def measurement_of(session: Session) -> Measurement:
    """Return the figures of a session, and what the checks of replies find in it."""
    counted = [one for one in session.results if one.counted]
    results = [one.measured for one in counted if one.measured is not None]
    return Measurement(
        run=session.transcript.session,
        results=results,
        requests=requests_of(session),
        delivered_results=len(counted),
        unknown=len(counted) - len(results),
        not_recorded=0,
        by_tool=rates_by_tool(results),
        served=judged_replies(session),
    )


def requests_of(session: Session) -> Requests:
    """Count what the model wrote: each is an exchange that was answered."""
    own = list(session.entries)[session.transcript.shared :]
    wrote = sum(one.message.role == "assistant" for one in own)
    return Requests(
        all=wrote,
        to_model=wrote,
        to_model_failed=0,
        read=wrote,
        failed=0,
        unreadable=0,
        other_paths={},
        failures={},
        conversations=1,
        cohorts=[],
    )


def judged_replies(session: Session) -> Sequence[Finding]:
    """Return what the checks of exchanges find in what the model wrote."""
    watch = Watch()
    found: list[Finding] = []
    for number, entry in enumerate(session.entries):
        if entry.message.role == "assistant" and number >= session.transcript.shared:
            found += watch.judge(exchange_of(session.transcript, number, entry), None)
    return found


def exchange_of(transcript: Transcript, number: int, entry: Entry) -> Exchange:
    """Return a reply of a transcript as an exchange whose request is not known."""
    reply = Reply(
        message=entry.message,
        finish_reason=entry.finish_reason,
        label=entry.label or "complete",
        usage=entry.usage,
        model=entry.model,
    )
    return Exchange(
        number=number + 1,
        source=entry.source if entry.source.path is not None else transcript.source,
        session=transcript.session,
        name=entry.key,
        reply=reply,
    )

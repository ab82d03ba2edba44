"""What only a probe can say is wrong: it knows what was made, and what the script answered."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from ullage.checks import handles, handoff_lost, message_lost, silent_cut, summariser_starved
from ullage.checks.probed import CALL_LOOP, LENGTH_IGNORED, OVERFLOW_IGNORED, RESULT_CLEARED
from ullage.probe.verdict.judge import Verdict
from ullage.transcript.finding import Finding
from ullage.transcript.words import Boundary, Severity

TOOL = "fetch_rows"
ENOUGH = summariser_starved.ENOUGH
CUTS = (silent_cut.NAME, "invalid-syntax", "cut-to-empty", "cut-with-room", "cut-upstream")


def probe_findings(verdict: Verdict, known: Collection[str]) -> Sequence[Finding]:
    """Return what a case shows; `known` are checks that have found something in its exchanges."""
    return [one for judge in JUDGES for one in judge(verdict, known) if one.check not in known]


Judge = Callable[[Verdict, Collection[str]], Iterator[Finding]]


def found(
    verdict: Verdict,
    check: str,
    severity: Severity,
    boundary: Boundary | None,
    advice: str,
    evidence: Mapping[str, object],
) -> Finding:
    """Return a finding about a case."""
    return Finding(
        check=check,
        severity=severity,
        boundary=boundary,
        evidence=evidence,
        advice=advice,
        session=verdict.case.tag,
    )


def looped(verdict: Verdict, _: Collection[str]) -> Iterator[Finding]:
    """Report a harness that only the cap stopped."""
    if not verdict.loop.looped:
        return
    evidence = {
        "refused": verdict.loop.capped,
        "again": verdict.loop.again,
        "after_loss": verdict.loop.after_loss,
    }
    advice = "Stop after a number of calls, and tell the user that it was stopped. "
    if verdict.loop.after_loss:
        advice += (
            f"{verdict.loop.after_loss} calls were made again because the result of the one before "
            "was no longer in the request: keep the newest result."
        )
    yield found(verdict, CALL_LOOP, "warning", None, advice.strip(), evidence)


def length_ignored(verdict: Verdict, _: Collection[str]) -> Iterator[Finding]:
    """Report a stopped reply that the user got as a whole one."""
    one = verdict.length
    if one is None or one.reaction != "taken-for-whole" or one.told:
        return
    advice = (
        "The finish reason `length` was not looked at: the user got half a reply as the answer. "
        "Have the model go on, ask again with a larger limit, or say that it is not all."
    )
    evidence = {"reaction": one.reaction, "further_requests": one.further_requests}
    yield found(verdict, LENGTH_IGNORED, "error", "serve", advice, evidence)


def overflow_ignored(verdict: Verdict, _: Collection[str]) -> Iterator[Finding]:
    """Report a refused prompt of which the user heard nothing."""
    one = verdict.overflow
    if one is None or one.reaction not in ("gave-up", "retried-unchanged"):
        return
    advice = (
        "The model refused the prompt as too long, and neither was it shortened nor did an error "
        "reach the caller. Raise it, or shorten the history and say so."
    )
    evidence = {"reaction": one.reaction, "refused": one.refused, "retries": one.retries}
    yield found(verdict, OVERFLOW_IGNORED, "error", "serve", advice, evidence)


def never_shown(verdict: Verdict, _: Collection[str]) -> Iterator[Finding]:
    """Report results that went although there is a summariser, which was hardly shown any.

    It may never have been asked: LangChain's middleware writes "too long to summarize" itself.
    """
    one = verdict.history
    writers = [each for each in verdict.auxiliary if each.guess in ("summariser", "compressor")]
    if one is None or not writers:
        return
    gone = [
        made.rows_produced
        for fate, made in zip(one.results, verdict.deliveries, strict=False)
        if fate in ("gone", "cleared")
    ]
    shown = sum(each.rows_seen for each in writers)
    if not gone or shown >= ENOUGH * sum(gone):
        return
    advice = (
        f"{sum(gone)} records of {len(gone)} results left the history, and the summariser, asked "
        f"{len(writers)} times, was shown {shown} records in all. Raise the limit of its input "
        "(trim_tokens_to_summarize and the like), or summarise in several steps."
    )
    evidence = {"gone": {"results": len(gone), "records": sum(gone)}, "shown": {"records": shown}}
    yield found(verdict, summariser_starved.NAME, "error", "summarise", advice, evidence)


def starved(verdict: Verdict, _: Collection[str]) -> Iterator[Finding]:
    """Report auxiliary requests that were not shown what went after them."""
    hungry = [
        one
        for one in verdict.auxiliary
        if one.starved or one.turns_seen_of_them < one.turns_replaced
    ]
    if not hungry:
        return
    rows = sum(one.rows_replaced for one in hungry)
    seen = sum(one.rows_seen_of_them for one in hungry)
    turns = sum(one.turns_replaced for one in hungry)
    turns_seen = sum(one.turns_seen_of_them for one in hungry)
    advice = (
        f"{len(hungry)} summaries stand for {rows} records and {turns} turns of the user, and "
        f"their writer was shown {seen} and {turns_seen} of these. What it was not given is lost "
        "whatever it wrote: raise the limit of the summariser's input, or summarise in several "
        "steps."
    )
    evidence = {
        "requests": [one.request for one in hungry],
        "replaced": {"records": rows, "turns": turns},
        "shown": {"records": seen, "turns": turns_seen},
    }
    yield found(verdict, summariser_starved.NAME, "error", "summarise", advice, evidence)


def starved_once(verdict: Verdict, known: Collection[str]) -> Iterator[Finding]:
    """Report a starved summariser, by what stands closest to it."""
    one = next(starved(verdict, known), None) or next(never_shown(verdict, known), None)
    if one is not None:
        yield one


def turns_lost(verdict: Verdict, _: Collection[str]) -> Iterator[Finding]:
    """Report turns of the user that a later request should have had."""
    one = verdict.history
    if one is None or one.first_loss is None:
        return
    lost = one.first_loss
    advice = (
        f"Of {one.said} turns of the user the last request has {len(one.kept)}. Turn "
        f"{lost.turn + 1} was gone from turn {lost.during + 1} on. Protect what the user said from "
        "the trimming, or have a summary keep it."
    )
    evidence = {
        "said": one.said,
        "kept": len(one.kept),
        "first_lost": lost.turn + 1,
        "during": lost.during + 1,
        "notice": one.notice.grade,
    }
    yield found(verdict, message_lost.NAME, "error", "retain", advice, evidence)


def results_lost(verdict: Verdict, known: Collection[str]) -> Iterator[Finding]:
    """Report results that left the history although what the user said stayed."""
    one = verdict.history
    if one is None or message_lost.NAME in known or summariser_starved.NAME in known:
        return
    cleared = sum(fate == "cleared" for fate in one.results)
    if not cleared:
        return
    said = one.notice.grade
    advice = (
        f"Of {len(one.results)} results the last request has {cleared} as a message without "
        "records. Keep what is still needed, or leave a way back to it."
    )
    evidence = {"results": len(one.results), "cleared": cleared, "notice": said}
    severity: Severity = "error" if said == "none" else "warning"
    yield found(verdict, RESULT_CLEARED, severity, "retain", advice, evidence)


def handed_off(verdict: Verdict, _: Collection[str]) -> Iterator[Finding]:
    """Report evidence of a helper that its parent was not given."""
    one = verdict.handoff
    if one is None or one.arrived >= one.planted or not one.returned:
        return
    advice = (
        f"The parent has {one.arrived} of {one.planted} findings. Hand over each finding, or a "
        "line for each with a handle to the rest; a count or a pointer is not enough."
    )
    evidence = {"produced": one.planted, "delivered": one.arrived}
    yield found(verdict, handoff_lost.NAME, "error", "handoff", advice, evidence)


def cut(verdict: Verdict, known: Collection[str]) -> Iterator[Finding]:
    """Report a result that the checks could not join with what was given of it."""
    one = verdict.worst
    if (
        one is None
        or not one.lost
        or one.notice.grade != "none"
        or any(check in known for check in CUTS)
    ):
        return
    advice = (
        f"Of {one.rows_produced} records {one.rows_delivered} arrived, and nothing says so. Cut by "
        "records, which states what is missing."
    )
    evidence = {
        "records": {"produced": one.rows_produced, "delivered": one.rows_delivered},
        "chars": {"produced": one.chars_produced, "delivered": one.chars_given},
    }
    yield found(verdict, silent_cut.NAME, "error", "budget", advice, evidence)


def dead_end(verdict: Verdict, _: Collection[str]) -> Iterator[Finding]:
    """Report a way back that led nowhere."""
    one = verdict.handle
    if one is None or not one.dead:
        return
    advice = "The notice names a way back, and following it gave no record: keep what it names."
    evidence = {"names": list(one.names), "followed": one.followed}
    yield found(verdict, handles.DEAD, "warning", "budget", advice, evidence)


JUDGES: Sequence[Judge] = (
    cut,
    turns_lost,
    results_lost,
    starved_once,
    handed_off,
    length_ignored,
    overflow_ignored,
    dead_end,
    looped,
)

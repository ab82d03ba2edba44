"""What only a probe can say is wrong: it knows what was made, and what the script answered."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from ullage.checks import (
    cut_no_way_back,
    handles,
    handoff_lost,
    message_lost,
    silent_cut,
    summariser_starved,
)
from ullage.checks.probed import CALL_LOOP, LENGTH_IGNORED, OVERFLOW_IGNORED, RESULT_CLEARED
from ullage.probe.verdict.judge import Verdict
from ullage.transcript.finding import Finding
from ullage.transcript.words import Boundary, Severity

CUTS = (silent_cut.NAME, "invalid-syntax", "cut-to-empty", "cut-with-room", "cut-upstream")

CUTS_SAID = (silent_cut.NAME, cut_no_way_back.NAME, "cut-with-room")


def probe_findings(verdict: Verdict, known: Collection[str]) -> Sequence[Finding]:
    """Return what a case shows; `known` are checks that have found something in its exchanges."""
    return [one for judge in JUDGES for one in judge(verdict, known) if one.check not in known]


def contradicted(verdict: Verdict, one: Finding) -> bool:
    """Whether the ids of the records and turns tell better what a check of the wire says.

    A check compares texts; it does not know which summary holds a turn, or that the writer of an
    earlier one was shown a result. What is true of that is said once, by the judges here.
    """
    by_ids = {
        summariser_starved.NAME: verdict.shown,
        message_lost.NAME: verdict.history,
        handoff_lost.NAME: verdict.handoff,
    }
    if one.check in by_ids:
        return by_ids[one.check] is not None
    lost = [each.notice.grade for each in verdict.deliveries if each.lost]
    later = verdict.history is not None and any(fate != "whole" for fate in verdict.history.results)
    if not lost and not later:
        return one.check in CUTS_SAID
    if later:
        return False
    is_said = one.check == silent_cut.NAME and "none" not in lost
    leads_back = one.check == cut_no_way_back.NAME and set(lost) == {"way-back"}
    return is_said or leads_back


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
    if one is None or one.reaction not in ("gave-up", "retried-unchanged", "handed-on"):
        return
    how = "and neither was it shortened nor did an error reach the caller"
    if one.reaction == "handed-on":
        how = "and the user got the text of that error as the model's answer"
    advice = (
        f"The model refused the prompt as too long, {how}. Raise it, or shorten the history and "
        "say so."
    )
    evidence = {"reaction": one.reaction, "refused": one.refused, "retries": one.retries}
    yield found(verdict, OVERFLOW_IGNORED, "error", "serve", advice, evidence)


def starved(verdict: Verdict, _: Collection[str]) -> Iterator[Finding]:
    """Report summaries whose writers were not shown what went, once for a case.

    They may stand for what never reached them: LangChain's middleware writes "too long to
    summarize" itself.
    """
    one = verdict.shown
    if one is None or not one.starved:
        return
    times = len(one.writers)
    advice = (
        f"{one.rows_gone} records and {one.turns_gone} turns of the user left the history, and the "
        f"summariser, asked {times} {'time' if times == 1 else 'times'}, was shown "
        f"{one.rows_shown} and {one.turns_shown} of these. What it was not given is lost whatever "
        "it wrote: raise the limit of its input (trim_tokens_to_summarize and the like), or "
        "summarise in several steps."
    )
    evidence = {
        "requests": list(one.writers),
        "replaced": {"records": one.rows_gone, "turns": one.turns_gone},
        "shown": {"records": one.rows_shown, "turns": one.turns_shown},
    }
    yield found(verdict, summariser_starved.NAME, "error", "summarise", advice, evidence)


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
    is_said = one is None or one.first_loss is not None or message_lost.NAME in known
    if one is None or is_said or verdict.shown is not None:
        return
    cleared = sum(fate in ("cleared", "gone") for fate in one.results)
    if not cleared:
        return
    said = one.notice.grade
    advice = (
        f"Of {len(one.results)} results the last request has {cleared} without records, or not "
        "at all. Keep what is still needed, or leave a way back to it."
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
        or not one.sent
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
    starved,
    handed_off,
    length_ignored,
    overflow_ignored,
    dead_end,
    looped,
)

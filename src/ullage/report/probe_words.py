"""A case of a probe in words: what was tried, and what came of it in one line."""

from collections.abc import Callable, Iterator, Mapping

from ullage.probe.case import Case, Kind
from ullage.probe.cases import short
from ullage.probe.plan import Found
from ullage.probe.tried import Tried
from ullage.probe.verdict.cap import Cap
from ullage.probe.verdict.delivery import Delivery
from ullage.probe.verdict.judge import Verdict
from ullage.transcript.counted import many


def case_words(case: Case) -> str:
    """Name a case by what is tried."""
    size = f"{short(case.size)} {case.format}" if case.size else "no tool"
    returns = " as an object" if case.returns == "object" else ""
    words: Mapping[Kind, str] = {
        "result": f"result of {size}{returns}",
        "user": f"{size} in a message",
        "history": f"{case.turns} turns, {size}",
        "handoff": f"hand-off, {size}",
        "length": "reply stopped by its limit",
        "overflow": f"prompt {case.window} tokens above the first",
        "handle": f"way back, {size}",
    }
    return words[case.kind]


def told(one: Tried) -> str:
    """Return what came of a case, in a line: how it ended, where not well, and what arrived."""
    seen = list(WORDS[one.case.kind](one.verdict)) if one.verdict else []
    return " · ".join([*seen, *([one.outcome.line] if one.outcome.line else [])]) or "done"


def of_result(verdict: Verdict) -> Iterator[str]:
    """Say what arrived of results, or of data in a message."""
    worst = verdict.worst
    if worst is None:
        return
    yield f"{verdict.rows_delivered} of {verdict.rows_produced} records"
    yield from form_of(worst)
    if verdict.handle is not None and verdict.handle.offered:
        yield way_back(verdict)


def form_of(one: Delivery) -> Iterator[str]:
    """Say which side is lost, in what form the rest came, and what was said of it."""
    if not one.sent:
        yield "no request came after the result"
        return
    if not one.lost:
        if one.syntax != "valid":
            yield one.syntax
        return
    if one.side_lost != "none":
        yield f"{one.side_lost} lost" if one.side_lost != "all" else "nothing of it"
    yield one.syntax
    yield f"notice: {one.notice.grade}"


def way_back(verdict: Verdict) -> str:
    """Say what came of the way back."""
    one = verdict.handle
    if one is None or not one.offered:
        return "no way back"
    if not one.followed:
        return "a way back, not followed"
    return f"way back followed: {many(one.rows_fetched, 'more record')}"


def of_history(verdict: Verdict) -> Iterator[str]:
    """Say what was there in the last request, and what summarisers saw."""
    one = verdict.history
    if one is None:
        return
    yield f"turns {len(one.kept)} of {one.said}"
    if one.said > 1:
        yield f"early ones {one.early_kept} of {one.early}"
    if one.results:
        whole = sum(fate == "whole" for fate in one.results)
        yield f"results whole {whole} of {len(one.results)}"
    if one.lost:
        yield f"notice: {one.notice.grade}"
    yield from summaries(verdict)
    short_of = verdict.worst
    if short_of is not None and short_of.lost:
        yield f"at first {verdict.rows_delivered} of {verdict.rows_produced} records"
        yield from form_of(short_of)


def summaries(verdict: Verdict) -> Iterator[str]:
    """Say how many auxiliary requests there were, and what they were shown."""
    if not verdict.auxiliary:
        return
    kinds = ", ".join(dict.fromkeys(one.guess for one in verdict.auxiliary))
    yield f"{many(len(verdict.auxiliary), 'auxiliary request')} ({kinds})"
    one = verdict.shown
    if one is not None and one.rows_gone:
        yield f"shown {one.rows_shown} of {many(one.rows_gone, 'record')} that left"


def of_handoff(verdict: Verdict) -> Iterator[str]:
    """Say what of a helper's evidence its parent was given."""
    one = verdict.handoff
    if one is None:
        yield "no helper was asked; --delegate NAME says which tool asks one"
        return
    if not one.returned:
        yield "the helper took over: nothing is handed back"
        return
    yield f"the parent has {one.arrived} of {one.planted} findings"
    yield f"the helper was given {many(one.child_rows, 'record')}"


def of_length(verdict: Verdict) -> Iterator[str]:
    """Say what was done with a stopped reply."""
    if verdict.length is not None:
        yield REACTIONS[verdict.length.reaction]


def of_overflow(verdict: Verdict) -> Iterator[str]:
    """Say what was done when a prompt was refused."""
    one = verdict.overflow
    if one is None:
        return
    yield REACTIONS[one.reaction]
    if one.reaction == "shortened":
        yield f"{many(one.turns_gone, 'turn')} and {many(one.rows_gone, 'record')} gone"
        yield f"notice: {one.notice.grade}"


REACTIONS: Mapping[str, str] = {
    "taken-for-whole": "half a reply was handed to the user",
    "went-on": "the model was asked to go on",
    "retried": "it was asked again",
    "raised": "an error was raised",
    "withheld": "the user got another text",
    "never-stopped": "no reply was stopped",
    "handed-on": "the user got the provider's error as the answer",
    "retried-unchanged": "the same prompt was sent again",
    "shortened": "the prompt was shortened",
    "gave-up": "nothing more was asked, and no error raised",
    "never-refused": "no prompt was refused",
}

WORDS: Mapping[Kind, Callable[[Verdict], Iterator[str]]] = {
    "result": of_result,
    "user": of_result,
    "history": of_history,
    "handoff": of_handoff,
    "length": of_length,
    "overflow": of_overflow,
    "handle": of_result,
}


def threshold_words(found: Found) -> str:
    """Say where a loss begins, and in which unit the limit is."""
    case = found.case
    returns = ", as an object" if case.returns == "object" else ""
    limit = f". The limit: {found.limit}" if found.limit is not None else ""
    where = "a message" if case.kind == "user" else "a result"
    return f"{case.format} in {where}{returns}: {found.threshold}{limit}."


def cap_words(cap: Cap) -> str:
    """Say what a history is cut at."""
    return f"history: it {cap}."

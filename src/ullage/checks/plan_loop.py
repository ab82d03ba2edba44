"""`plan-loop`: the same plan again and again after compactions, without an action."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from ullage.arrivals.same_call import same_call
from ullage.arrivals.wording import content_words, wording
from ullage.checks.session import Session, finding
from ullage.cutter.excerpt import excerpt
from ullage.transcript.finding import Finding
from ullage.transcript.message import ToolCall

NAME = "plan-loop"
SHOWN = 300
LEAST_PLANS = 3
"""A plan that is made so often, with a compaction between each two, goes round in circles."""
LEAST_WORDS = 4
SAME_SHARE = Fraction(4, 5)
"""So much of either plan's words stands in the other one: it is the same plan."""
# Only what surely changes nothing is no action: an unknown tool may do anything.
_READS = re.compile(
    r"(?:^|[_\-.\s/])(?:read|view|open|cat|list|ls|search|grep|glob|find|get|fetch|query|look|show|"
    r"recall|head|tail|think|todo\w*|plan|update_plan)(?:$|[_\-.\s/])",
    re.IGNORECASE,
)
_SHELL = re.compile(
    r"^(?:bash|shell|sh|terminal|run|exec\w*|run_command|local_shell)$", re.IGNORECASE
)
_LOOKS = re.compile(
    r"[\s\[\"'{:\w]*?\b(?:ls|cat|head|tail|grep|rg|find|wc|pwd|tree|file|stat|less|which|"
    r"git (?:status|log|diff|show|branch))\b[^>;&|]*$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """What happened between two compactions: the first entry, what was planned, what was called."""

    first: int
    plan: str
    calls: Sequence[ToolCall]


def check(session: Session) -> Iterator[Finding]:
    """Report each run of stretches that have the same plan, and in which nothing was changed."""
    run: list[Stretch] = []
    for one in [*stretches(session), None]:
        if one is not None and (not run or goes_on(run[-1], one)):
            run.append(one)
            continue
        # What comes last may still act; what acted is not in the run.
        if len(run) >= LEAST_PLANS:
            yield report(session, run)
        run = [one] if one is not None and not acted(one) else []


def stretches(session: Session) -> Iterator[Stretch]:
    """Yield the stretches of a session, between its compactions."""
    whole = session.transcript
    borders = sorted({0, *(one.at for one in whole.compactions), len(whole.entries)})
    summaries = {at for one in whole.compactions for at in one.summary}
    for begin, end in pairwise(borders):
        entries = [whole.entries[at].message for at in range(begin, end) if at not in summaries]
        wrote = [one for one in entries if one.role == "assistant"]
        yield Stretch(
            first=begin,
            plan="\n".join(one.text for one in wrote if one.text.strip()),
            calls=[call for one in wrote for call in one.calls],
        )


def goes_on(before: Stretch, now: Stretch) -> bool:
    """Whether two neighbouring stretches have the same plan, and neither acts on it."""
    if acted(before) or acted(now):
        return False
    here, there = content_words(before.plan), content_words(now.plan)
    if min(len(here), len(there)) < LEAST_WORDS:
        return False
    return (
        wording(before.plan).share(there) >= SAME_SHARE
        and wording(now.plan).share(here) >= SAME_SHARE
    )


def acted(one: Stretch) -> bool:
    """Whether a stretch changed anything, as far as its calls tell."""
    return any(not only_looks(call) for call in one.calls)


def only_looks(call: ToolCall) -> bool:
    """Whether a call surely changes nothing."""
    if _SHELL.match(call.name):
        return _LOOKS.match(call.arguments) is not None
    return _READS.search(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", call.name)) is not None


def report(session: Session, run: Sequence[Stretch]) -> Finding:
    """Return the finding about one run."""
    calls = [same_call(call) for one in run for call in one.calls]
    evidence = {
        "compactions": len(run) - 1,
        "plans": len(run),
        "writes": 0,
        "refetches": len(calls) - len(set(calls)),
        "plan": excerpt(run[-1].plan, SHOWN),
    }
    advice = (
        "After each compaction the agent makes the same plan and fetches the same things, and is "
        "compacted before it acts. Have the summary keep what was fetched and the next action, or "
        "leave more room: a higher threshold, shorter tool results."
    )
    return finding(session, run[-1].first, NAME, "error", "summarise", advice, evidence)

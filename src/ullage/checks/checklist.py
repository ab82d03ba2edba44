"""The four silent failures: each passed, failed, or not observable in what was read."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ullage.checks.observable import Observable
from ullage.transcript.finding import Finding

Failure = Literal["history-trimmed", "history-summarised", "result-cut", "output-cut"]
Status = Literal["pass", "fail", "not observable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One silent failure.

    `judged` counts what was looked at, by the word in `unit`. `found` counts findings by their
    check. `why` says what the status rests on; `defence` what to do against the failure.
    """

    failure: Failure
    status: Status
    judged: int
    unit: str
    found: Mapping[str, int]
    why: str
    defence: str

    def to_dict(self) -> dict[str, object]:
        """Return the members of `checklist[]` in `ullage.scan/1`."""
        return {
            "failure": self.failure,
            "status": self.status,
            "judged": self.judged,
            "unit": self.unit,
            "found": dict(self.found),
            "why": self.why,
            "defence": self.defence,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a status rests on, before any finding: what was looked at, and whether that is enough.

    `shown` counts what shows the failure without a finding of its own.
    """

    judged: int
    unit: str
    enough: bool
    why: str
    shown: int = 0


def trimmed(can: Observable, found: Counter[str]) -> Seen:
    """Say whether a trimmed history would have shown."""
    one = can.follow_ups > 0
    why = (
        "each was held against the request before it in its conversation"
        if one
        else "no conversation has two recorded requests (sessions hold messages): a history that "
        "was trimmed in silence cannot show"
    )
    return Seen(judged=can.follow_ups, unit="follow-up request", enough=one, why=why)


def summarised(can: Observable, found: Counter[str]) -> Seen:
    """Say whether a summarised history would have shown.

    Where no compaction was seen or recorded, a history that only ever grew was not summarised; one
    that changed may have been.
    """
    if can.compactions is not None:
        why = "no check found what one lost" if can.compactions else "none happened"
        return Seen(judged=can.compactions, unit="compaction", enough=True, why=why)
    grew = can.follow_ups > 0 and not any(found[one] for one in CHANGED)
    if grew:
        why = "no compaction is recorded, and each history only grew"
    elif can.follow_ups:
        why = "a history changed, and nothing recorded says whether by a summary"
    else:
        why = "no compaction is recorded, and no conversation has two requests"
    return Seen(judged=can.follow_ups, unit="follow-up request", enough=grew, why=why)


def result_cut(can: Observable, found: Counter[str]) -> Seen:
    """Say whether a cut result would have shown."""
    if not can.results:
        return Seen(judged=0, unit="tool result", enough=False, why="there is no tool result")
    rest = can.results - can.results_known
    if can.results_shortened:
        why = f"{can.results_shortened} show by themselves that something cut them"
    elif not can.results_known:
        why = f"of {rest} only what was delivered is known: record what the tools produce"
    else:
        more = f"; of {rest} more only what was delivered is known" if rest else ""
        why = f"each was held against what the tool produced{more}"
    return Seen(
        judged=can.results_known + can.results_shortened,
        unit="tool result",
        enough=can.results_known > 0,
        why=why,
        shown=can.results_shortened,
    )


def output_cut(can: Observable, found: Counter[str]) -> Seen:
    """Say whether a cut output would have shown."""
    why = "each says why it ended" if can.replies else "no reply says why it ended (finish_reason)"
    return Seen(judged=can.replies, unit="answer", enough=can.replies > 0, why=why)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """How one failure is judged: what would show it, the checks that do, the defence."""

    seen: Callable[[Observable, Counter[str]], Seen]
    checks: frozenset[str]
    defence: str


# What says that a history is not what it was, but not by whom or how.
CHANGED = ("message-lost", "task-lost", "prefix-broken", "system-shortened")
ROWS: Mapping[Failure, Row] = {
    "history-trimmed": Row(
        seen=trimmed,
        checks=frozenset(
            {*CHANGED, "orphan-call", "orphan-result", "effective-window", "served-short"}
        ),
        defence="switch trimming off, or protect the messages that hold data",
    ),
    "history-summarised": Row(
        seen=summarised,
        checks=frozenset(
            {
                "compacted-with-room",
                "constraint-lost",
                "context-edited",
                "finished-step-repeated",
                "instruction-lost",
                "plan-loop",
                "summariser-starved",
            }
        ),
        defence="forbid it where details matter; protect rules and numbers",
    ),
    "result-cut": Row(
        seen=result_cut,
        checks=frozenset(
            {
                "count-contradicted",
                "cut-no-way-back",
                "cut-to-empty",
                "cut-upstream",
                "cut-with-room",
                "field-asymmetry",
                "field-never-arrives",
                "invalid-syntax",
                "silent-cut",
            }
        ),
        defence="cut by records, or read in chunks",
    ),
    "output-cut": Row(
        seen=output_cut,
        checks=frozenset({"output-cut", "output-cut-empty", "stream-incomplete"}),
        defence="look at finish_reason of every reply",
    ),
}


def checklist(can: Observable, findings: Sequence[Finding]) -> list[Item]:
    """Return the four failures in their order, from what could be seen and what was found.

    A note is no failure. A finding fails its item however little could be judged; without one, an
    item passes only where the failure would have shown.
    """
    found = Counter(one.check for one in findings if one.severity != "note")
    return [item(failure, row, can, found) for failure, row in ROWS.items()]


def item(failure: Failure, row: Row, can: Observable, found: Counter[str]) -> Item:
    """Judge one failure."""
    seen = row.seen(can, found)
    named = {check: found[check] for check in sorted(row.checks) if found[check]}
    failed = bool(named) or seen.shown > 0
    return Item(
        failure=failure,
        status="fail" if failed else "pass" if seen.enough else "not observable",
        judged=seen.judged,
        unit=seen.unit,
        found=named,
        why=seen.why if seen.shown or not named else said(named),
        defence=row.defence,
    )


def said(found: Mapping[str, int]) -> str:
    """Return the checks that failed an item, with their numbers."""
    return ", ".join(f"{check} x {count}" for check, count in found.items())

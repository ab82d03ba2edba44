"""`seen-before`: lines of a log that an earlier result already showed; what differs stays."""

import re
from collections.abc import Iterator, Sequence

from ullage.cutter.signals import SUMMARY, signal
from ullage.history.piece import Piece
from ullage.history.rules.failing import alarms
from ullage.history.rules.files import is_read
from ullage.history.rules.lines import has_lines, without
from ullage.history.rules.placeholder import rules_on
from ullage.history.rules.results import Result, results_of
from ullage.history.rules.rule import Guard, Proposal
from ullage.transcript.counted import many

NAME = "seen-before"
FEWEST = 10
SHARE = 0.5
"""From this share of known lines on it is the same log once more."""
LONGEST = 1_000
TRACED = 12
"""So many lines round an alarm may be its stack."""

# What differs from run to run and says nothing: times, durations, addresses, process ids, steps.
VARIES = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"
    r"|\d{1,2}:\d\d:\d\d(?:[.,]\d+)?"
    r"|\b\d+(?:\.\d+)?\s?(?:ms|s|sec|seconds|secs|m|min|minutes)\b|\b0x[0-9a-fA-F]+\b"
    r"|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    r"|\[\s*\d+(?:/\d+)?\]|\[\s*\d{1,3}%\]"
)


def seen_before(pieces: Sequence[Piece], guard: Guard) -> Iterator[Proposal]:
    """Propose logs without the lines that an earlier result already showed, but for their times."""
    may = {one.index for one in results_of(pieces, guard)}
    shown: dict[str, Result] = {}
    for one in results_of(pieces):
        if not has_lines(one) or is_read(one):
            continue
        lines = one.text.split("\n")
        keys = [VARIES.sub("#", line.strip()) if len(line) <= LONGEST else "" for line in lines]
        if one.index in may and len(lines) >= FEWEST:
            yield from again(one, lines, keys, shown)
        if NAME not in rules_on(pieces[one.index].message.text):
            for key in keys:
                shown.setdefault(key, one)


def again(
    one: Result, lines: Sequence[str], keys: Sequence[str], shown: dict[str, Result]
) -> Iterator[Proposal]:
    """Propose one log without what is known of it, where that is most of it."""
    known = [at for at, key in enumerate(keys) if key in shown]
    if len(known) < FEWEST or len(known) < SHARE * len(lines):
        return
    kept = telling(lines)
    taken = {at for at in known if at not in kept}
    if len(taken) < FEWEST:
        return
    first = shown[keys[min(taken)]]
    gone = f"as the earlier result of {first.named} showed them, but for times"
    share = len(known) / len(lines)
    why = f"{len(known)} of {many(len(lines), 'line')} ({share:.0%}) were seen before"
    yield without(one, lines, taken, gone, NAME, why)


def telling(lines: Sequence[str]) -> set[int]:
    """Return the lines that stay, known or not: alarms with what may be their stack, the ending."""
    kept = {at for at, loud in enumerate(alarms(lines)) if loud}
    stacks = {
        near
        for at in kept
        for near in range(max(at - TRACED, 0), min(at + TRACED + 1, len(lines)))
        if near not in kept and lines[near][:1].isspace()
    }
    last = {
        at
        for at in range(max(len(lines) - TRACED, 0), len(lines))
        if signal(lines[at], near_end=True) >= SUMMARY
    }
    return kept | stacks | last

"""`seen-before`: lines of a log that an earlier result already showed; what differs stays."""

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ullage.cutter.signals import SUMMARY, signal
from ullage.history.piece import Piece
from ullage.history.rules.commands import can_be_had_again
from ullage.history.rules.failing import alarms
from ullage.history.rules.files import touched
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
NUMBERED = re.compile(r"\s*\d{1,7}(?:[\t|│→]|:(?!\d))")
"""Lines of a file, as tools show it."""
REMEMBERED = 4
"""So many earlier logs of a program are compared with."""
WORDS = 2
"""`npm test` and `npm install` are two programs."""
IN_FOLDER = re.compile(r"^(?:cd \S{1,400} ?(?:&&|;) ?)?")
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
    """Propose logs without the lines that one earlier log of the same command already showed."""
    may = {one.index for one in results_of(pieces, guard)}
    shown: defaultdict[str, deque[Shown]] = defaultdict(lambda: deque(maxlen=REMEMBERED))
    for one in results_of(pieces):
        program = program_of(one)
        # Files and listings are for other rules, which do not count on an older one to stay.
        if program is None or not has_lines(one) or touched(one) or can_be_had_again(one):
            continue
        lines = one.text.split("\n")
        if sum(NUMBERED.match(line) is not None for line in lines) > SHARE * len(lines):
            continue
        keys = [VARIES.sub("#", line.strip()) if len(line) <= LONGEST else "" for line in lines]
        earlier = [log for log in shown[program] if one.index in may]
        proposal = again(one, lines, keys, earlier)
        if proposal is not None:
            yield proposal
        elif NAME not in rules_on(pieces[one.index].message.text):
            shown[program].append(Shown(one=one, keys=frozenset(keys) - {""}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """An earlier log that stands whole, and its lines without what varies."""

    one: Result
    keys: frozenset[str]


def program_of(one: Result) -> str | None:
    """Return what logs of one program share: of a command its first words, else the whole call."""
    if one.command is None:
        return one.key
    words = IN_FOLDER.sub("", one.command.strip()).split(maxsplit=WORDS)
    return f"{one.tool} {' '.join(words[:WORDS])}"


def again(
    one: Result, lines: Sequence[str], keys: Sequence[str], earlier: Sequence[Shown]
) -> Proposal | None:
    """Propose one log without what the most alike earlier one showed, where that is most of it."""
    counts = [sum(key in log.keys for key in keys) for log in earlier]
    most = max(counts, default=0)
    said = sum(bool(key) for key in keys)
    if most < FEWEST or most < SHARE * said:
        return None
    log = earlier[counts.index(most)]
    kept = telling(lines)
    taken = {at for at, key in enumerate(keys) if key in log.keys and at not in kept}
    if len(taken) < FEWEST:
        return None
    gone = f"as the earlier result of {log.one.named} showed them, but for times"
    why = f"{most} of {many(said, 'line')} ({most / said:.0%}) were seen before"
    return without(one, lines, taken, gone, NAME, why)


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

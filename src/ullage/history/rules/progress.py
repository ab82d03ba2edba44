"""`progress`: percentages, bars, spinners and redraws; the last state of each stays."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ullage.cutter import spans
from ullage.cutter.clean import SPECIAL, clean
from ullage.history.piece import Piece
from ullage.history.rules.failing import alarms
from ullage.history.rules.files import is_read
from ullage.history.rules.lines import FEWEST, has_lines, without
from ullage.history.rules.results import LEAST, results_of
from ullage.history.rules.rule import Guard, Proposal
from ullage.transcript.counted import many

NAME = "progress"
FEWEST_STATES = 3
"""Of one thing that moves on; fewer may be figures of their own."""
LONGEST = 400
"""A line that shows progress is short."""
RISING = 0.9

BAR = re.compile(
    r"[━╸╺█▓▒░▉▊▋▌▍▎▏]{3,}|\[[=#>\-.*| ]{4,}\]|\|[█▉▊▋▌▍▎▏#\- ]{4,}\||\.{8,}|(?:\.{5,} ){2,}"
)
PERCENT = re.compile(r"(?<![\d.])(?P<percent>100|\d{1,2})(?:\.\d+)?\s?%")
AMOUNT = r"\d[\d.,]*\s?(?:[kKMGT]i?)?B?"
RATIO = re.compile(rf"(?<![\w/]){AMOUNT}\s?/\s?{AMOUNT}(?![\w/])")
RATE = re.compile(r"\b[kKMGT]?i?B/s\b|\bit/s\b|\bs/it\b|\beta\b", re.IGNORECASE)
NAMED = re.compile(
    r"[\u2800-\u28ff◐◓◑◒◴◷◶◵] ?\S"  # a spinner, as npm and many others draw it
    r"|[0-9a-f]{12}: (?:Pulling fs layer|Waiting|Downloading|Extracting|Verifying Checksum"
    r"|Download complete|Pull complete|Already exists|Preparing|Pushing|Layer already exists)"
    r"|#\d+ (?:sha256:[0-9a-f]+|extracting sha256:|transferring )"
    r"|[\d.kMG\s]+(?:-?-?:?--:--|\d:\d\d:\d\d)[\s\d:.\-]+[kMG]?\s*$"  # the table of curl
)
VARIES = re.compile(
    r"[━╸╺█▓▒░▉▊▋▌▍▎▏]+|\[[=#>\-.*| ]{4,}\]|[0-9a-f]{12,}|\d[\d.,]*\s?(?:[kKMGT]i?B?(?:/s)?\b)?|\s+"
    r"|[\u2800-\u28ff]"
)


def progress(pieces: Sequence[Piece], guard: Guard) -> Iterator[Proposal]:
    """Propose results without the lines that only show how far something is."""
    for one in results_of(pieces, guard):
        drawn = len(one.text) >= LEAST and SPECIAL.search(one.text) is not None
        if is_read(one) or spans.is_json(one.text) or not (drawn or has_lines(one)):
            continue
        cleaned = clean(one.text) if drawn else None
        lines = (cleaned.text if cleaned else one.text).split("\n")
        taken = passing(lines)
        redrawn = cleaned is not None and any("folded" in clause for clause in cleaned.also)
        if len(taken) < FEWEST and not redrawn:
            continue
        also = f", {', '.join(cleaned.also)}" if cleaned and redrawn else ""
        gone = f"progress that later states go beyond{also}"
        why = f"{len(taken)} of {many(len(lines), 'line')} show progress{also}"
        yield without(one, lines, taken, gone, NAME, why)


def passing(lines: Sequence[str]) -> set[int]:
    """Return the lines of progress that a later one of the same kind goes beyond."""
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for at, line in enumerate(lines):
        if len(line) <= LONGEST and (kind := kind_of(line)) is not None:
            groups[kind].append(at)
    if not groups:
        return set()
    alarmed = alarms(lines)
    return {
        at
        for kind, places in groups.items()
        if len(places) >= FEWEST_STATES and (kind.startswith("!") or rises(lines, places))
        for at in places[:-1]
        if not alarmed[at]
    }


def kind_of(line: str) -> str | None:
    """Return what lines of one progress share, None for another line; `!` where it is no doubt."""
    stripped = line.strip()
    if not stripped:
        return None
    if NAMED.match(stripped):
        return "!" + VARIES.sub("#", stripped)
    bar = BAR.search(stripped) is not None
    percent = PERCENT.search(stripped) is not None
    ratio = RATIO.search(stripped) is not None
    rate = RATE.search(stripped) is not None
    if not percent and not (ratio and (bar or rate)):
        return None
    return ("!" if bar or rate else "?") + VARIES.sub("#", stripped)


def rises(lines: Sequence[str], places: Sequence[int]) -> bool:
    """Whether the percentages only ever rise: else they are figures of different things."""
    found = [PERCENT.search(lines[at]) for at in places]
    percents = [int(one["percent"]) for one in found if one is not None]
    if len(percents) < FEWEST_STATES or percents[0] == percents[-1]:
        return False
    return sum(a <= b for a, b in pairwise(percents)) >= RISING * (len(percents) - 1)

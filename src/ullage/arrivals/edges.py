"""Where a stretch of a message begins and ends: torn remains of the text itself, and a notice."""

import re
from bisect import bisect_left
from dataclasses import replace

from ullage.arrivals.notice import CUT_WORDS
from ullage.arrivals.sighting import AS_GOOD, Sighting, Source, Target, squeezed

EDGE = 40
CLOSERS = "])}"
PIECE = 8
"""A shorter stretch of a text stands in another one by chance."""
NOTICE_REACH = 400
"""A notice behind or before what was kept is looked for this far."""

BREAKS = ("\n\n", "\n")
TORN_WORD_START = re.compile(r"\A\w+")
TORN_WORD_END = re.compile(r"\w+\Z")


def widened(one: Sighting, source: Source, target: Target, low: int, high: int) -> Sighting:
    """Widen a stretch to all that belongs to its produced text, between `low` and `high`.

    A verbatim copy gets the space around it that was produced too. A cut one gets the torn token
    or record at its edge, then the notice that stands behind or before it: not always where the
    loss is (a terminal's tail is kept, and said so behind it).
    """
    if one.certainty == "exact":
        return with_space(one, source, target, low, high)
    text = target.text
    kept = text[one.start : one.end]
    start, end = one.start, one.end
    lost_end = not kept.endswith(source.bare[-EDGE:])
    lost_start = not kept.startswith(source.bare[:EDGE])
    if lost_end:
        end = torn_end(text, end, high, source)
    if lost_start:
        start = torn_start(text, low, start, source)
    if lost_end or lost_start or end - start < AS_GOOD * len(source.bare):
        end = notice_end(text, end, high)
        start = notice_start(text, low, start)
    return replace(one, start=start, end=end)


def with_space(one: Sighting, source: Source, target: Target, low: int, high: int) -> Sighting:
    """Return the stretch of the whole produced text, if it stands there with its outer space."""
    at = one.start - (len(source.text) - len(source.text.lstrip()))
    end = at + len(source.text)
    if low <= at and end <= high and target.text.startswith(source.text, at):
        return replace(one, start=at, end=end)
    return one


def torn_end(text: str, end: int, high: int, source: Source) -> int:
    """Return where the torn remains behind a stretch end: at `high`, or with paragraph or line."""
    breaks = (text.find(mark, end, high) for mark in BREAKS)
    for stop in (high, *breaks):
        if stop > end and is_own(text[end:stop], TORN_WORD_END, source):
            return stop
    return end


def torn_start(text: str, low: int, start: int, source: Source) -> int:
    """Return where the torn remains before a stretch start: at `low`, or with paragraph or line."""
    found = [(text.rfind(mark, low, start), len(mark)) for mark in BREAKS]
    for begin in (low, *(at + length for at, length in found if at >= 0)):
        if begin < start and is_own(text[begin:start], TORN_WORD_START, source):
            return begin
    return start


def is_own(gap: str, torn_word: re.Pattern[str], source: Source) -> bool:
    """Whether a gap holds nothing but the produced text, spelling and a torn last word aside."""
    own = squeezed(gap)
    return (
        own in source.squeezed
        or squeezed(torn_word.sub("", gap)) in source.squeezed
        or (len(own) <= NOTICE_REACH and is_pieced(own, source.squeezed))
    )


def is_pieced(own: str, text: str) -> bool:
    """Whether a text is put together of stretches of another, none but the last one short.

    Records that stood apart stand together where those between them were left out, and closing
    brackets behind others than before.
    """
    at = 0
    while at < len(own):
        # Each beginning of a stretch that stands there stands there, too.
        longest = bisect_left(
            range(at + 1, len(own) + 1), 1, key=lambda end: own[at:end] not in text
        )
        if longest < PIECE and own[at + longest :].strip(CLOSERS):
            return False
        at += longest
        if longest == 0:
            return False
    return True


def notice_end(text: str, end: int, high: int) -> int:
    """Return the end of the last line behind a stretch that says something was cut."""
    stop = min(high, end + NOTICE_REACH)
    found = end
    position = end
    while position < stop:
        line_end = text.find("\n", position, stop)
        line_end = stop if line_end < 0 else line_end
        if CUT_WORDS.search(text, position, line_end):
            found = line_end
        position = line_end + 1
    return found


def notice_start(text: str, low: int, start: int) -> int:
    """Return the start of the first line before a stretch that says something was cut."""
    stop = max(low, start - NOTICE_REACH)
    found = start
    position = start
    while position > stop:
        line_start = text.rfind("\n", stop, position) + 1 or stop
        if CUT_WORDS.search(text, line_start, position):
            found = line_start
        position = line_start - 1
    return found

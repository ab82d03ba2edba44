"""A limit in anything but characters, met by cuts in characters.

What a text costs in tokens, or how long it is once it is written inside another text, is known only
of the finished text. So a text is cut to a number of characters, measured, and cut again with what
was learned; the last measure is of the text that is delivered. Only delivered texts and a sample of
the source are ever measured, so the cost follows the limit and not the source.
"""

from collections.abc import Callable

from ullage.cutter.values import Cut

Measure = Callable[[str], int]
CutChars = Callable[[int], Cut]

# The sample is this many characters a unit of the limit.
SAMPLE = 2
# Close enough: another cut would win less than one record of most results.
USED_WELL = 0.97
ATTEMPTS = 3
SAFETY = 0.98
MOST_GROWTH = 4


def cut_measured(
    source: str,
    limit: int,
    measure: Measure,
    cut_chars: CutChars,
    *,
    attempts: int = ATTEMPTS,
) -> Cut:
    """Cut a source that does not fit, so that the text's `measure` is within `limit`.

    `cut_chars(n)` cuts the source to n characters; the measure of an empty text is 0.
    """
    sample = source[: limit * SAMPLE]
    room = min(int(limit * len(sample) / max(measure(sample), 1)), len(source) - 1)
    within: list[Cut] = []
    made = 0
    while not within or made < attempts:
        made += 1
        attempt = cut_chars(max(room, 1))
        used = measure(attempt.text)
        if used <= limit:
            within.append(attempt)
            if used >= USED_WELL * limit or room >= len(source) - 1:
                break
        room = next_room(room, used, limit, len(source))
    return max(within, key=lambda one: len(one.text))


def next_room(room: int, used: int, limit: int, longest: int) -> int:
    """Return how many characters to try next, from what the text cut to `room` used.

    A text may be shorter than its room (a run that is folded): what counts is what a larger room
    may bring, not what is delivered now.
    """
    wanted = room * SAFETY * limit / max(used, 1)
    if used > limit:
        return min(int(wanted), room - 1)
    return min(max(int(min(wanted, room * MOST_GROWTH)), room + 1), longest - 1)

"""The events of a compaction in words, for a log and a terminal."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from ullage.history.compacted import ACTING
from ullage.history.event import Event
from ullage.transcript.counted import many


def told(events: Sequence[Event]) -> Iterator[str]:
    """Yield a line for each step; steps of one kind that follow one another share it."""
    for _, group in groupby(events, key=lambda one: (one.action, one.rule)):
        each = list(group)
        first, last = each[0], each[-1]
        if first.action not in ACTING:
            yield from (f"{one.action}: {one.what}: {one.why}" for one in each)
            continue
        rule = f" by {first.rule}" if first.rule else ""
        messages = sorted({place for one in each for place in one.messages})
        where = f", {many(len(messages), 'message')} ({spans(messages)})" if messages else ""
        what = first.what if len(each) == 1 else f"{len(each)} times"
        whys = list(dict.fromkeys(one.why for one in each))
        more = f", and {len(whys) - 1} more" if len(whys) > 1 else ""
        yield (
            f"{first.action}{rule}: {what}{where}: {first.tokens_before} to {last.tokens_after} "
            f"tokens; {whys[0]}{more}"
        )


def acted(events: Sequence[Event]) -> Iterator[str]:
    """Yield the lines of the steps that changed the history, or tried to and failed."""
    return told([one for one in events if one.action != "nothing"])


def spans(numbers: Sequence[int]) -> str:
    """Return sorted numbers as ranges: 3-7, 9."""
    found: list[list[int]] = []
    for one in numbers:
        if found and one == found[-1][1] + 1:
            found[-1][1] = one
        else:
            found.append([one, one])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in found)

"""A budget in tokens, met by budgets in characters.

What a text costs in tokens is known only of the finished text: joined pieces merge better than
apart. So the text is cut to a number of characters, counted, and cut again with what was learned;
the last count is of the text that is delivered. Only delivered texts and a sample of the source are
ever counted, so the cost follows the budget and not the source.
"""

from collections.abc import Callable
from dataclasses import replace

from ullage.cutter.budget import Budget
from ullage.cutter.values import Cut

Count = Callable[[str], int]
CutChars = Callable[[Budget], Cut]

# Tokens are never more than bytes, and rarely fewer than one in this many characters: a source
# longer than that does not fit, and need not be counted to know it.
MOST_CHARS_A_TOKEN = 12
SAMPLE_CHARS_A_TOKEN = 2
# Close enough: another cut would win less than one record of most results.
USED_WELL = 0.97
ATTEMPTS = 3
SAFETY = 0.98


def cut_to_tokens(source: str, budget: Budget, count: Count, cut_chars: CutChars) -> Cut:
    """Cut `source` so that `count` of the delivered text is within `budget`."""
    limit = budget.limit
    if fits(source, limit, count):
        return stated_in_tokens(cut_chars(chars_of(budget, max(len(source), 1))), budget)
    sample = source[: limit * SAMPLE_CHARS_A_TOKEN]
    room = min(int(limit * len(sample) / max(count(sample), 1)), len(source) - 1)
    within: list[Cut] = []
    attempts = 0
    while not within or attempts < ATTEMPTS:
        attempts += 1
        attempt = cut_chars(chars_of(budget, max(room, 1)))
        used = count(attempt.text)
        if used <= limit:
            within.append(attempt)
            if used >= USED_WELL * limit or room >= len(source) - 1:
                break
        room = next_room(room, len(attempt.text), used, limit, len(source))
    return stated_in_tokens(max(within, key=lambda one: len(one.text)), budget)


def next_room(room: int, chars: int, used: int, limit: int, longest: int) -> int:
    """Return how many characters to try next, from what the last text of `chars` used."""
    if used > limit:
        return min(int(room * SAFETY * limit / used), room - 1)
    return min(max(int(chars * SAFETY * limit / max(used, 1)), room), longest - 1)


def fits(source: str, limit: int, count: Count) -> bool:
    """Whether all of a text is within the limit, without counting one that cannot be."""
    if len(source) * 4 <= limit:  # no character is more than four bytes
        return True
    return len(source) <= limit * MOST_CHARS_A_TOKEN and count(source) <= limit


def chars_of(budget: Budget, limit: int) -> Budget:
    """Return a budget in characters that is stated as the one in tokens."""
    return Budget(limit=limit, stated=budget.words)


def stated_in_tokens(done: Cut, budget: Budget) -> Cut:
    """Return a cut whose account names the budget that the caller gave."""
    return replace(done, account=replace(done.account, budget=budget))

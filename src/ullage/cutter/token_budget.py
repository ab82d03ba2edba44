"""A budget in tokens."""

from collections.abc import Callable
from dataclasses import replace

from ullage.cutter.budget import Budget
from ullage.cutter.measured import Measure, cut_measured
from ullage.cutter.values import Cut

# Tokens are rarely fewer than one in this many characters: a source longer than that does not fit,
# and need not be counted to know it.
MOST_CHARS_A_TOKEN = 12


def cut_to_tokens(
    source: str, budget: Budget, count: Measure, cut_chars: Callable[[Budget], Cut]
) -> Cut:
    """Cut `source` so that `count` of the delivered text is within `budget`."""

    def within(limit: int) -> Cut:
        return cut_chars(Budget(limit=limit, stated=budget.words))

    if fits(source, budget.limit, count):
        done = within(max(len(source), 1))
    else:
        done = cut_measured(source, budget.limit, count, within)
    return replace(done, account=replace(done.account, budget=budget))


def fits(source: str, limit: int, count: Measure) -> bool:
    """Whether all of a text is within the limit, without counting one that cannot be."""
    if len(source) * 4 <= limit:  # no token is less than a byte, no character more than four
        return True
    return len(source) <= limit * MOST_CHARS_A_TOKEN and count(source) <= limit

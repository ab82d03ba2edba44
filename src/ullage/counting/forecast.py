"""How a conversation's prompt grows from turn to turn, and when it no longer fits."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """Tokens that a turn adds: the median of the differences, the least and the most."""

    median: float
    low: int
    high: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """The prompt of each turn so far, and the turn (from 1) at which prompt and reserve pass.

    `growth` is None with fewer than two turns. `passed_at` is None where the window is unknown, the
    prompt does not grow, or there is no growth to go by; `soonest` is the same at the most growth.
    """

    turns: tuple[int, ...]
    growth: Growth | None
    window: int | None
    reserve: int
    passed_at: int | None
    soonest: int | None

    def to_dict(self) -> dict[str, object]:
        """Return the member `forecast` of `ullage.count/1`."""
        growth = self.growth
        return {
            "turns": list(self.turns),
            "growth": growth and {"median": growth.median, "low": growth.low, "high": growth.high},
            "window": self.window,
            "reserve": self.reserve,
            "passed_at": self.passed_at,
            "soonest": self.soonest,
        }


def forecast(turns: Sequence[int], window: int | None, *, reserve: int = 0) -> Forecast:
    """Say at which turn `turns`, growing as they did, pass a window with `reserve` kept free."""
    steps = [after - before for before, after in pairwise(turns)]
    growth = None
    if steps:
        growth = Growth(median=statistics.median(steps), low=min(steps), high=max(steps))
    room = None if window is None else window - reserve
    return Forecast(
        turns=tuple(turns),
        growth=growth,
        window=window,
        reserve=reserve,
        passed_at=passing(turns, room, growth.median if growth else 0),
        soonest=passing(turns, room, growth.high if growth else 0),
    )


def passing(turns: Sequence[int], room: int | None, step: float) -> int | None:
    """Return the first turn, past or to come, whose prompt is larger than the room."""
    if room is None or not turns:
        return None
    for number, tokens in enumerate(turns, start=1):
        if tokens > room:
            return number
    if step <= 0:
        return None
    return len(turns) + math.floor((room - turns[-1]) / step) + 1

"""How a case is timed: on texts that no call has seen, with its floors beside every round."""

import gc
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

LONG = 100_000


def same(text: Any) -> Any:
    """Return what is given."""
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """What a case is divided by: a call that is timed just before each round of the case.

    `prepare` makes its argument and is not timed; `times` is how often it runs in a round, where
    one call is too short for the clock.
    """

    name: str
    call: Callable[[Any], object]
    prepare: Callable[[str], Any] = same
    times: int = 1


ORJSON = Floor(name="orjson.loads", call=orjson.loads)


def memcpy(size: int) -> Floor:
    """Return one copy of the bytes of a text of about `size`: the least that anything can cost."""
    times = max(1, 1_000_000 // size)
    return Floor(
        name="memcpy", call=bytes, prepare=lambda text: bytearray(text.encode()), times=times
    )


@dataclass(slots=True, kw_only=True)
class Beside:
    """The times of the floors, round by round.

    The speed of a shared machine changes within seconds, so a ratio is formed in each round and
    the median of these is told, not the ratio of two medians taken apart.
    """

    floors: Sequence[Floor]
    clock: Callable[[], float] = time.process_time
    times: dict[str, list[float]] = field(default_factory=dict)

    def run(self, texts: Iterator[str]) -> None:
        """Time every floor once, each on a text of its own."""
        for floor in self.floors:
            argument = floor.prepare(tidied(next(texts)))
            start = self.clock()
            for _ in range(floor.times):
                floor.call(argument)
            spent = (self.clock() - start) / floor.times
            self.times.setdefault(floor.name, []).append(spent)

    def told(self, rounds: Sequence[float]) -> dict[str, dict[str, float]]:
        """Return each floor's median and how many times that the case took."""
        found = {}
        for name, times in self.times.items():
            late = times[-len(rounds) :]  # the first belong to the warm-up
            shares = [ours / floor for ours, floor in zip(rounds, late, strict=True)]
            found[name] = {"median": statistics.median(late), "ratio": statistics.median(shares)}
        return found


def time_case(
    benchmark: Any,
    call: Callable[[str], object],
    texts: Iterator[str],
    *,
    group: str,
    case: str,
    rounds: int,
    floors: Sequence[Floor] = (),
    clock: Callable[[], float] = time.process_time,
) -> None:
    """Time `call` once on each of `rounds` texts, the floors beside it, by the same clock."""
    beside = Beside(floors=floors, clock=clock)

    def setup() -> tuple[tuple[str], dict[str, object]]:
        beside.run(texts)
        return (tidied(next(texts)),), {}

    warm = 2 if rounds > 3 else 0
    benchmark.group = group
    gc.freeze()  # what the tests hold is not the collector's concern
    benchmark.pedantic(call, setup=setup, rounds=rounds, iterations=1, warmup_rounds=warm)
    gc.unfreeze()
    told = beside.told(benchmark.stats.stats.data)
    benchmark.extra_info.update(case=case, beside=told)


def tidied(text: str) -> str:
    """Return a text; before a call on a long one, let the collector start from the same state.

    It stays on in the call. Short texts do not wake it, and collecting would only empty caches.
    """
    if len(text) > LONG:
        gc.collect()
    return text


def rounds_for(size: int) -> int:
    """Return how often a case is timed."""
    return max(3, min(300, 40_000_000 // size))

"""The cut to a budget in tokens: what it counts, and how that grows with the text."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import pytest
from benchmarks.documents import SIZES, fresh, one_list
from benchmarks.timing import ORJSON, time_case

from ullage import chars, cut, tokens
from ullage.counting.count import count, counter
from ullage.cutter import cut as cutter

BUDGET = 1_500
ROUNDS = {"33 KB": 100, "1 MB": 30}


@dataclass(slots=True, kw_only=True)
class Watched:
    """A counter that adds up the time it takes and remembers what it is given."""

    count: Callable[[str], int]
    seconds: float = 0.0
    texts: list[str] = field(default_factory=list)

    def __call__(self, text: str) -> int:
        """Count a text."""
        start = time.perf_counter()
        found = self.count(text)
        self.seconds += time.perf_counter() - start
        self.texts.append(text)
        return found


@pytest.mark.parametrize("size", ROUNDS)
def test_cut_to_tokens(benchmark: Any, monkeypatch: pytest.MonkeyPatch, size: str) -> None:
    """The public call, and apart from it the time that the tokenizer takes of it."""
    text = one_list(SIZES[size])
    done = cut(text, tokens(BUDGET))
    assert count(done.text).tokens <= BUDGET
    time_case(
        benchmark,
        lambda one: cut(one, tokens(BUDGET)),
        fresh(text),
        group=f"cut to {BUDGET:,} tokens: {size} list",
        case="cut",
        rounds=ROUNDS[size],
        floors=(ORJSON,),
    )
    spent: list[float] = []
    alone: list[float] = []
    shares: list[float] = []
    for one in islice(fresh(text), ROUNDS[size]):
        watched = Watched(count=counter())
        monkeypatch.setattr(cutter, "counter", lambda model, watched=watched: watched)
        delivered = cut(one, tokens(BUDGET)).text
        spent.append(watched.seconds)
        shares.append(sum(map(len, watched.texts)) / len(delivered))
        start = time.perf_counter()
        for counted in watched.texts:
            watched.count(counted)
        alone.append(time.perf_counter() - start)
    milliseconds = statistics.median(spent) * 1e3
    share = statistics.median(shares)
    benchmark.extra_info.update(
        counting_ms=milliseconds,
        alone_ms=statistics.median(alone) * 1e3,
        counted=share * len(done.text),
    )
    benchmark.extra_info["note"] = (
        f"of it {milliseconds:.2f} ms counting, {share:.1f} x the delivered text"
    )


@pytest.mark.parametrize("size", ROUNDS)
def test_cut_to_characters(benchmark: Any, size: str) -> None:
    """The same in characters, four a token."""
    time_case(
        benchmark,
        lambda one: cut(one, chars(4 * BUDGET)),
        fresh(one_list(SIZES[size])),
        group=f"cut to {BUDGET:,} tokens: {size} list",
        case=f"cut to {4 * BUDGET:,} characters",
        rounds=ROUNDS[size],
        floors=(ORJSON,),
    )


@pytest.mark.parametrize("size", ROUNDS)
def test_count(benchmark: Any, size: str) -> None:
    """Counting all of the text, which the cut does not do."""
    time_case(
        benchmark,
        lambda one: count(one),
        fresh(one_list(SIZES[size])),
        group=f"cut to {BUDGET:,} tokens: {size} list",
        case="count all of it",
        rounds=ROUNDS[size],
        floors=(ORJSON,),
    )

"""The cut of text that is not one JSON document, beside splitting the same text into lines."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from benchmarks.peers.inputs import PINNED, inputs
from benchmarks.timing import Floor, memcpy, time_case

from ullage import chars, cut

BUDGET = 6_000
ROUNDS = 30
LINES = Floor(name="lines", call=lambda text: text.split("\n"))
TEXTS = {one.name: one.text for one in inputs(PINNED)}
# One word of each input, changed for every call.
WORDS = {
    "2_orders.ndjson": '"currency": "EUR"',
    "3_build.log": "mod0/",
    "4_deep.json": '"v1"',
    "5_table.md": "# Inventory",
}


def fresh(name: str) -> Iterator[str]:
    """Yield an input again and again, each time one that no cache can know."""
    word = WORDS[name]
    changed = (word[:-1] + f"{number}" + word[-1] for number in count(1))
    return (TEXTS[name].replace(word, one, 1) for one in changed)


@pytest.mark.parametrize("name", WORDS)
def test_cut(benchmark: Any, name: str) -> None:
    """The public call, at its defaults."""
    done = cut(TEXTS[name], chars(BUDGET))
    assert len(done.text) <= BUDGET
    time_case(
        benchmark,
        lambda text: cut(text, chars(BUDGET)),
        fresh(name),
        group=f"cut of {name}, {len(TEXTS[name]):,} characters",
        case=f"cut, as {done.account.format}",
        rounds=ROUNDS,
        floors=(memcpy(len(TEXTS[name])), LINES),
    )

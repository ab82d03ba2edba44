"""Many listings of 33,370 characters, each unlike all others: 11,189 of them, or a million.

A million are 33 GB as lines. In a real ledger they are some 5 GB, for a ledger compresses each
result by itself; no result stands for another, and none is made while it is replayed. Each depends
on the seed and its number alone, so writing goes on where it was stopped.
"""

from collections.abc import Iterator
from random import Random

from benchmarks.replay.listing import listing
from benchmarks.replay.machine import made_machine
from benchmarks.replay.recording import Result

FIELD_RESULTS = 11_189
"""So many results the source paper's field data hold."""
MILLION = 1_000_000
EACH_SESSION = 24


def listings(count: int, seed: int, first: int = 0) -> Iterator[Result]:
    """Yield the results from number `first` to before number `count`."""
    for number in range(first, count):
        session = number // EACH_SESSION
        yield Result(
            session=f"m{session:06}",
            tool="list_containers",
            call_id=f"call_{number:07}",
            text=listing(made_machine(Random(f"{seed}/{number}"))),
        )

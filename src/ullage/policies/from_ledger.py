"""Results of a ledger: those that tools recorded, and those that only requests show."""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path

from ullage.checks.measure import measure_run
from ullage.ledger.query import RunRange
from ullage.ledger.store import Ledger
from ullage.policies.recorded import Recorded
from ullage.policies.shard import Items, Shard, Skipped, packed

REQUESTS = 64
"""So many runs at most are one shard, where their requests have to be gone through."""


def plan(path: Path, source: int, most: int, *, whole: bool) -> Iterator[Shard]:
    """Split a ledger by ranges of numbers; `whole` never splits a session."""
    with Ledger.read(path) as ledger:
        ranges = ledger.run_ranges()
        asked = ledger.runs_that_asked()
    for first, last, size in bounds(ranges, most, whole=whole):
        crossing = [
            one.run
            for one in ranges
            if one.first <= last and one.last >= first and (one.first < first or one.last > last)
        ]
        yield Shard(
            number=0,
            source=source,
            kind="results",
            paths=(str(path),),
            first=first,
            last=last,
            split=tuple(sorted(crossing)),
            size=size,
        )
    recorded = {one.run for one in ranges}
    for begin, end in packed([1] * len(asked), REQUESTS):
        runs = asked[begin:end]
        yield Shard(
            number=0,
            source=source,
            kind="requests",
            paths=(str(path),),
            runs=tuple(runs),
            counted_elsewhere=tuple(run for run in runs if run in recorded),
        )


def bounds(ranges: Sequence[RunRange], most: int, *, whole: bool) -> Iterator[tuple[int, int, int]]:
    """Yield the first number, the last, and about how many results, of each shard.

    A run that ends behind a border is split there, unless `whole`: then the border moves on.
    """
    left = sorted(ranges, key=lambda one: one.first)
    while left:
        first, last, size = left[0].first, left[0].last, 0
        taken = 0
        for one in left:
            if one.first > last and (size >= most or (size and size + one.results > most)):
                break
            last, size, taken = max(last, one.last), size + one.results, taken + 1
        del left[:taken]
        width = last - first + 1
        step = width if whole or size <= 2 * most else -(-width * most // size)
        for start in range(first, last + 1, step):
            end = min(last, start + step - 1)
            yield start, end, -(-size * (end - start + 1) // width)


def results(shard: Shard) -> Items:
    """Give the recorded results of a range."""
    with Ledger.read(shard.path) as ledger:
        found = ledger.results(after=shard.first - 1)
        for one in takewhile(lambda one: one.number <= shard.last, found):
            if one.keep != "full":
                yield Skipped(why=f"only {one.keep} were kept of it")
                continue
            yield Recorded(
                session=one.run,
                tool=one.tool,
                text=one.text,
                known=True,
                place=f"{shard.path} result {one.number}",
                number=one.number,
                call_id=one.call_id,
            )


def requests(shard: Shard) -> Items:
    """Give the results that stand in requests and that no tool tap recorded."""
    with Ledger.read(shard.path) as ledger:
        for run in shard.runs:
            number = 0
            for session in measure_run(ledger, run).sessions:
                for one in session.results:
                    number += 1
                    if not one.counted or one.measured is not None:
                        continue
                    entry = session.entries[one.entry]
                    yield Recorded(
                        session=run,
                        tool=one.tool,
                        text=one.text,
                        known=False,
                        place=f"{shard.path} run {run!r} exchange {entry.exchange}",
                        number=number,
                        call_id=entry.message.answers,
                    )

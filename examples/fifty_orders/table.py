"""50, 200 and 500 orders, before and after: what the model was given last, and what it answered.

The model is what OPENAI_BASE_URL points at.
"""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from orders import report

from ullage import Coverage, RecordedRun, check_coverage, record_run

SIZES = (50, 200, 500)
WAYS = {
    "a cap of 10 messages": (10, False),
    "a cap of 40 messages": (40, False),
    "a cap of 10, orders behind a tool": (10, True),
}


def measure(run: RecordedRun, buffer_size: int, *, keep: bool) -> tuple[Coverage, list[str]]:
    """Report on orders with ids that nobody can guess, and look for them in the last request."""
    answers: list[str] = []

    def pipeline(records: list[dict[str, object]], *_: object) -> None:
        lines = [f"{one['id']}; {one['customer']}; {one['total']}" for one in records]
        answers.append(asyncio.run(report(lines, buffer_size=buffer_size, keep=keep)))

    found = check_coverage(pipeline, records=SIZES, turns=(0,), tool_calls=(0,), repeats=1, run=run)
    return found, answers


def rows(run: RecordedRun) -> Iterator[str]:
    """Yield the table, a line for each way and size, and what explains the losses of a way."""
    for way, (buffer_size, keep) in WAYS.items():
        found, answers = measure(run, buffer_size, keep=keep)
        yield f"{way}: boundary {found.boundary}" if found.failing else f"{way}: nothing lost"
        for cell, answer in zip(found.cells, answers, strict=True):
            yield f"  {cell.least:>3} of {cell.records:>3} given; {answer}"


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        place = Path(folder) / "table.ledger"
        with record_run(place, upstream=os.environ["OPENAI_BASE_URL"]) as recorded:
            print("\n".join(rows(recorded)))

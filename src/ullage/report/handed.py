"""The findings of runs in tables, for a terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ullage.cutter.excerpt import excerpt
from ullage.history.hand_arrival import FindingYield, HandoffArrival
from ullage.history.handed import Handed
from ullage.history.workers import Worker

WIDEST = 60
LONGEST = 160
NO_FIGURE = "n/a"


def print_handed(console: Console, runs: Sequence[Handed]) -> None:
    """Print each run: its workers, its findings, and what arrived of them."""
    for one in runs:
        console.print(Text(f"run {excerpt(one.run, WIDEST)}", style="bold"))
        console.print(workers_table(one.workers))
        console.print(findings_table(one))
        if one.arrival is not None:
            for line in arrival_lines(one.arrival):
                console.print(Text(line))


def workers_table(workers: Sequence[Worker]) -> Table:
    """Return how each worker ended, and what it did."""
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    for name in ("worker", "stage", "ended"):
        table.add_column(name, overflow="fold")
    for name in ("findings", "computations", "calls", "refetches"):
        table.add_column(name, justify="right")
    for one in workers:
        table.add_row(
            Text(excerpt(one.name, WIDEST)),
            Text(excerpt(one.stage, WIDEST)),
            Text(one.state if one.cause is None else f"{one.state}: {said(one.cause)}"),
            str(one.recorded),
            str(one.work.computations),
            str(one.work.calls),
            str(one.work.refetches),
        )
    return table


def findings_table(run: Handed) -> Table:
    """Return the findings in the order of recording; a long one is shown in part, and says so."""
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    table.add_column("#", justify="right")
    table.add_column("worker", overflow="fold")
    table.add_column("finding", overflow="fold")
    for number, one in enumerate(run.findings, start=1):
        text = said(one.text) if one.keep == "full" else f"({one.chars} characters, not kept)"
        table.add_row(str(number), Text(excerpt(one.worker, WIDEST)), Text(text))
    return table


def arrival_lines(found: HandoffArrival) -> list[str]:
    """Say what arrived, and what the work for it was."""
    total = found.total
    where = "no request of it is there" if found.request is None else f"request {found.request}"
    lines = [
        f"handed on to {excerpt(found.stage, WIDEST)} ({where}): {total.recorded} recorded, "
        f"{total.found} different, {total.carried} carried, {total.arrived} arrived",
        f"finding yield {figure(total.finding_yield)} ({total.arrived} arrived / "
        f"{computations(total)} computations), {total.work.calls} calls of tools, "
        f"{total.work.refetches} refetches",
    ]
    lines += [f"arrived in part: {said(one)}" for one in found.partial]
    return lines + [f"did not arrive: {said(one)}" for one in found.missing]


def computations(total: FindingYield) -> str:
    """Return how many computations are known."""
    return str(total.work.computations) if total.work.computations else NO_FIGURE


def figure(value: float | None) -> str:
    """Return a ratio, n/a where there is none."""
    return NO_FIGURE if value is None else f"{value:.2f}"


def said(text: str) -> str:
    """Return a text on one line, the length of a long one stated."""
    return excerpt(" ".join(text.split()), LONGEST)

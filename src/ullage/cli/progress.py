"""How far long work has come: a line on stderr, on a terminal only.

    with progress("Reading", total) as step:
        for one in files:
            read(one)
            step(one.size, f"{sessions} sessions")

Where stderr is no terminal, or with `quiet`, nothing is written and `step` costs a call. `counted`
wraps an iterable whose items each count as one:

    for entry in counted(entries, "Merging", total=count):
        write(entry)

`unit` is what is counted: "bytes" are written as sizes, anything else as `12 of 40 files`. The line
goes away at the end: what was done is said by the command itself. Ctrl-C comes through as
KeyboardInterrupt with the line gone; `stopped_by_hand` says then what is done, in one sentence, and
`item_by_item` has it come between two items only.
"""

import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

import click

from ullage.report.spelled import printable

if TYPE_CHECKING:
    from rich.console import Console

Unit = Literal["bytes", "cases", "files", "records", "requests", "sessions", "shards"]

OFTEN = 0.1
"""Seconds between two changes of the line."""

T = TypeVar("T")


class Step(Protocol):
    """Says that so much more is done, and how far that has brought it, in words."""

    def __call__(self, more: int = 1, words: str = "") -> None:
        """Take in `more` of the unit."""


@contextmanager
def progress(
    doing: str,
    total: int | None = None,
    *,
    unit: Unit = "bytes",
    quiet: bool = False,
    console: "Console | None" = None,
    timer: Callable[[], float] = time.monotonic,
) -> Iterator[Step]:
    """Show how far `doing` has come; `total` is None where it is not known."""
    if quiet or (console is None and not sys.stderr.isatty()):
        yield nothing
        return
    # Loaded only where it is seen.
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    done, drawn = 0, timer()
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        TextColumn("{task.fields[words]}", markup=False),
        console=console or Console(stderr=True, highlight=False),
        transient=True,
        auto_refresh=False,
        redirect_stdout=False,  # data that is printed meanwhile is no words for people
    )
    with bar:
        task = bar.add_task(doing, total=total, words=reached(0, total, unit))

        def step(more: int = 1, words: str = "") -> None:
            nonlocal done, drawn
            done += more
            if timer() - drawn < OFTEN:  # nobody sees more, and items may be small
                return
            drawn = timer()
            known = [reached(done, total, unit), *([printable(words)] if words else [])]
            bar.update(task, completed=done, words=", ".join(known), refresh=True)

        yield step


def nothing(more: int = 1, words: str = "") -> None:
    """Take no notice."""


def counted(
    items: Iterable[T],
    doing: str,
    *,
    total: int | None = None,
    unit: Unit = "records",
    quiet: bool = False,
) -> Iterator[T]:
    """Give the items, and show how many were taken."""
    with progress(doing, total, unit=unit, quiet=quiet) as step:
        for one in items:
            yield one
            step()


def reached(done: int, total: int | None, unit: Unit) -> str:
    """Return how far it has come, in words."""
    write: Callable[[int], str] = size if unit == "bytes" else str
    noun = "" if unit == "bytes" else f" {unit}"
    return f"{write(done)}{noun}" if total is None else f"{write(done)} of {write(total)}{noun}"


def size(count: int) -> str:
    """Write a number of bytes."""
    amount, names = float(count), ["bytes", "kB", "MB", "GB", "TB"]
    while amount >= 1000 and len(names) > 1:
        amount /= 1000
        names.pop(0)
    return f"{amount:.0f} {names[0]}" if names[0] == "bytes" else f"{amount:.1f} {names[0]}"


@contextmanager
def stopped_by_hand(sentence: Callable[[], str]) -> Iterator[None]:
    """Say on stderr what is done when Ctrl-C ends the work, and let it end."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo(f"ullage: stopped by Ctrl-C: {sentence()}", err=True)
        raise


@contextmanager
def item_by_item() -> Iterator[Callable[[], None]]:
    """Give what is called after each item: there Ctrl-C ends the work, and never inside one.

    A second Ctrl-C ends it at once. Only in the main thread, where signals arrive.
    """
    asked = False

    def ask(number: int, frame: object) -> None:
        nonlocal asked
        asked = True
        signal.signal(number, signal.default_int_handler)

    def between() -> None:
        if asked:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield between
    finally:
        signal.signal(signal.SIGINT, before)

"""`ullage watch`: a ledger while it is being written."""

import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import click
from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from ullage.checks.live import Since, View, Watching
from ullage.cli.keys import Key, Keys
from ullage.cli.options import Output, format_option
from ullage.cli.output import print_document, tables
from ullage.cli.progress import progress
from ullage.errors import LedgerError
from ullage.ledger.store import Ledger
from ullage.report.watch import Screen, frame, members

SLICE = 0.25
"""Seconds of reading after which the screen is drawn again."""


@click.command("watch", short_help="Show a ledger live: requests, window, arrival, findings.")
@click.argument("ledger", type=click.Path(path_type=Path))
@click.option("--run", metavar="TAG", help="One run only.")
@click.option(
    "--since",
    type=click.Choice(get_args(Since)),
    default="now",
    show_default=True,
    help="now: the runs of the last hour, else the newest one, and all that come. all: every run.",
)
@click.option(
    "--interval",
    type=click.FloatRange(min=0.1),
    default=1.0,
    show_default=True,
    metavar="SECONDS",
    help="How often to look for what is new.",
)
@click.option("--once", is_flag=True, help="Print one frame and end.")
@format_option
def command(
    ledger: Path, run: str | None, since: Since, interval: float, once: bool, output: Output
) -> None:
    """Show LEDGER while a proxy or a run writes it: requests, window fill, arrival, findings.

    q or Ctrl-C ends it and leaves the last frame; the arrow keys (or j and k) choose the finding
    whose advice is shown. A ledger that is not there yet is waited for. Nothing is written, and
    nobody who writes has to wait. With --once, with --format json, or where the output is no
    terminal, one frame is printed.

    \b
    Example:
      ullage watch agents.ledger
      ullage watch agents.ledger --run monday --once
      ullage watch agents.ledger --once --format json
    """
    console = Console(highlight=False)
    if once or output == "json" or not console.is_terminal or console.is_dumb_terminal:
        one_frame(ledger, run, since, output)
        return
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends as Ctrl-C does
    if not ledger.exists() and not ledger.absolute().parent.is_dir():
        Ledger.read(ledger)  # says what is wrong: nobody can make it there
    seen = Seen(run=run, since=since, ledger=ledger, timer=time.monotonic)
    try:
        follow(seen, console, Keys(sys.stdin), interval=interval, clock=time.time)
    except KeyboardInterrupt:
        pass  # how it is ended where keys are not read
    finally:
        seen.close()
        console.print(seen.last(console))


def one_frame(place: Path, run: str | None, since: Since, output: Output) -> None:
    """Print what is there now."""
    with Ledger.read(place) as ledger:
        if run is not None and run not in ledger.runs():
            raise LedgerError(f"{place} has no run {run!r}: look at ullage ledger stats")
        watching = Watching(ledger, run=run, since=since, timer=time.monotonic)
        view = read(watching, time.time(), time.monotonic)
    if output == "json":
        print_document("ullage.watch/1", members(view))
        return
    console = tables()
    console.print(frame(view, Screen(width=console.width)))


def read(watching: Watching, now: float, timer: Callable[[], float]) -> View:
    """Read all that is there, and show how far it has come where that takes long."""
    view = watching.look(now, after(SLICE, timer))
    if not view.reading:
        return view
    with progress("Reading", view.there, unit="requests") as step:
        step(view.there - view.left)
        while view.reading:
            left = view.left
            view = watching.look(now, after(SLICE, timer))
            step(left - view.left)
    return view


def after(seconds: float, timer: Callable[[], float]) -> Callable[[], bool]:
    """Return what tells whether so many seconds are over from now on."""
    until = timer() + seconds
    return lambda: timer() >= until


@dataclass(slots=True)
class Seen:
    """A ledger that may not be there yet, and what was seen of it last."""

    ledger: Path
    run: str | None
    since: Since
    timer: Callable[[], float]
    opened: Ledger | None = None
    watching: Watching | None = None
    view: View | None = None
    chosen: int = 0

    def look(self, now: float) -> None:
        """Read what is new, for a quarter of a second at most."""
        if self.watching is None:
            if not self.ledger.exists() or not self.ledger.stat().st_size:
                return
            self.opened = Ledger.read(self.ledger)
            self.watching = Watching(self.opened, run=self.run, since=self.since, timer=self.timer)
        self.view = self.watching.look(now, after(SLICE, self.timer))

    def close(self) -> None:
        """Close the ledger."""
        if self.opened is not None:
            self.opened.close()

    def press(self, key: Key | None) -> None:
        """Choose another finding."""
        most = len(self.view.findings) - 1 if self.view is not None else 0
        step = {"up": -1, "down": 1}.get(key or "", 0)
        self.chosen = max(0, min(self.chosen + step, most))

    def drawn(self, console: Console, *, keys: bool) -> RenderableType:
        """Return what fits on the screen."""
        if self.view is None:
            return Text(
                f"Waiting for {self.ledger}: nothing has been recorded into it yet. It begins with "
                f"ullage run --ledger {self.ledger} -- CMD, or ullage proxy --ledger "
                f"{self.ledger}. Ctrl-C ends the waiting."
            )
        screen = Screen(width=console.width, height=console.height, chosen=self.chosen, keys=keys)
        return frame(self.view, screen)

    def last(self, console: Console) -> RenderableType:
        """Return what stays on the screen after the end."""
        return self.drawn(console, keys=False)


def follow(
    seen: Seen, console: Console, keys: Keys, *, interval: float, clock: Callable[[], float]
) -> None:
    """Draw what is new until somebody ends it."""
    with keys, Live(console=console, screen=True, auto_refresh=False) as live:
        key: Key | None = None
        while key != "quit":
            seen.look(clock())
            live.update(seen.drawn(console, keys=keys.there), refresh=True)
            busy = seen.view is not None and seen.view.reading
            key = wait(seen, console, keys, 0.0 if busy else interval)


def wait(seen: Seen, console: Console, keys: Keys, seconds: float) -> Key | None:
    """Wait for a key, or until it is time to look again, or until the screen has another size."""
    size, until = console.size, seen.timer() + seconds
    while True:
        key = keys.press(max(0.0, min(SLICE, until - seen.timer())))
        seen.press(key)
        if key is not None or console.size != size or seen.timer() >= until:
            return key

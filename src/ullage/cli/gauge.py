"""What arrived of recent results, measured beside the proxy and never on its time."""

import asyncio
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from ullage.tap.proxy.figures import Arrivals

EVERY = 60.0
"""Seconds from the start of one measurement to that of the next, at least."""

SHARE = 10
"""A measurement that took long is followed by a pause of this many times as long."""

LONGEST = 300.0
"""Seconds after which a measurement is given up."""


class Gauge:
    """Gives the latest figures at once, and has them measured anew where they have grown old.

    Nothing is measured unless somebody asks. What fails is said to `report`, and the old figures
    stay, with their age.
    """

    def __init__(
        self,
        ledger: Path,
        *,
        report: Callable[[str], None],
        every: float = EVERY,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ledger, self._report = ledger, report
        self._every, self._timer = every, timer
        self._latest: Arrivals | None = None
        self._not_before = 0.0
        self._measuring: asyncio.Task[None] | None = None

    def __call__(self) -> Arrivals | None:
        """Return the latest figures; None where there are none yet."""
        measuring = self._measuring is not None and not self._measuring.done()
        if not measuring and self._timer() >= self._not_before:
            self._measuring = asyncio.create_task(self._measure())
        return self._latest

    async def settle(self) -> None:
        """Give up a measurement that is under way."""
        if self._measuring is not None:
            self._measuring.cancel()
            await asyncio.wait({self._measuring})

    async def _measure(self) -> None:
        started = self._timer()
        command = [sys.executable, "-m", "ullage.cli.figures", str(self._ledger)]
        child = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the proxy, which then ends the measurement
        )
        try:
            async with asyncio.timeout(LONGEST):
                document, words = await child.communicate()
            self._take(document, words)
        except TimeoutError:
            self._report(f"arrival was not measured: it took longer than {LONGEST:g} s")
        finally:
            if child.returncode is None:
                child.kill()
                await child.wait()
            took = self._timer() - started
            self._not_before = started + max(self._every, took * (SHARE + 1))

    def _take(self, document: bytes, words: bytes) -> None:
        try:
            self._latest = msgspec.json.decode(document, type=Arrivals)
        except msgspec.DecodeError:
            said = words.decode("utf-8", "replace").strip().rpartition("\n")[2]
            self._report(f"arrival was not measured: {said or 'no figures came'}")

"""Where one process asks for its cases."""

import asyncio

from ullage.probe.case import Case

LONGEST_WAIT = 30.0
"""Seconds that a question for the next case stays open; then it is to be asked again."""


class Desk:
    """The cases for one process, one at a time; a process that asks here is a warm worker.

    `idle` is set while the process waits for a case, so what it was given before is done.
    """

    def __init__(self) -> None:
        self.warm = False
        self.idle = asyncio.Event()
        self._next: asyncio.Queue[Case | None] = asyncio.Queue()

    def give(self, case: Case | None) -> None:
        """Lay a case down for the process; None says that there are no more."""
        self.idle.clear()
        self._next.put_nowait(case)

    async def take(self) -> Case | None:
        """Return the next case, None where there are no more.

        Raises TimeoutError where none is there for long: then it is to be asked again.
        """
        self.warm = True
        if self._next.empty():
            self.idle.set()
        return await asyncio.wait_for(self._next.get(), LONGEST_WAIT)

"""Kept texts in a ledger: other processes read them, an MCP server among them."""

import time
from collections.abc import Callable, Iterator, Sequence

from ullage.cutter.page import page
from ullage.history.recall import Kept, UnknownHandleError, records_of, unknown
from ullage.ledger.history_records import KeptRecord, RecallRecord, RecallUse
from ullage.ledger.records import StoredResult
from ullage.ledger.store import Ledger

CUT_RUN = "kept"
"""The run of `Ledger.handle`, unless it is given another one."""


class LedgerStore:
    """Keeps texts in a ledger, without their secrets, and counts each use there.

    What is recorded anyway can be had too, under its number: results of the run, and what `cut`
    left out with `ledger.handle()`. `run` None is every run. `clock` gives seconds since the epoch.
    With `counts` False nothing is written: uses of a ledger that can only be read are not counted.
    """

    def __init__(
        self,
        ledger: Ledger,
        run: str | None,
        *,
        clock: Callable[[], float] = time.time,
        counts: bool = True,
    ) -> None:
        self._ledger = ledger
        self._run = run
        self._clock = clock
        self._counts = counts

    def keep(self, text: str, *, tool: str, call: str = "") -> str:
        """Keep a text and return its handle."""
        record = KeptRecord(
            run=self._own_run,
            at=self._clock(),
            tool=tool,
            arguments=call,
            text=text,
            records=records_of(text),
        )
        return self._ledger.keep(record)

    def whole(self, handle: str) -> str:
        """Return a kept text, or a recorded one. Raises UnknownHandleError."""
        kept = self._ledger.kept_text(handle, self._run)
        if kept is not None:
            return kept.text
        found = self._result(handle)
        if found is None:
            raise UnknownHandleError(unknown(handle, self.listing()))
        if found.keep != "full":
            raise UnknownHandleError(f"{handle!r} was recorded without its text")
        return found.text

    def page(
        self, handle: str, part: str | None = None, records: tuple[int, int] | None = None
    ) -> str:
        """Return a text, a part of it, or some of its records."""
        return page(self.whole(handle), part, records)

    def listing(self) -> Sequence[Kept]:
        """Return what was recorded, then what was cut, then what left a history: the last last."""
        return [*self._recorded(), *self._kept()]

    def used(self, handle: str, part: str | None, records: str | None, chars: int) -> None:
        """Count an answer."""
        if not self._counts:
            return
        kept = self._ledger.kept_text(handle, self._run)
        self._ledger.record(
            RecallRecord(
                run=kept.run if kept is not None else self._own_run,
                at=self._clock(),
                handle=handle,
                part=part,
                records=records,
                chars=chars,
                known=kept is not None or self._result(handle) is not None,
            )
        )

    @property
    def use(self) -> RecallUse:
        """How many handles were offered, and how many of them were used."""
        return self._ledger.recall_use(self._run)

    @property
    def _own_run(self) -> str:
        return self._run or CUT_RUN

    def _result(self, handle: str) -> StoredResult | None:
        """Return the recorded result of a number, if it is of this run or was kept by a cut."""
        number = handle.lstrip("#")
        if not number.isdecimal():
            return None
        found = next(self._ledger.results(after=int(number) - 1), None)
        if found is None or found.number != int(number) or not self._is_ours(found):
            return None
        return found

    def _is_ours(self, found: StoredResult) -> bool:
        return self._run in (None, found.run) or found.run == CUT_RUN

    def _recorded(self) -> Iterator[Kept]:
        runs = [None] if self._run is None else dict.fromkeys([self._run, CUT_RUN])
        for run in runs:
            for one in self._ledger.results(run):
                if one.keep == "full":
                    yield Kept(
                        handle=str(one.number),
                        tool=one.tool,
                        call=one.arguments,
                        records=None,
                        chars=one.chars,
                    )

    def _kept(self) -> Iterator[Kept]:
        for one in self._ledger.kept(self._run):
            if one.whole:
                yield Kept(
                    handle=one.handle,
                    tool=one.tool,
                    call=one.arguments,
                    records=one.records,
                    chars=one.chars,
                )

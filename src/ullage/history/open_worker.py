"""A worker that is under way: what it records is its own, and its end is marked."""

import itertools
import secrets
from collections.abc import Callable, Mapping

from ullage.cutter.decode import as_text
from ullage.history import alive
from ullage.ledger.handing_records import FindingRecord, WorkerEvent, WorkerRecord
from ullage.ledger.redact import plain
from ullage.ledger.store import Ledger


class OpenWorker:
    """One worker that is under way: what it records is its own, and its end is marked.

    Leaving the `with` block marks it as ended; an error as failed, with its text; an interrupt or a
    cancellation as pre-empted. A worker that is killed sets no mark, and is known by that.
    """

    def __init__(
        self, ledger: Ledger, clock: Callable[[], float], *, run: str, name: str, stage: str
    ) -> None:
        self.run, self.name, self.stage = run, name, stage
        self.mark = secrets.token_hex(8)
        self._ledger, self._clock = ledger, clock
        self._numbers = itertools.count(1)
        self._ended = False
        self._presence = alive.Presence(ledger.path, self.mark)
        try:
            self.say("begun", {})
        except BaseException:
            self._presence.let_go()
            raise

    def record_finding(
        self, text: str, *, evidence: object = None, source: str | None = None
    ) -> str:
        """Keep one finding of this worker, as `Handoff.record_finding` does."""
        clean = plain(text.strip())
        if not clean:
            raise ValueError("a finding without a text: say in it what was found")
        key = f"{self.mark}-{next(self._numbers)}"
        self._ledger.add_finding(
            FindingRecord(
                run=self.run,
                worker=self.name,
                mark=self.mark,
                stage=self.stage,
                key=key,
                text=clean,
                evidence="" if evidence is None else plain(as_text(evidence).strip()),
                source=None if source is None else plain(source.strip()) or None,
                at=self._clock(),
            )
        )
        return key

    def computation(self, name: str = "computation") -> None:
        """Count one computation: a step of work that a finding may come out of."""
        self.say("computation", {"name": name})

    def ended(self) -> None:
        """Mark that it came to its end."""
        self.end("ended", {})

    def failed(self, error: BaseException | str) -> None:
        """Mark that it failed, with the text of the error."""
        why = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
        self.end("failed", {"why": why})

    def pre_empted(self, why: str) -> None:
        """Mark that something else had it stopped."""
        self.end("pre-empted", {"why": why})

    def cut(self, why: str) -> None:
        """Mark that a limit stopped it: of steps, of tokens, of time."""
        self.end("cut", {"why": why})

    def end(self, event: WorkerEvent, detail: Mapping[str, object]) -> None:
        """Set an end mark; the last one counts."""
        self.say(event, detail)
        self._ended = True
        self._presence.let_go()

    def say(self, event: WorkerEvent, detail: Mapping[str, object]) -> None:
        """Write one event of this worker."""
        self._ledger.add_worker(
            WorkerRecord(
                run=self.run,
                worker=self.name,
                mark=self.mark,
                stage=self.stage,
                event=event,
                detail=detail,
                at=self._clock(),
            )
        )

    def leave(self, error: BaseException | None) -> None:
        """Mark the end of its block, unless the worker did that itself."""
        if error is None:
            if not self._ended:
                self.ended()
        elif isinstance(error, Exception):
            self.failed(error)
        else:  # an interrupt, the end of the process, a task that was cancelled
            self.pre_empted(f"{type(error).__name__} {error}".strip())

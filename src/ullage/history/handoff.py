"""Handing findings on: kept as they are made, carried to the next stage, proven to be there."""

import functools
import hashlib
import inspect
import json
import logging
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, ParamSpec, Self, TypeVar, cast

from ullage.arrivals.child_findings import child_of
from ullage.cutter.budget import Budget
from ullage.errors import LedgerError
from ullage.history import alive, finding_tool
from ullage.history.hand_arrival import HandoffArrival, arrival_of
from ullage.history.hand_block import Carried, HandBlock, carried_of, write_block
from ullage.history.on_the_wire import Bodies, first_in_ledger, first_of, redacted
from ullage.history.open_worker import OpenWorker
from ullage.history.workers import NOBODY, Worker, work_of, workers_of
from ullage.ledger.handing_records import StoredFinding, StoredWorker, WorkerRecord
from ullage.ledger.redact import plain
from ullage.ledger.store import Ledger
from ullage.sources.lines import read_line
from ullage.wire.readers import Provider

P = ParamSpec("P")
R = TypeVar("R")
Counted = Literal["computation", "call"]
log = logging.getLogger("ullage.handoff")

# The worker of this thread or task, by the handoff that it belongs to.
HERE: ContextVar[Mapping[str, OpenWorker] | None] = ContextVar("ullage_workers", default=None)


class Handoff:
    """Evidence findings of the workers of one run, kept as they are made, and handed on.

    `ledger` is a ledger or the path of one, made where there is none; `run` the run's tag. Several
    processes may use one ledger. A finding is committed before `record_finding` returns, so a
    worker that is killed after that has lost none of them. Texts are kept without secrets.

    What is recorded outside of a `with handoff.worker(…)` block belongs to a worker of its own,
    named `worker`, in `stage`; it ends with `carry`, with `close`, or with the block of
    `with Handoff(…) as handoff:`.
    """

    def __init__(
        self,
        ledger: Ledger | Path | str,
        *,
        run: str = "default",
        worker: str = "main",
        stage: str = "work",
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._owned = not isinstance(ledger, Ledger)
        self.ledger = ledger if isinstance(ledger, Ledger) else Ledger(ledger, durability="sync")
        self.run, self.clock = plain(run), clock
        self._name, self._stage = worker, stage
        self._own: OpenWorker | None = None
        self._token = secrets.token_hex(8)
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._leave_own(error)
        self.close()

    def close(self) -> None:
        """Mark the end of what was recorded outside of any worker's block, and close the ledger."""
        self._leave_own(None)
        if self._owned:
            self.ledger.close()

    @contextmanager
    def worker(self, name: str, *, stage: str | None = None) -> Iterator[OpenWorker]:
        """Open a worker: all that this thread or task records in the block is its own."""
        made = self._opened(name, self._stage if stage is None else stage)
        before = HERE.get()
        HERE.set({**(before or {}), self._token: made})
        try:
            yield made
        except BaseException as error:
            made.leave(error)
            raise
        else:
            made.leave(None)
        finally:
            HERE.set(before)

    def current(self) -> OpenWorker:
        """Return the worker of this thread or task, else the one outside of all blocks."""
        found = (HERE.get() or {}).get(self._token)
        if found is not None:
            return found
        with self._lock:
            if self._own is None:
                self._own = self._opened(self._name, self._stage)
            return self._own

    def _leave_own(self, error: BaseException | None) -> None:
        """Mark the end of what was recorded outside of any worker's block."""
        with self._lock:
            own, self._own = self._own, None
        if own is not None:
            own.leave(error)

    def _opened(self, name: str, stage: str) -> OpenWorker:
        return OpenWorker(self.ledger, self.clock, run=self.run, name=name, stage=stage)

    def record_finding(
        self, text: str, *, evidence: object = None, source: str | None = None
    ) -> str:
        """Keep one finding, committed when this returns; return its key.

        `text` is the finding, complete in itself; blanks around it are taken off. `evidence` is
        what it rests on (text, bytes or a value that JSON can hold), `source` where that is found.
        Raises ValueError for an empty text, LedgerError where it cannot be written.
        """
        return self.current().record_finding(text, evidence=evidence, source=source)

    def tool(self) -> Callable[..., str]:
        """Return `record_finding` as a tool: a plain function for any framework."""

        def record_finding(text: str, evidence: str = "", source: str = "") -> str:
            return self.call_tool({"text": text, "evidence": evidence, "source": source})

        record_finding.__doc__ = f"""{finding_tool.DESCRIPTION}

        Args:
            text: The finding itself, complete in itself.
            evidence: What it rests on: the lines, records or figures, word for word.
            source: Where that is found: a file and line, a call, a query.
        """
        return record_finding

    def tool_definition(self, provider: Provider = "openai-chat") -> dict[str, Any]:
        """Return the tool as an item of the `tools` of a provider's requests."""
        return finding_tool.definition(provider)

    def call_tool(self, arguments: str | Mapping[str, object]) -> str:
        """Answer a model's call of the tool; why a finding is not recorded is said to the model."""
        try:
            given = finding_tool.arguments_of(arguments)
        except ValueError as error:
            return f"Not recorded: {error}."
        try:
            key = self.record_finding(
                given["text"], evidence=given.get("evidence") or None, source=given.get("source")
            )
        except LedgerError as error:
            log.exception("a finding is not recorded")
            return f"Not recorded: {error}. Say the finding in your answer."
        return f"Recorded (finding {key})."

    def computation(self, name: str = "computation") -> None:
        """Count one computation of the current worker: a step that a finding may come out of."""
        self.current().computation(name)

    def counted(self, function: Callable[P, R], *, kind: Counted = "computation") -> Callable[P, R]:
        """Return a function, plain or async, whose every call is counted before it runs.

        As a computation, or (`kind="call"`) as a call of a tool; one with arguments that it had
        before in this run is a refetch. A tool under `@record_tool` is counted by its results.
        """
        name = str(getattr(function, "__name__", type(function).__name__))

        def note(args: Sequence[object], kwargs: Mapping[str, object]) -> None:
            detail = {"name": name, "arguments": self._hash(args, kwargs)}
            self.current().say(kind, detail)

        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def call_async(*args: P.args, **kwargs: P.kwargs) -> object:
                note(args, kwargs)
                return await cast("Awaitable[object]", function(*args, **kwargs))

            return cast("Callable[P, R]", call_async)

        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            note(args, kwargs)
            return function(*args, **kwargs)

        return call

    def _hash(self, args: Sequence[object], kwargs: Mapping[str, object]) -> str:
        """Return the ledger's keyed hash of arguments: enough to know them again."""
        text = json.dumps([args, kwargs], default=repr, sort_keys=True)
        key = self.ledger.session.key
        return hashlib.blake2b(text.encode(), key=key, digest_size=8).hexdigest()

    def take_in(self, text: str, *, worker: str, stage: str | None = None) -> tuple[str, ...]:
        """Record what a sub-agent wrote down itself, and return the keys of its findings.

        Read are JSON lines with `finding` or `error`, else lines that begin with `Finding N:`. With
        an error in it the worker counts as failed; where the last line ends early, as cut, and the
        line itself is kept as it stands.
        """
        written, torn = torn_off(text)
        child = child_of(written)
        with self.worker(worker, stage=stage) as made:
            keys = [made.record_finding(one) for one in (child.findings if child else ())]
            if torn:
                keys.append(made.record_finding(torn, source="a last line that ends early"))
            if child is not None and child.errors:
                made.failed("\n".join(child.errors))
            elif torn:
                made.cut("what it wrote ends in the middle of a line")
        return tuple(keys)

    def findings(self) -> tuple[StoredFinding, ...]:
        """Return every finding of the run, in the order of recording."""
        return tuple(self.ledger.findings(self.run))

    def workers(self) -> tuple[Worker, ...]:
        """Return the workers of the run, and how each of them ended."""
        return self._workers(self._events(), self.findings())

    def put_together(self, stage: str, *, budget: Budget | None = None) -> HandBlock:
        """Return the block for a stage with its account; the ledger is told what was carried."""
        self._leave_own(None)
        events, findings = self._events(), self.findings()
        block = write_block(stage, carried_of(findings), self._workers(events, findings), budget)
        if block.left_out:
            log.warning(
                "hand-off to %s: %d of %d findings are not in the block: %s",
                stage,
                len(block.left_out),
                len(block.left_out) + len(block.findings),
                block.notice,
            )
        self._note_carried(stage, block)
        return block

    def carry(self, stage: str, *, budget: Budget | None = None) -> str:
        """Return the block for a stage's first request: all findings of the run.

        Exact repeats are one, counted; what incomplete workers found is marked, with the cause.
        With a budget that is too small for all, whole findings are left out and a notice says how
        many; that is logged as a warning too, and `verify` tells which.
        """
        return self.put_together(stage, budget=budget).text

    def messages(
        self, stage: str, *, budget: Budget | None = None, provider: Provider = "openai-chat"
    ) -> list[dict[str, Any]]:
        """Return `carry` as the messages to put before the stage's own first message."""
        return [finding_tool.message(self.carry(stage, budget=budget), provider)]

    def verify(
        self, bodies: Bodies | None = None, *, stage: str | None = None, agent: str | None = None
    ) -> HandoffArrival:
        """Say which findings stand in a stage's first request, as it was sent.

        `bodies` are the stage's request bodies, in order; without them the run's requests in the
        ledger are looked at: of `agent` where one is named, else the first since the block was put
        together that has it. `stage` is the one that was carried to last, unless it is named.
        Findings and requests are compared as the ledger keeps them: without secrets.
        """
        events, findings = self._events(), self.findings()
        carried = last_carried(events, stage)
        stage = stage or (carried.stage if carried else self._stage)
        check, after = (None, 0.0)
        keys: set[str] = set()
        if carried is not None:
            check, after = str(carried.detail.get("check")), carried.at
            keys = {str(key) for key in cast("list[object]", carried.detail.get("findings", []))}
        if bodies is None:
            sent = first_in_ledger(self.ledger, self.run, check, after, agent)
        else:
            sent = first_of(bodies)
        # What the deciding stage finds itself is not handed to it.
        wanted = [one for one in findings if one.stage != stage or one.key in keys]
        texts = list(redacted(sent, self.ledger, self.run))
        workers = [one for one in self._workers(events, findings) if one.stage != stage]
        if carried is not None and any(one.stage == stage and one.key in keys for one in findings):
            workers = list(self._workers(events, findings))
        nobody = work_of((), self.ledger.results(self.run), {one.name: one.mark for one in workers})
        return arrival_of(
            stage,
            None if sent is None else sent.request,
            texts,
            carried_of(wanted),
            keys,
            workers,
            nobody.get(NOBODY),
        )

    def _events(self) -> tuple[StoredWorker, ...]:
        return tuple(self.ledger.workers(self.run))

    def _workers(
        self, events: Sequence[StoredWorker], findings: Sequence[StoredFinding]
    ) -> tuple[Worker, ...]:
        is_alive = functools.partial(alive.is_alive, self.ledger.path)
        return workers_of(events, findings, self.ledger.results(self.run), is_alive)

    def _note_carried(self, stage: str, block: HandBlock) -> None:
        self.ledger.add_worker(
            WorkerRecord(
                run=self.run,
                worker=self._name,
                mark=secrets.token_hex(8),
                stage=stage,
                event="carried",
                detail={
                    "check": block.check,
                    "findings": keys_of(block.findings),
                    "left_out": keys_of(block.left_out),
                },
                at=self.clock(),
            )
        )


def keys_of(findings: Sequence[Carried]) -> list[str]:
    """Return the keys of all records of findings."""
    return [key for one in findings for key in one.keys]


def last_carried(events: Sequence[StoredWorker], stage: str | None) -> StoredWorker | None:
    """Return what was carried last, to a stage or to any."""
    found = [one for one in events if one.event == "carried" and stage in (None, one.stage)]
    return found[-1] if found else None


def torn_off(text: str) -> tuple[str, str]:
    """Split a text into its whole lines and a last line of JSON that ends too early."""
    whole, _, last = text.rpartition("\n")
    is_torn = last.lstrip().startswith("{") and read_line(last.strip(), 1).fault is not None
    return (whole, last.strip()) if is_torn else (text, "")

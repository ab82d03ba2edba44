"""Runs cases against a harness: one process for many, where it asks for them, else one for each."""

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from ullage.probe.bench import Bench, Seen
from ullage.probe.canary import prompt
from ullage.probe.case import Case
from ullage.probe.desk import Desk
from ullage.probe.observed import Ended, Observed
from ullage.probe.process import Process, start
from ullage.probe.scripts import Words
from ullage.probe.stage import Stage
from ullage.probe.surroundings import changes

TIMEOUT = 120.0
LAST_MOMENT = 5.0
"""Seconds that a warm worker has to end after its last case."""

T = TypeVar("T")

Cases = Generator[Case, T, None]
"""Says which case comes next, once it has seen what came of the last one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dress:
    """What a process gets for what it is: variables, and words behind its first one."""

    variables: Mapping[str, str] = field(default_factory=dict)
    arguments: Sequence[str] = ()


def undressed(_root: str) -> AbstractContextManager[Dress]:
    """Give nothing on top."""
    return nullcontext(Dress())


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A harness: its command, in which `{prompt}` and `{file}` are filled in, and its environment.

    `dress` takes the address of the model, before /v1. `timeout` is in seconds, for each case.
    """

    command: Sequence[str]
    environment: Mapping[str, str]
    words: Words = field(default_factory=Words)
    folder: Path | None = None
    timeout: float = TIMEOUT
    dress: Callable[[str], AbstractContextManager[Dress]] = undressed


@dataclass(slots=True)
class Worker:
    """A process that runs, and the desk where it asks for cases."""

    process: Process
    desk: Desk
    name: str


class Runner:
    """Runs cases one after the other; leaving the block ends the process.

    `stopped`, once set, ends the case that runs: it is seen as interrupted.
    """

    def __init__(self, bench: Bench, target: Target, *, stopped: asyncio.Event) -> None:
        self._bench, self._target, self._stopped = bench, target, stopped
        self._worker: Worker | None = None
        self._started = 0
        self._files = Path(tempfile.mkdtemp(prefix="ullage-probe-"))
        self._stage = Stage(bench, target.words, self._files)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._dismiss()
        shutil.rmtree(self._files, ignore_errors=True)

    async def run(self, cases: Cases[T], judge: Callable[[Observed], T]) -> list[T]:
        """Run cases until there are none, or somebody stops it.

        What was seen of a case is judged at once and let go: fifty turns may be 40 MB of requests.
        """
        found: list[T] = []
        try:
            case = next(cases)
            while not self._stopped.is_set():
                observed = await self.one(case)
                found.append(judge(observed))
                self._bench.close(case)
                case = cases.send(found[-1])
                if observed.ended == "interrupted":
                    break
        except StopIteration:
            pass
        return found

    async def one(self, case: Case) -> Observed:
        """Run one case."""
        seen = self._stage.begin(case)
        try:
            with self._target.dress(self._bench.model_url(case.tag)) as dress:
                worker = await self._worker_for(case, seen, dress)
                out, err = worker.process.mark()
                ended = await self._wait(worker, seen)
        except OSError as error:
            seen.errors.append(f"{error.strerror or error}")
            return self._stage.observed(seen, "not-started")
        warm, process = worker.desk.warm, worker.process
        if process.ended or not warm or ended != "done":
            await process.end()
        observed = self._stage.observed(
            seen,
            ended,
            exit=process.child.returncode,
            stderr=process.wrote(err),
            stdout="" if warm else process.said(out),
        )
        if process.ended:
            self._put_away(worker)
        return observed

    async def _worker_for(self, case: Case, seen: Seen, dress: Dress) -> Worker:
        """Return the process that does a case: the one that waits, else a new one."""
        if self._worker is not None and not self._worker.process.ended:
            self._worker.desk.give(case)
            return self._worker
        if self._worker is not None:
            self._put_away(self._worker)
        self._started += 1
        desk, name = Desk(), f"worker-{self._started}"
        self._bench.desks[name] = desk
        desk.give(case)
        environment = self._target.environment
        changed = changes(
            environment,
            self._bench.model_url(case.tag),
            case_url=self._bench.case_url(case.tag),
            worker_url=f"{self._bench.url}/worker/{name}",
            file=seen.file,
        )
        command = filled([*self._target.command], seen, dress.arguments)
        process = await start(
            command, {**environment, **changed, **dress.variables}, self._target.folder
        )
        self._worker = Worker(process, desk, name)
        return self._worker

    async def _wait(self, worker: Worker, seen: Seen) -> Ended:
        """Wait for the end of a case, in whatever way it ends."""
        ends = {
            asyncio.ensure_future(one): ended
            for one, ended in (
                (worker.process.child.wait(), "done"),
                (worker.desk.idle.wait(), "done"),
                (seen.flooded.wait(), "looped"),
                (self._stopped.wait(), "interrupted"),
            )
        }
        try:
            done, _ = await asyncio.wait(
                ends, timeout=self._target.timeout, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            for one in ends:
                one.cancel()
        if not done:
            return "timed-out"
        if self._stopped.is_set():
            return "interrupted"
        if seen.flooded.is_set():
            return "looped"
        return "crashed" if worker.process.child.returncode else "done"

    def _put_away(self, worker: Worker) -> None:
        """Let go of a process that has ended."""
        worker.process.close()
        self._bench.desks.pop(worker.name, None)
        self._worker = None

    async def _dismiss(self) -> None:
        """Tell the process that there are no more cases, and end it where it does not."""
        worker = self._worker
        if worker is None:
            return
        worker.desk.give(None)
        if worker.desk.warm and not self._stopped.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(worker.process.child.wait(), LAST_MOMENT)
        await worker.process.end()
        self._put_away(worker)


def filled(command: Sequence[str], seen: Seen, arguments: Sequence[str]) -> list[str]:
    """Fill a command in for its case."""
    said = prompt(seen.case, 0)
    words = [one.replace("{file}", str(seen.file or "")) for one in command]
    words = [one.replace("{prompt}", said) for one in words]
    return [words[0], *arguments, *words[1:]]

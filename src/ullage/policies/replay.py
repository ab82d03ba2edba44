"""What would another policy have delivered? A replay over recorded results."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    as_completed,
)
from pathlib import Path
from typing import TypedDict, Unpack

from ullage.errors import LoadError, UllageError
from ullage.policies import tally_form
from ullage.policies.job import Job, run
from ullage.policies.kept_shards import KeptShards
from ullage.policies.merged import Merged
from ullage.policies.policy import DEFAULT, parse_policy
from ullage.policies.replayed import Replayed, replayed
from ullage.policies.sources import plan

SHARD = 1_000
"""About so many results are a shard: some seconds of work, a few megabytes at a time."""
LOOK = 1.0
"""Seconds between two looks of a worker for its parent."""
TRIES = 3
"""A shard whose worker died is tried so often; one that raises is not tried again."""

Progress = Callable[[int, int], object]
"""Is told the shards that are done, and how many there are."""


class Options(TypedDict, total=False):
    """What may be set of a replay; what is left out has the value that is named here.

    `policies` (prefix:6000, records:6000): `NAME:BUDGET` (characters; `1500t` tokens, by the
    vocabulary of `model`), a harness's name, or `my_package.cuts:shorten:6000`; the first one is
    what the others are compared with. `form`: that of the sources, else it is found. `tokens`
    (True) counts tokens. `second_path` (False) looks for lost records elsewhere in their session.
    `workers`: processes, one for each core; 1 works in this one. `executor`: any other
    `concurrent.futures.Executor`. `work`: a folder in which finished shards are kept, so that the
    same call goes on from there. `shard` (1000): about so many results are done in one go.
    `progress` is told the shards that are done and how many there are, `passed_over` of each file
    of a folder that is not read.
    """

    policies: Sequence[str]
    form: str | None
    model: str | None
    tokens: bool
    second_path: bool
    workers: int | None
    executor: Executor | None
    work: Path | str | None
    shard: int
    progress: Progress
    passed_over: Callable[[LoadError], object]


def replay(*sources: Path | str, **options: Unpack[Options]) -> Replayed:
    """Replay recorded results under policies, and return what each would have delivered.

    `sources` are ledgers, transcripts, folders of them, and files of lines with `session`, `tool`
    and `produced` (or `delivered`). The result is the same whatever does the work, and in however
    many shards: it is counted in whole numbers.

    Raises LoadError where a source cannot be read or holds no result, ConfigError for a policy that
    is none, UllageError where a shard's worker dies three times, ValueError for wrong arguments.
    """
    if unknown := sorted(options.keys() - Options.__annotations__.keys()):
        raise TypeError(f"replay() has no option {unknown[0]!r}")
    model, progress = options.get("model"), options.get("progress", quiet)
    names = checked(options.get("policies", DEFAULT), model)
    jobs = jobs_of([Path(one) for one in sources], names, options)
    work = options.get("work")
    kept = KeptShards(Path(work), jobs) if work is not None else None
    merged = Merged(job.shard for job in jobs)
    submit = engine(options.get("executor"), options.get("workers"), len(jobs))
    for number, (job, data) in enumerate(done(jobs, submit, kept), 1):
        merged.add(job.shard, tally_form.read(data))
        progress(number, len(jobs))
    return replayed(merged.tally, jobs[0], [str(one) for one in sources])


def quiet(_done: int, _all: int) -> None:
    """Say nothing."""


def jobs_of(paths: Sequence[Path], names: tuple[str, ...], options: Options) -> list[Job]:
    """Return the jobs of a replay. Raises LoadError, ValueError."""
    most = options.get("shard", SHARD)
    if not paths:
        raise ValueError("replay() needs a ledger, a file or a folder: no path was given")
    if most < 1:
        raise ValueError(f"a shard holds 1 result or more, got {most!r}")
    second_path = options.get("second_path", False)
    shards = plan(
        paths,
        most,
        form=options.get("form"),
        whole=second_path,
        passed_over=options.get("passed_over", lambda _: None),
    )
    return [
        Job(
            shard=one,
            policies=names,
            model=options.get("model"),
            tokens=options.get("tokens", True),
            second_path=second_path,
        )
        for one in shards
    ]


def checked(policies: Sequence[str], model: str | None) -> tuple[str, ...]:
    """Return the policies, each of which is one. Raises ValueError, ConfigError."""
    if isinstance(policies, str):
        raise TypeError(f"policies is a list of names, got {policies!r}")
    names = tuple(parse_policy(one, model=model).name for one in policies)
    if not names:
        raise ValueError("a replay needs a policy: none was given")
    if len(set(names)) < len(names):
        raise ValueError(f"a policy is named twice: {', '.join(names)}")
    return names


Submit = Callable[[Sequence[Job]], Iterator[tuple[Job, bytes]]]


def done(
    jobs: Sequence[Job], submit: Submit, kept: KeptShards | None
) -> Iterator[tuple[Job, bytes]]:
    """Yield every shard's tally: those that are kept, then the others as they are finished."""
    left = []
    for job in jobs:
        known = None if kept is None else kept.of(job.shard.number)
        if known is None:
            left.append(job)
        else:
            yield job, known
    for job, data in submit(left):
        if kept is not None:
            kept.keep(job.shard.number, data)
        yield job, data


def engine(executor: Executor | None, workers: int | None, jobs: int) -> Submit:
    """Return what runs jobs."""
    if executor is not None:
        return lambda left: on_executor(left, executor)
    number = min(workers or os.cpu_count() or 1, jobs)
    if number <= 1:
        return lambda left: ((job, run(job)) for job in left)
    return lambda left: on_processes(left, number)


def on_processes(jobs: Sequence[Job], workers: int) -> Iterator[tuple[Job, bytes]]:
    """Run jobs on processes; where one dies, what it was at is tried again in a new pool."""
    left = list(jobs)
    for attempt in range(1, TRIES + 1):
        with ProcessPoolExecutor(
            max_workers=workers, initializer=bound, initargs=(os.getpid(),)
        ) as pool:
            try:
                for job, data in finished(submitted(left, pool)):
                    left.remove(job)
                    yield job, data
            except BrokenExecutor as error:
                if attempt == TRIES:
                    raise UllageError(
                        f"a process of the replay died {TRIES} times, with {len(left)} shards "
                        "left: out of memory? Try fewer workers or smaller shards"
                    ) from error
            except BaseException:
                # Not by cancelling futures: a pool that breaks then fails over them (CPython 3.11).
                pool.shutdown(cancel_futures=True)
                raise
            else:
                return


def bound(parent: int) -> None:
    """Have a worker end at once with Ctrl-C, and soon after its parent is gone.

    One that raised at Ctrl-C instead could leave the pool's queue locked; one whose parent was
    killed would wait for work for ever.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=ends_with, args=(parent,), daemon=True).start()


def ends_with(parent: int) -> None:
    """End this process when it is no longer a child of `parent`."""
    while os.getppid() == parent:
        time.sleep(LOOK)
    os._exit(1)


def on_executor(jobs: Sequence[Job], executor: Executor) -> Iterator[tuple[Job, bytes]]:
    """Run jobs on any executor, and yield each with its tally as it is finished."""
    futures = submitted(jobs, executor)
    try:
        yield from finished(futures)
    finally:
        for future in futures:
            future.cancel()


def submitted(jobs: Sequence[Job], executor: Executor) -> dict[Future[bytes], Job]:
    """Submit jobs."""
    return {executor.submit(run, job): job for job in jobs}


def finished(futures: Mapping[Future[bytes], Job]) -> Iterator[tuple[Job, bytes]]:
    """Yield jobs with their tallies as they are finished."""
    for future in as_completed(futures):
        yield futures[future], future.result()

"""When each process wants to run, and how much it does then: slices, made lazily in time order.

Every process goes through the same units, whatever is wrong with it: preempted and run again,
blocked on a disk and run again, memory reclaimed, nothing. The one with the fault does as many of
everything as the others do; it differs in how long its gaps last, and in nothing else.
"""

import heapq
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ullage.lab.environment.deployment import Deployment, Task
from ullage.lab.environment.parameters import Fault

MILLI = 1_000_000
"""Nanoseconds in a millisecond."""
SIZE = 6
"""So many events a slice has, about."""
FEWEST = 4
SHORT = (1 * MILLI, 12 * MILLI)
"""How long a healthy thread waits, is blocked, or reclaims."""
LONG = (70 * MILLI, 95 * MILLI)
"""How long it does with the fault: a quota's period is 100 ms (`cpu.cfs_period_us`)."""
LAG = 50 * MILLI
"""A process that is so far behind its plan has no long gap, so that it can catch up."""
APART = 300_000

Unit = Literal["cpu_quota", "io", "memory", "plain"]
UNITS: tuple[Unit, ...] = ("cpu_quota", "io", "memory", "plain")
LEAVING: dict[Unit, str] = {"cpu_quota": "R+", "io": "D"}
"""The state in which the first of two slices leaves the CPU."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """One time on a CPU: from `due` on, `size` events, leaving in `state`.

    `reclaim` is how long memory is reclaimed, in nanoseconds, 0 for not at all. `forks` are the
    tasks that are forked in it; `first` and `last` say that the process begins and ends here.
    """

    due: int
    task: Task
    tid: int
    size: int
    state: str = "S"
    reclaim: int = 0
    forks: tuple[Task, ...] = ()
    first: bool = False
    last: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """How many events a process has, and between which times, in nanoseconds."""

    task: Task
    events: int
    start: int
    end: int


def slices(
    deployment: Deployment, quotas: Sequence[Quota], fault: Fault | None, seed: int
) -> Iterator[Slice]:
    """Yield the slices of all processes by the time they are due; equal times by pid."""
    rng = random.Random(seed)
    streams: list[Iterator[Slice]] = [
        of_task(one, fault, random.Random(rng.getrandbits(64))) for one in quotas
    ]
    streams.append(forking(deployment, quotas))
    key: Callable[[Slice], tuple[int, int]] = lambda one: (one.due, one.task.pid)  # noqa: E731
    return heapq.merge(*streams, key=key)


def of_task(quota: Quota, fault: Fault | None, rng: random.Random) -> Iterator[Slice]:
    """Yield the slices of one process."""
    task, total = quota.task, max(quota.events, FEWEST)
    count = max(1, total // SIZE)
    width = (quota.end - quota.start) / count
    due, unit, at = quota.start, rng.randrange(len(UNITS)), 0
    born = task.born is not None
    while at < count:
        nominal = (
            quota.start if at == 0 and born else quota.start + int((at + rng.random()) * width)
        )
        due = max(nominal, due + APART) if at else nominal
        kind = UNITS[unit % len(UNITS)]
        tid = task.tids[unit % len(task.tids)] if at else task.pid
        pair = kind in LEAVING and at + 1 < count
        gap = pause(quota, kind, due - nominal, fault, rng)
        state = LEAVING[kind] if pair else "S"
        for again in range(2 if pair else 1):
            last = at + 1 == count
            yield Slice(
                due=due,
                task=task,
                tid=tid,
                size=total // count + (at < total % count),
                state=state if not again else "S",
                reclaim=gap if kind == "memory" else 0,
                first=at == 0 and born,
                last=last,
            )
            if pair and not again:
                due += gap
            at += 1
        due += gap if kind == "memory" else 0
        unit += 1


def pause(quota: Quota, kind: Unit, lag: int, fault: Fault | None, rng: random.Random) -> int:
    """Return how long a gap lasts: long for the faulty process where its fault is at work.

    Both lengths are drawn, so that the fault changes no other number of the recording.
    """
    short, long = rng.randint(*SHORT), rng.randint(*LONG)
    faulty = quota.task.faulty and kind == fault and lag <= LAG
    return long if faulty else short


def forking(deployment: Deployment, quotas: Sequence[Quota]) -> Iterator[Slice]:
    """Yield the slices in which processes are forked by others."""
    by_pid = {one.pid: one for one in deployment.tasks}
    for quota in sorted(quotas, key=lambda one: (one.start, one.task.pid)):
        if quota.task.born is not None:
            parent = by_pid[quota.task.parent]
            yield Slice(
                # The child is due two milliseconds later: no slice of it is put before this one.
                due=quota.start - 2 * MILLI,
                task=parent,
                tid=parent.pid,
                size=FEWEST,
                forks=(quota.task,),
            )

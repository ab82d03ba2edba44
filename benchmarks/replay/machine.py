"""A made machine: 21 containers, the processes in them, and how loud each is. All invented.

Processes that started while events were recorded are `spawned`; those that were there before are
`resident`. Numbers are kept apart by their size, so that a process's `tid` stands nowhere by
chance: tids have five digits, events six or more, milliseconds of the healthy three at most.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from random import Random

SPAWNED, RESIDENT = 118, 128
CONTAINERS = tuple(
    f"{word}-{number:02d}"
    for number, word in enumerate(
        (
            "api", "auth", "batch", "billing", "cache", "cart", "catalog", "checkout", "feed",
            "gateway", "ledger", "mail", "orders", "payments", "pricing", "queue", "reports",
            "search", "session", "stock", "tracker",
        ),
        start=1,
    )
)  # fmt: skip
COMMANDS = ("java", "java", "nginx", "python3", "node", "redis-server", "envoy", "sh", "postgres")
EVENTS = 500_000_000
"""So many events were recorded in all."""
LOWEST_TID, HIGHEST_TID = 10_000, 32_767
HEALTHY_MS = 900
"""A process that is well waits less than this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """One process: `events` of all that were recorded, `wait_ms` runnable and not run."""

    tid: int
    command: str
    container: str
    events: int
    wait_ms: int
    run_ms: int
    switches: int
    parent: int = 1

    @property
    def percent(self) -> float:
        """Its share of all events."""
        return round(100 * self.events / EVENTS, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The processes of a machine, in the order in which a listing names them."""

    spawned: tuple[Process, ...]
    resident: tuple[Process, ...]

    def loudest(self) -> list[Process]:
        """Return all processes, the loudest first."""
        return sorted([*self.spawned, *self.resident], key=lambda one: (-one.events, one.tid))

    def with_resident(self, at: int, process: Process) -> "Machine":
        """Return the machine with another process in one place of the resident ones."""
        return replace(self, resident=(*self.resident[:at], process, *self.resident[at + 1 :]))

    def with_spawned(self, at: int, process: Process) -> "Machine":
        """Return the machine with another process in one place of the spawned ones."""
        return replace(self, spawned=(*self.spawned[:at], process, *self.spawned[at + 1 :]))


def made_machine(random: Random, spawned: int = SPAWNED, resident: int = RESIDENT) -> Machine:
    """Make a machine on which all is well."""
    count = spawned + resident
    made = [
        Process(
            tid=tid,
            command=command,
            container=container,
            events=events,
            wait_ms=wait,
            run_ms=run,
            switches=100_000 + wait * 97 + run,
        )
        for tid, command, container, events, wait, run in zip(
            tids(random, count),
            random.choices(COMMANDS, k=count),
            random.choices(CONTAINERS, k=count),
            loudness(random, count),
            random.choices(range(HEALTHY_MS), k=count),
            random.choices(range(HEALTHY_MS), k=count),
            strict=True,
        )
    ]
    return Machine(spawned=tuple(made[:spawned]), resident=tuple(made[spawned:]))


def tids(random: Random, count: int) -> Sequence[int]:
    """Return tids, each one larger than the one before, as a kernel gives them out."""
    widest = (HIGHEST_TID - LOWEST_TID) // count
    steps = random.choices(range(1, widest + 1), k=count)
    return list(accumulate(steps, initial=LOWEST_TID))[1:]


def loudness(random: Random, count: int) -> list[int]:
    """Return how many events each process made: few make many, none above 1 in 100."""
    order = list(range(count))
    random.shuffle(order)
    return [100_000 + EVENTS // 50 // (4 + place) for place in order]

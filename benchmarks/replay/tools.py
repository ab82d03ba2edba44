"""What the made agent's tools return, besides its listing of containers: JSON, text and tables.

Keys stand in one fixed order, and lists are of unequal sizes: a short one first, a long one last.
"""

import json
from collections.abc import Sequence
from random import Random

from benchmarks.replay.machine import CONTAINERS, Machine, Process

STATES = ("running", "runnable", "sleeping", "disk-wait", "stopped")
EVENT_NAMES = ("sched_switch", "sched_wakeup", "irq_handler_entry", "block_rq_issue")
CPUS = 8
PATHS = ("/srv/app/data/segment", "/var/log/service/current", "/srv/app/cache/entry")


def compact(value: object) -> str:
    """Return a value as JSON without white space."""
    return json.dumps(value, separators=(",", ":"))


def thread_states(machine: Machine, random: Random, chars: int) -> str:
    """Return the state of threads: the cores first, then threads, last what each is blocked on."""
    each = 128 + 2 * 93
    count = max(4, chars // each)
    threads = picked(machine, random, count)
    return compact(
        {
            "cpus": [{"cpu": at, "idle": round(random.uniform(2, 97), 1)} for at in range(CPUS)],
            "threads": [thread(one, number, random) for number, one in enumerate(threads)],
            "blocked_on": [
                wait(one, number, random) for number, one in enumerate(threads) for _ in range(2)
            ],
        }
    )


def thread(one: Process, number: int, random: Random) -> dict[str, object]:
    """Return one thread."""
    return {
        "thread": f"{one.tid}/{number}",
        "comm": one.command,
        "container": one.container,
        "state": random.choice(STATES),
        "cpu": random.randrange(CPUS),
        "since": round(random.uniform(0, 600), 6),
    }


def wait(one: Process, number: int, random: Random) -> dict[str, object]:
    """Return one place where a thread waits."""
    return {
        "thread": f"{one.tid}/{number}",
        "path": f"{random.choice(PATHS)}-{random.randrange(100)}",
        "ms": random.randrange(900),
    }


def processes(machine: Machine, random: Random, chars: int) -> str:
    """Return a listing of processes, and which containers have how many of them."""
    listed = picked(machine, random, max(3, chars // 118))
    names = sorted({one.container for one in listed})
    return compact(
        {
            "containers": [
                {"name": name, "processes": sum(one.container == name for one in listed)}
                for name in names
            ],
            "processes": [
                {
                    "tid": one.tid,
                    "comm": one.command,
                    "container": one.container,
                    "run_ms": one.run_ms,
                    "threads": random.randrange(1, 90),
                }
                for one in listed
            ],
        }
    )


def timeline(machine: Machine, random: Random, chars: int) -> str:
    """Return events as lines of text, as a kernel's tracer prints them."""
    at, lines, size = random.uniform(10, 20), [], 0
    every = [*machine.spawned, *machine.resident]
    while size < chars:
        one, after = random.choices(every, k=2)
        at += random.expovariate(900)
        lines.append(
            f"{one.command:>12}-{one.tid} [{random.randrange(CPUS):03}] {at:.6f}: "
            f"{random.choice(EVENT_NAMES)}: prev={one.container} next={after.container}"
        )
        size += len(lines[-1]) + 1
    return "\n".join(lines)


def top_events(machine: Machine, rows: int) -> str:
    """Return the table that an agent computes of the loudest processes, the loudest first."""
    return compact(
        {
            "rows": [
                {
                    "rank": rank,
                    "tid": one.tid,
                    "comm": one.command,
                    "container": one.container,
                    "events": one.events,
                    "percent": one.percent,
                    "per_second": round(one.events / 600, 2),
                    "histogram": ":" * 60 + "." * 40,
                }
                for rank, one in enumerate(machine.loudest(), start=1)
                if rank <= rows
            ]
        }
    )


def by_container(machine: Machine, random: Random, rows: int) -> str:
    """Return a table of containers in Markdown, as a compute tool prints it."""
    every = [*machine.spawned, *machine.resident]
    lines = ["| container | window | processes | events | percent |", "|---|---|---|---|---|"]
    for at in range(rows):
        name = CONTAINERS[at % len(CONTAINERS)]
        own = [one for one in every if one.container == name]
        events = sum(one.events for one in own) // (1 + at // len(CONTAINERS))
        lines.append(
            f"| {name} | {at // len(CONTAINERS)} | {len(own)} | {events} "
            f"| {random.uniform(0, 9):.2f} |"
        )
    return "\n".join(lines)


def counters(machine: Machine, random: Random, count: int) -> str:
    """Return a small result: the counters of one container."""
    name = random.choice(CONTAINERS)
    return compact(
        {
            "container": name,
            "quota_ms": random.randrange(100, 900),
            "counters": [
                {"name": f"cgroup.{kind}.{at}", "value": random.randrange(1_000_000, 99_000_000)}
                for at in range(count)
                for kind in ("cpu", "io")
            ],
        }
    )


def picked(machine: Machine, random: Random, count: int) -> Sequence[Process]:
    """Return so many processes, each once, or all and some again."""
    every = [*machine.spawned, *machine.resident]
    again, rest = divmod(count, len(every))
    return [*every * again, *random.sample(every, rest)]

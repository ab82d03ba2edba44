"""The container listing: the processes of every container, in two lists."""

from collections.abc import Sequence

from ullage.lab.environment.processes import Process, processes
from ullage.lab.environment.rows import Row, milliseconds, seconds
from ullage.lab.environment.threads import Index

EARLY, LATE = "early_list", "late_list"
HOST = 4_026_531_836
"""The pid namespace that every Linux begins with: processes in it are in no container."""


def list_containers(index: Index) -> dict[str, list[Row]]:
    """Return the processes of all containers: `early_list` began during the recording, in order.

    `late_list` holds those that were there before it, in the order in which it names them. A record
    has the longest single time (ms) that a thread of the process waited for a CPU (`wait_ms`), was
    blocked (`io_ms`), and reclaimed memory (`reclaim_ms`). Early records say more than late ones,
    as in the source paper's listing: there 118 of some 198 characters, and 128 of some 76. In a
    recording that knows no container, every process is listed.
    """
    every = processes(index)
    contained = [one for one in every if one.ns not in {None, HOST}] or every
    begun = sorted((one for one in contained if one.born), key=lambda one: (one.start, one.pid))
    there = sorted((one for one in contained if not one.born), key=lambda one: one.order)
    return {
        EARLY: [early(index, one) for one in begun],
        LATE: [late(index, one) for one in there],
    }


def name_of(index: Index, ns: int | None) -> str:
    """Return the name of a container, by its namespace's number where it has none."""
    if ns is None:
        return "unknown"
    return "host" if ns == HOST else index.containers.get(ns, f"ns-{ns}")


def early(index: Index, one: Process) -> Row:
    """Return the record of a process that began during the recording."""
    return {
        "container": name_of(index, one.ns),
        "pid": one.pid,
        "ppid": one.ppid or 0,
        "comm": one.comm,
        "ns_inum": one.ns or 0,
        "start_s": seconds(one.start - index.begin),
        "end_s": seconds(one.end - index.begin),
        "events": one.events,
        "switches": one.switches,
        "run_ms": milliseconds(one.spent("running")),
        **evidence(one),
    }


def late(index: Index, one: Process) -> Row:
    """Return the record of a process that was there before the recording."""
    return {"container": name_of(index, one.ns), "pid": one.pid, **evidence(one)}


def evidence(one: Process) -> Row:
    """Return the longest single times of a process, in whole milliseconds."""
    return {
        "wait_ms": milliseconds(one.longest("runnable")),
        "io_ms": milliseconds(one.longest("blocked")),
        "reclaim_ms": milliseconds(one.reclaim),
    }


def containers_of(lists: dict[str, list[Row]]) -> Sequence[str]:
    """Return the names of the containers in a listing, sorted."""
    return sorted({str(row["container"]) for rows in lists.values() for row in rows})

"""The rows that an agent computes with: events by process, states of threads, a timeline.

No table has the lists of the container listing. They are what an experiment takes away: whoever
could sort or filter them behind the cut would have a second path to every record.
"""

from collections import Counter

from ullage.lab.environment.processes import Process, processes
from ullage.lab.environment.rows import MILLI, Row, milliseconds
from ullage.lab.environment.threads import BUCKET, Index


def events_table(index: Index) -> list[Row]:
    """Return one row for each process and event name: how many, and their share of all events."""
    rows: list[Row] = []
    for process in processes(index):
        counts: Counter[str] = Counter()
        for thread in process.threads:
            counts.update(thread.events)
        rows += [
            {
                "pid": process.pid,
                "comm": process.comm,
                "event": name,
                "count": counts[name],
                "share": counts[name] / index.events,
            }
            for name in sorted(counts)
        ]
    return rows


def thread_states_table(index: Index, pid: int) -> list[Row]:
    """Return one row for each thread of a process: times in each state (ms), in all and at most.

    Raises ValueError for a process that is not in the recording.
    """
    return [
        {
            "tid": one.tid,
            "comm": one.comm,
            "events": one.events.total(),
            "switches": one.switches,
            "running_ms": milliseconds(one.spent["running"]),
            "runnable_ms": milliseconds(one.spent["runnable"]),
            "asleep_ms": milliseconds(one.spent["asleep"]),
            "blocked_ms": milliseconds(one.spent["blocked"]),
            "wait_ms": milliseconds(one.longest["runnable"]),
            "io_ms": milliseconds(one.longest["blocked"]),
            "reclaim_ms": milliseconds(one.reclaim),
        }
        for one in process_of(index, pid).threads
    ]


def timeline_table(index: Index, pid: int | None) -> list[Row]:
    """Return the number of events in each 100 ms of the recording, of one process or of all.

    Raises ValueError for a process that is not in the recording.
    """
    threads = index.threads.values() if pid is None else process_of(index, pid).threads
    counts: Counter[int] = Counter()
    for thread in threads:
        counts.update(thread.buckets)
    steps = (index.end - index.begin) // BUCKET + 1
    return [{"at_ms": step * BUCKET // MILLI, "events": counts[step]} for step in range(steps)]


def process_of(index: Index, pid: int) -> Process:
    """Return a process. Raises ValueError for one that is not in the recording."""
    for process in processes(index):
        if process.pid == pid:
            return process
    raise ValueError(f"pid {pid} is not in this recording; take a pid from another tool's result")

"""Events as lines of `perf script`."""

import re
from collections.abc import Iterable, Iterator

from ullage.lab.environment import perf_records, syscalls
from ullage.lab.environment.body import read_named, write_body
from ullage.lab.environment.clock import nanoseconds, shown
from ullage.lab.environment.event import Event, Value
from ullage.lab.environment.reading import Reading, bad_line, numbered

GROUPS = {
    "sched_": "sched",
    "syscall_": "syscalls",
    "irq_": "irq",
    "block_": "block",
    "mm_vmscan_": "vmscan",
    "lttng_": "lttng",
}
"""The group that perf names before an event, by how its name begins."""

LINE = re.compile(
    r"\s*(?P<comm>.*?)\s+(?P<first>-?\d+)(?:/(?P<tid>\d+))?\s+\[(?P<cpu>\d+)\]\s+(?:[^\s:\d]\S*\s+)?"
    r"(?P<seconds>\d+)\.(?P<fraction>\d+):\s+(?P<what>\S.*)"
)
NAMED = re.compile(r"(?:\d+\s+)?(?:(?P<group>\w+):)?(?P<name>\w+):(?:\s+(?P<body>.*))?", re.DOTALL)
STACK = re.compile(r"\s+[0-9a-f]+ .*")
EXPECTED = "a line like `java 1013 [001] 10.000100: sched:sched_switch: prev_comm=…`"


def write_perf(event: Event) -> str:
    """Return an event as a line of `perf script --ns -F +pid`, with its end.

    A comm that looks like the rest of a line (`a 1 [000] 1.0: x`) is not read back as it was.
    """
    comm = "swapper" if event.tid == 0 else event.comm
    thread = f"{event.tid:5}" if event.pid is None else f"{event.pid:5}/{event.tid:<5}"
    name, body = event.name, ""
    if syscalls.is_syscall(name):
        name, body = syscalls.write_perf(name, event.fields)
    else:
        body = write_body(name, event.fields)
    group = next((word for begin, word in GROUPS.items() if event.name.startswith(begin)), None)
    full = f"{group}:{name}" if group else name
    return f"{comm:>16} {thread} [{event.cpu:03}] {shown(event.time):>13}: {full}: {body}\n"


def read_perf(lines: Iterable[str], reading: Reading) -> Iterator[Event]:
    """Yield the events of `perf script`, its records of namespaces and forks among them.

    Lines of call stacks, comments and lost events are counted in `reading`. Raises LoadError for
    any other line that is no event.
    """
    pending: perf_records.Pending | None = None
    for number, line in numbered(lines):
        if pending:
            if not pending.take(line):
                raise bad_line(reading, number, line, expected="the rest of a list of namespaces")
            reading.counts["namespaces"] += 1
            if pending.event:
                yield pending.event
                pending = None
            continue
        try:
            read = event_of(line, reading)
        except ValueError as error:
            raise bad_line(reading, number, line, expected=EXPECTED) from error
        if isinstance(read, perf_records.Pending):
            pending = read
            reading.counts["namespaces"] += 1
        elif read is not None:
            reading.counts["event"] += 1
            yield read
    if pending:
        raise bad_line(reading, number, line, expected="the rest of a list of namespaces below it")


def event_of(line: str, reading: Reading) -> Event | perf_records.Pending | None:
    """Return what a line is, None where it is counted only. Raises ValueError for no such line."""
    if not line.strip() or line.startswith("#"):
        reading.counts["comment" if line.strip() else "blank"] += 1
        return None
    found = LINE.fullmatch(line)
    if found is None:
        if not STACK.fullmatch(line):
            raise ValueError("no event")
        reading.counts["stack"] += 1
        return None
    head = head_of(found)
    if found["what"].startswith("PERF_RECORD_"):
        return perf_records.read(head, found["what"], reading)
    read = what_of(found["what"])
    if read is None:
        raise ValueError("no name")
    return Event(**head, name=read[0], fields=read[1])


def head_of(found: re.Match[str]) -> perf_records.Head:
    """Return what stands before the name of an event: `pid/tid`, or `tid` alone."""
    cpu = int(found["cpu"])
    tid = int(found["tid"] or found["first"])
    comm = found["comm"]
    return {
        "time": nanoseconds(found["seconds"], found["fraction"]),
        "cpu": cpu,
        "comm": f"swapper/{cpu}" if tid == 0 and comm in {"swapper", ":0"} else comm,
        "tid": tid,
        "pid": int(found["first"]) if found["tid"] else None,
    }


def what_of(what: str) -> tuple[str, dict[str, Value]] | None:
    """Return the name and fields of an event, None for a text that has no name."""
    found = NAMED.fullmatch(what)
    if found is None:
        return None
    return read_named(found["name"], found["body"] or "")

"""Events as lines of ftrace: the kernel's `trace` file, and `trace-cmd report`."""

import re
from collections.abc import Iterable, Iterator

from ullage.lab.environment import syscalls
from ullage.lab.environment.body import read_named, write_body
from ullage.lab.environment.clock import nanoseconds, shown
from ullage.lab.environment.event import Event, Value
from ullage.lab.environment.reading import Reading, bad_line, numbered

HEADER = """\
# tracer: nop
#
#                                     _-----=> irqs-off/BH-disabled
#                                    / _----=> need-resched
#                                   | / _---=> hardirq/softirq
#                                   || / _--=> preempt-depth
#                                   ||| / _-=> migrate-disable
#                                   |||| /     delay
#           TASK-PID      TGID  CPU#  |||||  TIMESTAMP  FUNCTION
#              | |           |   |    |||||     |         |
"""
"""What the kernel writes above its lines with the option `record-tgid`."""

LINE = re.compile(
    r"\s*(?P<comm>.*)-(?P<tid>\d+)\s+(?:\(\s*(?P<pid>\d+|-+)\)\s+)?\[(?P<cpu>\d+)\]\s+"
    r"(?:[^\s:]+\s+)?(?P<seconds>\d+)\.(?P<fraction>\d+):\s+(?P<what>\S.*)"
)
NAMED = re.compile(r"(?P<name>\w+):(?:\s+(?P<body>.*))?", re.DOTALL)
LOST = re.compile(r"CPU:\s*\d+ \[(?:LOST (?P<lost>\d+) EVENTS|EVENTS DROPPED)\]")
CPUS = re.compile(r"(?:cpus=\d+|version = \d+|CPU \d+ is empty)")
"""What trace-cmd writes above its lines."""
EXPECTED = "a line like `java-1013 [001] d..2. 10.000100: sched_switch: prev_comm=…`"


def write_ftrace(event: Event) -> str:
    """Return an event as a line of ftrace's `trace` file, with its end.

    A comm that looks like the rest of a line (`a-1 [000] 1.0: x`) is not read back as it was.
    """
    idle = event.tid == 0
    comm = "<idle>" if idle else event.comm
    pid = "-------" if event.pid is None else f"{event.pid:7}"
    if syscalls.is_syscall(event.name):
        what = syscalls.write_ftrace(event.name, event.fields)
    else:
        what = f"{event.name}: {write_body(event.name, event.fields)}"
    head = f"{comm:>16}-{event.tid:<7} ({pid}) [{event.cpu:03}] d..2. {shown(event.time):>13}"
    return f"{head}: {what}\n"


def read_ftrace(lines: Iterable[str], reading: Reading) -> Iterator[Event]:
    """Yield the events of ftrace text, and count in `reading` what else stands there.

    Raises LoadError for a line that is no event, comment or word of lost events.
    """
    for number, line in numbered(lines):
        other = kind(line, reading)
        if other:
            reading.counts[other] += 1
            continue
        try:
            event = event_of(line)
        except ValueError as error:
            raise bad_line(reading, number, line, expected=EXPECTED) from error
        reading.counts["event"] += 1
        yield event


def event_of(line: str) -> Event:
    """Return the event of a line. Raises ValueError for a line that is none."""
    found = LINE.fullmatch(line)
    read = what_of(found["what"]) if found else None
    if found is None or read is None:
        raise ValueError("no event")
    name, fields = read
    cpu, tid, pid = int(found["cpu"]), int(found["tid"]), found["pid"]
    return Event(
        time=nanoseconds(found["seconds"], found["fraction"]),
        cpu=cpu,
        comm=f"swapper/{cpu}" if tid == 0 else found["comm"],
        tid=tid,
        pid=int(pid) if pid and pid.isdigit() else None,
        name=name,
        fields=fields,
    )


def kind(line: str, reading: Reading) -> str | None:
    """Return what a line is that is no event, None where it has to be one."""
    if not line.strip():
        return "blank"
    if line.startswith("#") or CPUS.match(line):
        return "comment"
    lost = LOST.match(line.strip())
    if lost:
        reading.lost += int(lost["lost"] or 1)
        return "lost"
    return None


def what_of(what: str) -> tuple[str, dict[str, Value]] | None:
    """Return the name and fields of an event, None for a text that has no name."""
    call = syscalls.read_ftrace(what)
    if call:
        return call
    found = NAMED.fullmatch(what)
    if found is None:
        return None
    return read_named(found["name"], found["body"] or "")

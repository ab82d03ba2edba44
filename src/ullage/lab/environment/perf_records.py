"""Lines of `perf script` that are no samples: commands, forks, exits, namespaces, losses.

They are there with `--show-task-events`, `--show-namespace-events` and `--show-lost-events`, and
become events named `perf_comm`, `perf_fork`, `perf_exit` and `perf_namespaces`.
"""

import re
from dataclasses import dataclass
from typing import TypedDict

from ullage.lab.environment.event import Event, Value
from ullage.lab.environment.reading import Reading


class Head(TypedDict):
    """What stands before the name of an event."""

    time: int
    cpu: int
    comm: str
    tid: int
    pid: int | None


COMM = re.compile(r"PERF_RECORD_COMM(?: exec)?: (?P<name>.*):(?P<pid>\d+)/(?P<tid>\d+)")
TASK = re.compile(
    r"PERF_RECORD_(?P<what>FORK|EXIT)"
    r"\((?P<pid>\d+):(?P<tid>\d+)\):\((?P<parent_pid>\d+):(?P<parent_tid>\d+)\)"
)
NAMESPACES = re.compile(r"PERF_RECORD_NAMESPACES (?P<pid>\d+)/(?P<tid>\d+) - nr_namespaces: \d+")
LOST = re.compile(r"PERF_RECORD_LOST(?:_SAMPLES)?:? *(?:lost )?(?P<lost>\d+)")
PID_NAMESPACE = re.compile(r"\d+/pid: \d+/(0x[0-9a-f]+)")


@dataclass(slots=True)
class Pending:
    """A record of namespaces whose list stands on the lines below it."""

    head: Head
    pid: int
    tid: int
    inum: int | None = None
    event: Event | None = None

    def take(self, line: str) -> bool:
        """Take a line of the list; False for one that is none. The last one makes the event."""
        text = line.strip()
        if not re.match(r"\[?\d+/\w+: ", text):
            return False
        found = PID_NAMESPACE.search(text)
        if found:
            self.inum = int(found[1], 16)
        if text.endswith("]"):
            fields: dict[str, Value] = {"tid": self.tid, "pid": self.pid}
            if self.inum is not None:
                fields["ns_inum"] = self.inum
            self.event = Event(**self.head, name="perf_namespaces", fields=fields)
        return True


def read(head: Head, what: str, reading: Reading) -> Event | Pending | None:
    """Return the event of a record; None for a record that is counted only."""
    found = COMM.fullmatch(what)
    if found:
        fields: dict[str, Value] = {"tid": int(found["tid"]), "pid": int(found["pid"])}
        return Event(**head, name="perf_comm", fields=fields | {"name": found["name"]})
    task = TASK.fullmatch(what)
    if task:
        keys = ("tid", "pid", "parent_tid", "parent_pid")
        name = f"perf_{task['what'].lower()}"
        return Event(**head, name=name, fields={key: int(task[key]) for key in keys})
    space = NAMESPACES.fullmatch(what)
    if space:
        return Pending(head, int(space["pid"]), int(space["tid"]))
    lost = LOST.match(what)
    if lost:
        reading.lost += int(lost["lost"])
    reading.counts["lost" if lost else "other record"] += 1
    return None

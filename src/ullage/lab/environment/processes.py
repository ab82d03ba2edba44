"""Processes: the threads of a recording by the process that they belong to."""

from collections.abc import Sequence
from dataclasses import dataclass

from ullage.lab.environment.threads import Doing, Index, Thread


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """A process and its threads, its main thread first where the recording has it."""

    pid: int
    threads: Sequence[Thread]

    @property
    def main(self) -> Thread:
        """The thread that stands for the process."""
        return self.threads[0]

    @property
    def comm(self) -> str:
        """What it runs."""
        return self.main.comm

    @property
    def ns(self) -> int | None:
        """Its pid namespace, None where the recording does not say."""
        return next((one.ns for one in self.threads if one.ns is not None), None)

    @property
    def ppid(self) -> int | None:
        """The process that forked it, None where the recording does not say."""
        return self.main.ppid

    @property
    def born(self) -> bool:
        """Whether it began during the recording."""
        return self.main.born

    @property
    def start(self) -> int:
        """The time of its first event, in nanoseconds."""
        return min(one.start for one in self.threads)

    @property
    def end(self) -> int:
        """The time of its last event, in nanoseconds."""
        return max(one.end for one in self.threads)

    @property
    def order(self) -> int:
        """How many threads the recording names before it."""
        return min(one.order for one in self.threads)

    @property
    def events(self) -> int:
        """How many events happened while it ran."""
        return sum(one.events.total() for one in self.threads)

    @property
    def switches(self) -> int:
        """How often it was put on a CPU."""
        return sum(one.switches for one in self.threads)

    @property
    def reclaim(self) -> int:
        """Its longest direct reclaim of memory, in nanoseconds."""
        return max(one.reclaim for one in self.threads)

    def spent(self, doing: Doing) -> int:
        """Return the nanoseconds that its threads spent in a state."""
        return sum(one.spent[doing] for one in self.threads)

    def longest(self, doing: Doing) -> int:
        """Return the longest single time that a thread of it was in a state, in nanoseconds."""
        return max(one.longest[doing] for one in self.threads)


def processes(index: Index) -> list[Process]:
    """Return all processes by pid; the idle threads are process 0, unknown threads are -1."""
    found: dict[int, list[Thread]] = {}
    for thread in index.threads.values():
        found.setdefault(thread.pid, []).append(thread)
    return [
        Process(pid=pid, threads=sorted(found[pid], key=lambda one: (one.tid != pid, one.tid)))
        for pid in sorted(found)
    ]

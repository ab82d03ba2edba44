"""What every thread did in a recording: how often it ran, and the longest it had to wait.

One pass over the events, which holds a few numbers a thread and none of the events.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ullage.lab.environment.event import Event
from ullage.lab.environment.recording import Recording

Doing = Literal["running", "runnable", "asleep", "blocked"]

BUCKET = 100_000_000
"""Nanoseconds of one step of the timeline: 100 ms."""
TOLD = "perf_"
"""How the names of perf's own records begin."""
WAKING = frozenset({"sched_waking", "sched_wakeup", "sched_wakeup_new"})
BLOCKED = "D"
"""The letter of uninterruptible sleep: waiting for a disk, mostly."""


@dataclass(slots=True, kw_only=True)
class Thread:
    """One thread. Times are nanoseconds; `pid` is its process, `ns` its pid namespace if known.

    `here` says that the state dump named it: it was there before the recording. `spent` is how
    long it was in each state, `longest` the longest single time; `reclaim` the longest single
    direct reclaim of memory. `start` and `end` are the first and the last event about it.
    """

    tid: int
    pid: int
    comm: str
    start: int
    end: int
    ppid: int | None = None
    ns: int | None = None
    here: bool = False
    born: bool = False
    order: int = 0
    events: Counter[str] = field(default_factory=Counter)
    buckets: Counter[int] = field(default_factory=Counter)
    spent: Counter[Doing] = field(default_factory=Counter)
    longest: Counter[Doing] = field(default_factory=Counter)
    switches: int = 0
    reclaim: int = 0
    doing: Doing | None = None
    since: int = 0
    reclaiming: int | None = None

    def turn(self, doing: Doing | None, time: int) -> None:
        """Be in another state from a time on."""
        if self.doing is not None:
            length = time - self.since
            self.spent[self.doing] += length
            self.longest[self.doing] = max(self.longest[self.doing], length)
        self.doing, self.since = doing, time


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """All threads of a recording, and its first and last time in nanoseconds."""

    threads: Mapping[int, Thread]
    containers: Mapping[int, str]
    begin: int
    end: int
    events: int


def index(recording: Recording) -> Index:
    """Return what every thread did. Raises ValueError for a recording without events."""
    indexing = Indexing()
    for event in recording.events():
        indexing.add(event)
    return indexing.done(recording.containers)


@dataclass(slots=True, kw_only=True)
class Indexing:
    """An index that is being made, event by event."""

    threads: dict[int, Thread] = field(default_factory=dict)
    begin: int = 0
    end: int = 0
    events: int = 0
    started: bool = False

    def add(self, event: Event) -> None:
        """Take the next event."""
        # What perf says of threads that were there already has the time 0.
        if not self.started and not event.name.startswith(TOLD):
            self.begin, self.started = event.time, True
        self.events, self.end = self.events + 1, event.time
        thread = known(self.threads, event.tid, event)
        if event.comm:
            thread.comm = event.comm
        if event.pid is not None:
            thread.pid = event.pid
        if thread.doing not in {None, "running"}:
            # perf records one command's own events: the switch to it stands in another's.
            thread.turn("running", event.time)
        thread.events[event.name] += 1
        thread.buckets[max(0, event.time - self.begin) // BUCKET] += 1
        thread.end = event.time
        act = ACTS.get(event.name)
        if act is not None:
            act(self.threads, thread, event)

    def done(self, containers: Mapping[int, str]) -> Index:
        """Return the index of all events so far. Raises ValueError where there are none."""
        if not self.events:
            raise ValueError("a recording without events says nothing; read one that has some")
        for thread in self.threads.values():
            thread.turn(None, self.end)
        return Index(
            threads=self.threads,
            containers=containers,
            begin=self.begin,
            end=self.end,
            events=self.events,
        )


def known(threads: dict[int, Thread], tid: int, event: Event, comm: str = "") -> Thread:
    """Return a thread, from now on a known one."""
    thread = threads.get(tid)
    if thread is None:
        thread = Thread(
            tid=tid,
            pid=tid,
            comm=comm,
            start=event.time,
            end=event.time,
            order=len(threads),
        )
        threads[tid] = thread
    return thread


def switched(threads: dict[int, Thread], _: Thread, event: Event) -> None:
    """Take one thread off a CPU, and put the other one on."""
    fields = event.fields
    before = known(threads, number(fields["prev_tid"]), event, str(fields["prev_comm"]))
    then = known(threads, number(fields["next_tid"]), event, str(fields["next_comm"]))
    state = str(fields["prev_state"])
    left: Doing = "asleep"
    if state.startswith("R"):
        left = "runnable"
    elif BLOCKED in state:
        left = "blocked"
    before.turn(left, event.time)
    then.turn("running", event.time)
    then.comm, then.end = str(fields["next_comm"]), event.time
    then.switches += 1


def woken(threads: dict[int, Thread], _: Thread, event: Event) -> None:
    """Let a thread be runnable, unless it runs or is so already."""
    thread = known(threads, number(event.fields["tid"]), event, str(event.fields["comm"]))
    if thread.doing not in {"running", "runnable"}:
        thread.turn("runnable", event.time)


def dumped(threads: dict[int, Thread], _: Thread, event: Event) -> None:
    """Take a thread that was there before the recording."""
    fields = event.fields
    thread = known(threads, number(fields["tid"]), event, str(fields["name"]))
    thread.comm, thread.here = str(fields["name"]), True
    thread.pid, thread.ppid = number(fields["pid"]), number(fields["ppid"])
    thread.ns = number(fields["ns_inum"])


def forked(threads: dict[int, Thread], parent: Thread, event: Event) -> None:
    """Take a thread that begins; where no namespace is told, it is in that of its parent."""
    fields = event.fields
    thread = known(threads, number(fields["child_tid"]), event, str(fields["child_comm"]))
    thread.born = True
    thread.start = event.time
    thread.pid = number(fields.get("child_pid", thread.tid))
    thread.ppid = number(fields.get("parent_pid", fields["parent_tid"]))
    if thread.pid == parent.pid:
        thread.ppid = parent.ppid
    # perf may have told the namespace before the fork: a parent's own is then the wrong one.
    space = fields.get("child_ns_inum", parent.ns if thread.ns is None else thread.ns)
    thread.ns = None if space is None else number(space)


def told(threads: dict[int, Thread], _: Thread, event: Event) -> None:
    """Take what perf says about a thread's namespace: it is there, or has moved."""
    thread = known(threads, number(event.fields["tid"]), event)
    thread.pid = number(event.fields["pid"])
    if "ns_inum" in event.fields:
        thread.ns = number(event.fields["ns_inum"])


def ended(_: dict[int, Thread], thread: Thread, event: Event) -> None:
    """Note when a thread ends: its switch out says no more."""
    thread.end = event.time


def reclaims(_: dict[int, Thread], thread: Thread, event: Event) -> None:
    """Begin or end a direct reclaim."""
    if event.name.endswith("_begin"):
        thread.reclaiming = event.time
    elif thread.reclaiming is not None:
        thread.reclaim = max(thread.reclaim, event.time - thread.reclaiming)
        thread.reclaiming = None


def number(value: int | str) -> int:
    """Return a number of an event. Raises ValueError for a text that is none."""
    return int(value)


ACTS = {
    "sched_switch": switched,
    **dict.fromkeys(WAKING, woken),
    "lttng_statedump_process_state": dumped,
    "sched_process_fork": forked,
    "perf_namespaces": told,
    "sched_process_exit": ended,
    "mm_vmscan_direct_reclaim_begin": reclaims,
    "mm_vmscan_direct_reclaim_end": reclaims,
}
"""What an event changes besides being counted for the thread that ran."""

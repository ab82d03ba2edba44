"""The truth about a generated recording: who is at fault, and exact counts. Never for an agent."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from ullage.lab.environment.deployment import Deployment, Task
from ullage.lab.environment.event import Event
from ullage.lab.environment.generate import Generated
from ullage.lab.environment.listing import EARLY, LATE, list_containers
from ullage.lab.environment.parameters import Fault, Parameters
from ullage.lab.environment.schedule import TOGETHER
from ullage.lab.environment.second_path import Identity
from ullage.lab.environment.slices import LONG
from ullage.lab.environment.threads import Index

FAULT_FROM = LONG[0] - TOGETHER
"""A gap of so many nanoseconds is the fault's: a healthy one is at most a third of it."""
FORMAT = "ullage.recording-truth/1"


class Process(msgspec.Struct, frozen=True, kw_only=True):
    """A process, and the container that it runs in."""

    container: str
    ns_inum: int
    pid: int
    tids: tuple[int, ...]
    comm: str


class Count(msgspec.Struct, frozen=True, kw_only=True):
    """Events while a container's threads ran: of all, and of those behind the fork."""

    events: int
    share: float
    events_after_fork: int | None
    share_after_fork: float | None


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """Where the culprit stands, in a healthy recording the loud innocent process."""

    list: str
    index: int
    records: int


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """The produced listing, as compact JSON."""

    chars: int
    early: int
    late: int


class Truth(msgspec.Struct, frozen=True, kw_only=True):
    """What is true of a recording. Times are nanoseconds of its clock; shares are parts of 1.

    `culprit` is None where it is healthy, and so are `fault_interval` (its first to its last long
    gap) and `fork_time` of a resident one. `containers` counts by container; `host` are the
    host's own processes, `idle` the CPUs that did nothing.
    """

    schema: str = FORMAT
    seed: int
    parameters: Mapping[str, object]
    culprit: Process | None
    loud: Process
    peers: tuple[str, ...]
    fault: Fault | None
    fault_interval: tuple[int, int] | None
    fork_time: int | None
    listed: Listed
    events: int
    containers: Mapping[str, Count]
    host: Count
    idle: Count
    listing: Listing


@dataclass(slots=True, kw_only=True)
class Counting:
    """Counts that are being made, event by event."""

    deployment: Deployment
    fault: Fault | None
    all: Counter[int] = field(default_factory=Counter)
    after: Counter[int] = field(default_factory=Counter)
    fork_time: int | None = None
    left: dict[int, tuple[str, int]] = field(default_factory=dict)
    gaps: list[tuple[int, int]] = field(default_factory=list)
    spaces: dict[int, int] = field(init=False)

    def __post_init__(self) -> None:
        self.spaces = {tid: one.ns for one in self.deployment.tasks for tid in one.tids} | {0: 0}

    def add(self, event: Event) -> None:
        """Take the next event."""
        focus = self.deployment.focus
        space = self.spaces[event.tid]
        self.all[space] += 1
        if self.fork_time is not None:
            self.after[space] += 1
        if event.name == "sched_process_fork" and event.fields["child_tid"] == focus.pid:
            self.fork_time = event.time
        if focus.faulty:
            self.watch(event, focus)

    def watch(self, event: Event, focus: Task) -> None:
        """Note the beginning or the end of a gap of the culprit."""
        begun, ended = around(event, self.fault)
        if ended in focus.tids and ended in self.left:
            _, since = self.left.pop(ended)
            if event.time - since >= FAULT_FROM:
                self.gaps.append((since, event.time))
        if begun in focus.tids:
            self.left[begun] = (event.name, event.time)


def around(event: Event, fault: Fault | None) -> tuple[int, int]:
    """Return whose gap of a fault's kind begins with an event, and whose ends; -1 for nobody's."""
    if fault == "memory":
        begins = event.name == "mm_vmscan_direct_reclaim_begin"
        ends = event.name == "mm_vmscan_direct_reclaim_end"
        return (event.tid if begins else -1), (event.tid if ends else -1)
    wanted = "D" if fault == "io" else "R"
    if event.name == "block_rq_complete" or event.name != "sched_switch":
        return -1, -1
    state = str(event.fields["prev_state"])
    return (
        int(event.fields["prev_tid"]) if state.startswith(wanted) else -1,
        int(event.fields["next_tid"]),
    )


def truth(generated: Generated, counting: Counting, index: Index) -> Truth:
    """Return the truth from what was generated, and from counts over all of its events."""
    deployment, parameters = generated.deployment, generated.parameters
    names = generated.recording.containers
    lists = list_containers(index)
    side = EARLY if parameters.listed == "spawned" else LATE
    focus = process(deployment.focus, names)
    gaps = counting.gaps
    counts = {
        name: count(counting, ns) for ns, name in sorted(names.items(), key=lambda pair: pair[1])
    }
    return Truth(
        seed=generated.seed,
        parameters=shown(parameters),
        culprit=focus if deployment.focus.faulty else None,
        loud=process(deployment.loud, names),
        peers=tuple(sorted(one.name for one in deployment.peers)),
        fault=parameters.fault,
        fault_interval=(gaps[0][0], gaps[-1][1]) if gaps else None,
        fork_time=counting.fork_time,
        listed=Listed(
            list=side,
            index=[row["pid"] for row in lists[side]].index(focus.pid),
            records=len(lists[side]),
        ),
        events=counting.all.total(),
        containers=counts,
        host=count(counting, deployment.tasks[0].ns),
        idle=count(counting, 0),
        listing=Listing(
            chars=len(msgspec.json.encode(lists).decode()),
            early=len(lists[EARLY]),
            late=len(lists[LATE]),
        ),
    )


def count(counting: Counting, ns: int) -> Count:
    """Return the events of a namespace. Shares are n/a (None) where there is no fork."""
    events, after = counting.all[ns], counting.after[ns]
    forked = counting.fork_time is not None
    return Count(
        events=events,
        share=events / counting.all.total(),
        events_after_fork=after if forked else None,
        share_after_fork=after / counting.after.total() if forked else None,
    )


def process(one: Task, names: Mapping[int, str]) -> Process:
    """Return a process as truth data names it."""
    return Process(
        container=names[one.ns], ns_inum=one.ns, pid=one.pid, tids=one.tids, comm=one.comm
    )


def shown(parameters: Parameters) -> dict[str, object]:
    """Return the parameters as JSON can hold them."""
    return {
        "kind": parameters.kind,
        "loudness": parameters.loudness,
        "position": parameters.position,
        "fault": parameters.fault,
        "side": parameters.listed,
        "share_of": parameters.share_of,
        "n_events": parameters.n_events,
        "names": list(parameters.names) if parameters.names is not None else None,
    }


def candidates(generated: Generated) -> tuple[Identity, ...]:
    """Return the containers that are alike: in a quiet case the culprit is one of them."""
    return tuple(
        Identity(
            container=one.name,
            ns=one.ns,
            pids=tuple(
                tid for task in generated.deployment.tasks if task.ns == one.ns for tid in task.tids
            ),
        )
        for one in generated.deployment.peers
    )


def culprit_of(generated: Generated) -> int | None:
    """Return which of the candidates is the culprit, None in a healthy recording."""
    focus = generated.deployment.focus
    if not focus.faulty:
        return None
    return next(at for at, one in enumerate(generated.deployment.peers) if one.ns == focus.ns)

"""Who runs on the recorded machine: containers, processes and threads, and how much each does.

Nothing here happens in time yet. Five containers are alike, the culprit's among them: all their
processes stand on the culprit's side only (all spawned or all resident), so that no other list
names them. Every other container has processes on both sides.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from ullage.lab.environment.naming import COMMS, container_names
from ullage.lab.environment.parameters import (
    BORDER,
    CONTAINERS,
    LISTED,
    LOUD_SHARE,
    QUIET_SHARE,
    REACHED,
    Parameters,
    Side,
)

HOST = 4_026_531_836
"""The first pid namespace of every Linux: PROC_PID_INIT_INO."""
FIRST_NAMESPACE = 4_026_532_000
PEERS = 5
EACH = 7
"""So many processes each of the five alike containers has."""
KERNEL_THREADS = 200
HOST_LATE = 120
"""Short processes of the host that start behind all others: the newest pids are theirs."""
KERNEL_SHARE = 0.00022
BORN = (0.02, 0.18)
"""Between these parts of the recording, processes of containers are spawned."""
LATE_BORN = (0.2, 0.9)


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """A pid namespace, and the name that people know it by."""

    ns: int
    name: str
    comm: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A process: `share` is its part of all events, None for one that takes of what is left.

    `born` is when it was forked, as a part of the recording; None where it was there before.
    `tids` are its threads, the first one is its own pid. `parent` is the pid that forks it.
    """

    pid: int
    tids: tuple[int, ...]
    parent: int
    comm: str
    ns: int
    share: float | None
    born: float | None
    weight: float = 1.0
    faulty: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """Everything that runs, in the order in which the recording names it.

    `focus` is the culprit, in a healthy recording the loud innocent process; `loud` is the loud
    process, which is the culprit in a loud recording. `peers` are the containers that are alike.
    """

    containers: tuple[Container, ...]
    peers: tuple[Container, ...]
    tasks: tuple[Task, ...]
    focus: Task
    loud: Task


def deploy(parameters: Parameters, rng: random.Random) -> Deployment:
    """Return who runs in a recording. Names are drawn apart: other names change nothing else."""
    drawn = container_names(random.Random(rng.getrandbits(64)), CONTAINERS)
    names = list(parameters.names or drawn)
    comms = ["java"] * PEERS + [COMMS[at % len(COMMS)] for at in range(CONTAINERS - PEERS)]
    order = list(range(CONTAINERS))
    rng.shuffle(order)
    containers = [
        Container(ns=FIRST_NAMESPACE + 7 * at, name=names[at], comm=comm)
        for at, comm in zip(order, comms, strict=True)
    ]
    peers, others = containers[:PEERS], containers[PEERS:]
    side = parameters.listed
    focus_in = peers[0] if parameters.kind != "healthy" else others[0]
    quiet = parameters.loudness == "quiet" and parameters.kind != "healthy"
    slots = {one: [] if one == side else placed({}, others, one, rng) for one in LISTED}
    fixed = peer_slots(parameters, focus_in, peers, rng)
    slots[side] = placed(fixed, others, side, rng)
    tasks = numbered(slots, containers, rng)
    mine = [one for one in tasks if (one.born is not None) == (side == "spawned") and listed(one)]
    focus = mine[parameters.position]
    loud = focus if not quiet else rng.choice([one for one in mine if one.ns in spaces(others)])
    tasks = [shared(one, focus, loud, spaces(peers), parameters) for one in tasks]
    return Deployment(
        containers=tuple(sorted(containers, key=lambda one: one.ns)),
        peers=tuple(sorted(peers, key=lambda one: one.ns)),
        tasks=tuple(tasks),
        focus=next(one for one in tasks if one.pid == focus.pid),
        loud=next(one for one in tasks if one.pid == loud.pid),
    )


def spaces(containers: Sequence[Container]) -> set[int]:
    """Return the namespaces of containers."""
    return {one.ns for one in containers}


def listed(task: Task) -> bool:
    """Whether a process runs in a container: the listing holds no others."""
    return task.ns != HOST


def peer_slots(
    parameters: Parameters, focus_in: Container, peers: Sequence[Container], rng: random.Random
) -> dict[int, Container]:
    """Return which places of the culprit's list belong to it and to the containers like it.

    Where a prefix does not reach the culprit, it reaches none of them: else whoever is seen to be
    healthy there would tell who is left.
    """
    side = parameters.listed
    position, size = parameters.position, LISTED[side]
    low = next((low for low in (REACHED[side], BORDER) if position >= low), 0)
    free = [at for at in range(low, size) if at != position]
    wanted = [one for one in peers for _ in range(EACH)]
    if focus_in in peers:
        wanted.remove(focus_in)
    chosen = rng.sample(free, len(wanted))
    rng.shuffle(wanted)
    return {position: focus_in} | dict(zip(chosen, wanted, strict=True))


def placed(
    fixed: dict[int, Container], others: Sequence[Container], side: Side, rng: random.Random
) -> list[Container]:
    """Return the container of every place of a list: those that are fixed, the others spread."""
    free = [at for at in range(LISTED[side]) if at not in fixed]
    spread = [others[at % len(others)] for at in range(len(free))]
    rng.shuffle(spread)
    return [container for _, container in sorted([*fixed.items(), *zip(free, spread, strict=True)])]


def numbered(
    slots: dict[Side, list[Container]], containers: Sequence[Container], rng: random.Random
) -> list[Task]:
    """Return the processes with pids that grow in the order of their lists, as a kernel's do."""
    kernel = [
        task(pid=pid, parent=2 if pid > 2 else 0, comm=comm, ns=HOST, share=KERNEL_SHARE)
        for pid, comm in kernel_threads(rng)
    ]
    shim, daemon = 900, 950
    host = [
        task(pid=1, parent=0, comm="systemd", ns=HOST, share=KERNEL_SHARE),
        task(pid=shim, parent=1, comm="containerd-shim", ns=HOST, share=KERNEL_SHARE),
        task(pid=daemon, parent=1, comm="lttng-sessiond", ns=HOST, share=KERNEL_SHARE),
    ]
    pid = 10_000
    first: dict[int, int] = {}
    resident = []
    for container in slots["resident"]:
        pid += rng.randint(3, 40)
        parent = first.setdefault(container.ns, pid)
        resident.append(
            task(
                pid=pid,
                parent=shim if parent == pid else parent,
                comm=container.comm,
                ns=container.ns,
                weight=rng.uniform(1.0, 1.3),
            )
        )
    spawned = []
    for at, container in enumerate(slots["spawned"]):
        pid += rng.randint(3, 40)
        spawned.append(
            task(
                pid=pid,
                # A container that starts during the recording is forked by the host's runtime.
                parent=first.get(container.ns, shim),
                comm=container.comm,
                ns=container.ns,
                born=part(BORN, at, len(slots["spawned"])),
                weight=rng.uniform(1.0, 1.3),
            )
        )
    late = []
    for at in range(HOST_LATE):
        pid += rng.randint(3, 40)
        born = part(LATE_BORN, at, HOST_LATE)
        late.append(task(pid=pid, parent=1, comm="bash", ns=HOST, share=KERNEL_SHARE, born=born))
    return sorted([*host, *kernel, *resident, *spawned, *late], key=lambda one: one.pid)


def task(
    *,
    pid: int,
    parent: int,
    comm: str,
    ns: int,
    share: float | None = None,
    born: float | None = None,
    weight: float = 1.0,
) -> Task:
    """Return a process of one thread."""
    return Task(
        pid=pid, tids=(pid,), parent=parent, comm=comm, ns=ns, share=share, born=born, weight=weight
    )


def part(between: tuple[float, float], at: int, of: int) -> float:
    """Return the `at`-th of so many points that are evenly spread between two."""
    low, high = between
    return low + (high - low) * at / of


def kernel_threads(rng: random.Random) -> list[tuple[int, str]]:
    """Return pids and comms of kernel threads: low pids, each a bit further on."""
    kinds = ("kworker/{}:{}", "ksoftirqd/{}", "migration/{}", "rcuop/{}", "kswapd{}")
    pid, found = 1, []
    for number in range(KERNEL_THREADS):
        pid += rng.randint(1, 4)
        kind = kinds[0] if number >= 4 * len(kinds) else kinds[number % len(kinds)]
        found.append((pid, kind.format(number % 4, number)))
    return found


def shared(one: Task, focus: Task, loud: Task, peers: set[int], parameters: Parameters) -> Task:
    """Return a process with its share of the events, its threads, and whether it has the fault."""
    is_loud = one.pid == loud.pid
    share = one.share
    if is_loud:
        share = LOUD_SHARE
    elif one.ns in peers:
        share = QUIET_SHARE / EACH
    threads = 3 if is_loud else 1
    return Task(
        pid=one.pid,
        # Pids grow by three at least, so that the next two numbers are free for threads.
        tids=tuple(one.pid + at for at in range(threads)),
        parent=one.parent,
        comm=one.comm,
        ns=one.ns,
        share=share,
        born=one.born,
        weight=one.weight,
        faulty=one.pid == focus.pid and parameters.kind != "healthy",
    )

"""The events of one slice: what a thread does between its switch in and its switch out."""

from ullage.lab.environment.deployment import Task
from ullage.lab.environment.event import Event, Value
from ullage.lab.environment.machine import BLOCK, PRIORITY, Cpu, Machine
from ullage.lab.environment.slices import Slice

DEAD = "X"
KTHREADD = 2
HANDED_OUT = "GFP_KERNEL|__GFP_NOWARN"


def run_slice(machine: Machine, cpu: Cpu, one: Slice, then: Slice | None) -> list[Event]:
    """Return the events of a slice, from behind its switch in to the switch to the next one.

    There are `one.size` of them, more only where forks and the waking of the next leave no room.
    """
    events = begun(machine, cpu, one)
    ends = ended(one)
    waking = wakes(machine, then)
    fill = one.size - len(events) - 1 - waking - (one.state == "D") - ends
    reclaims = one.reclaim > 0 and fill > 1
    if reclaims:
        fill -= 2
        events += reclaimed(machine, cpu, one)
    while fill > 0:
        events += worked(machine, cpu, one, fill)
        fill -= 1 if fill == 1 or kernel(one) else 2
    for task in one.forks:
        events += forked(machine, cpu, one, task)
    if then is not None:
        cpu.time = max(cpu.time, machine.free_at(then.tid))
        events += wake(machine, cpu, one, then)
    if one.state == "D":
        events.append(machine.block(cpu, one, done=False, comm=one.task.comm))
    if ends:
        fields: dict[str, Value] = {"comm": one.task.comm, "tid": one.tid, "prio": PRIORITY}
        events.append(machine.event(cpu, one, "sched_process_exit", fields))
    events.append(machine.switch(cpu, one, DEAD if ends else one.state, then))
    return events


def kernel(one: Slice) -> bool:
    """Whether the slice is that of a kernel thread: those make no system calls."""
    return one.task.parent == KTHREADD


def ended(one: Slice) -> bool:
    """Whether the process ends with this slice: those of the host that came late do."""
    return one.last and one.task.comm == "bash"


def begun(machine: Machine, cpu: Cpu, one: Slice) -> list[Event]:
    """Return what a process does first: it becomes its program and makes its threads."""
    if not one.first:
        return []
    fields: dict[str, Value] = {
        "filename": f"/usr/bin/{one.task.comm}",
        "tid": one.tid,
        "old_tid": one.tid,
    }
    events = [machine.event(cpu, one, "sched_process_exec", fields)]
    for tid in one.task.tids[1:]:
        events.append(fork(machine, cpu, one, one.task, tid))
    return events


def wakes(machine: Machine, then: Slice | None) -> int:
    """Return how many events it takes to wake the thread of a slice."""
    if then is None or machine.state(then.tid).startswith("R"):
        return 0
    return 2 if machine.state(then.tid) == "D" else 1


def wake(machine: Machine, cpu: Cpu, one: Slice | None, then: Slice) -> list[Event]:
    """Return the waking of a thread, with the end of what it was blocked on."""
    if not wakes(machine, then):
        return []
    events = []
    if machine.state(then.tid) == "D":
        events.append(machine.block(cpu, one, done=True, comm=then.task.comm))
    events.append(machine.event(cpu, one, "sched_waking", target(cpu, then.task, then.tid)))
    return events


def target(cpu: Cpu, task: Task, tid: int) -> dict[str, int | str]:
    """Return the fields of an event that wakes a thread on a CPU."""
    return {"comm": task.comm, "tid": tid, "prio": PRIORITY, "target_cpu": cpu.number}


def reclaimed(machine: Machine, cpu: Cpu, one: Slice) -> list[Event]:
    """Return a direct reclaim of memory, which the thread runs for as long as it lasts."""
    begin = machine.event(
        cpu, one, "mm_vmscan_direct_reclaim_begin", {"order": 0, "gfp_flags": HANDED_OUT}
    )
    cpu.time += one.reclaim
    pages = {"nr_reclaimed": machine.rng.randint(16, 64)}
    return [begin, machine.event(cpu, one, "mm_vmscan_direct_reclaim_end", pages)]


def worked(machine: Machine, cpu: Cpu, one: Slice, room: int) -> list[Event]:
    """Return a system call, or an interrupt where there is room for one event only."""
    if room == 1 or kernel(one):
        return [machine.interrupt(cpu, one)]
    asked = {"fd": machine.rng.randint(3, 64), "count": BLOCK}
    got = machine.rng.randint(0, BLOCK)
    return [
        machine.event(cpu, one, "syscall_entry_read", asked),
        machine.event(cpu, one, "syscall_exit_read", {"ret": got}),
    ]


def forked(machine: Machine, cpu: Cpu, one: Slice, task: Task) -> list[Event]:
    """Return the fork of a process, and its first waking."""
    events = [fork(machine, cpu, one, task, task.pid)]
    fields = target(cpu, task, task.pid)
    events.append(machine.event(cpu, one, "sched_wakeup_new", fields))
    machine.states[task.pid] = "R"
    machine.free[task.pid] = cpu.time
    return events


def fork(machine: Machine, cpu: Cpu, one: Slice, task: Task, tid: int) -> Event:
    """Return the fork of a thread of `task`."""
    return machine.event(
        cpu,
        one,
        "sched_process_fork",
        {
            "parent_comm": one.task.comm,
            "parent_tid": one.tid,
            "child_comm": task.comm,
            "child_tid": tid,
            "parent_pid": one.task.pid,
            "parent_ns_inum": one.task.ns,
            "child_pid": task.pid,
            "child_ns_inum": task.ns,
        },
    )

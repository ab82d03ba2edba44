"""The state dump at the beginning of a recording: every thread that is there already."""

from collections import Counter

from ullage.lab.environment.deployment import HOST, Task
from ullage.lab.environment.event import Event
from ullage.lab.environment.machine import Cpu, Machine
from ullage.lab.environment.running import KTHREADD
from ullage.lab.environment.slices import Slice

TRACER = "lttng-sessiond"
USER, KERNEL = 0, 1
WAITING = 2
IN_CONTAINER = 1


def state_dump(machine: Machine, cpu: Cpu) -> list[Event]:
    """Return the tracer's state dump, one event a thread, and the switches around it."""
    tracer = next(one for one in machine.deployment.tasks if one.comm == TRACER)
    one = Slice(due=cpu.time, task=tracer, tid=tracer.pid, size=0)
    events = [machine.interrupt(cpu, None), machine.switch(cpu, None, "R", one)]
    inside: Counter[int] = Counter()
    for task in machine.deployment.tasks:
        if task.born is None:
            for tid in task.tids:
                inside[task.ns] += 1
                events.append(state(machine, cpu, one, task, tid, inside[task.ns]))
    events.append(machine.switch(cpu, one, "S", None))
    return events


def state(machine: Machine, cpu: Cpu, one: Slice, task: Task, tid: int, number: int) -> Event:
    """Return the event of one thread; `number` is its tid inside its own namespace."""
    contained = task.ns != HOST
    return machine.event(
        cpu,
        one,
        "lttng_statedump_process_state",
        {
            "tid": tid,
            "vtid": number if contained else tid,
            "pid": task.pid,
            "vpid": number - task.tids.index(tid) if contained else task.pid,
            "ppid": task.parent,
            "vppid": 0 if contained else task.parent,
            "name": task.comm,
            "type": KERNEL if task.parent == KTHREADD else USER,
            "mode": 0,
            "submode": 0,
            "status": WAITING,
            "ns_level": IN_CONTAINER if contained else 0,
            "ns_inum": task.ns,
        },
    )

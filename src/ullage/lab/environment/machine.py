"""The recorded machine while it runs: clocks of its CPUs, and the last state of its threads."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from ullage.lab.environment.deployment import Deployment
from ullage.lab.environment.event import Event, Value
from ullage.lab.environment.slices import Slice

MICRO = 1_000
STEP = (2, 20)
"""Microseconds from one event of a CPU to the next."""
PRIORITY = 120
IRQ: Mapping[str, Value] = {"irq": 27, "name": "virtio2-req.0"}
DISK = 254 << 20
SECTORS = 8
BLOCK = 4096


@dataclass(slots=True, kw_only=True)
class Cpu:
    """A CPU and the time of its last event, in nanoseconds: whole microseconds, as ftrace has."""

    number: int
    time: int


@dataclass(slots=True, kw_only=True)
class Machine:
    """What the events of one slice need to know of the others."""

    deployment: Deployment
    rng: random.Random
    states: dict[int, str] = field(default_factory=dict)
    free: dict[int, int] = field(default_factory=dict)
    """When each thread left its CPU, or was forked."""

    def state(self, tid: int) -> str:
        """Return the state in which a thread last left a CPU: asleep before it ever ran."""
        return self.states.get(tid, "S")

    def free_at(self, tid: int) -> int:
        """Return from when on a thread may run."""
        return self.free.get(tid, 0) + MICRO

    def event(self, cpu: Cpu, one: Slice | None, name: str, fields: Mapping[str, Value]) -> Event:
        """Return the next event of a CPU, in the thread of a slice or in the idle thread."""
        cpu.time = -(-cpu.time // MICRO) * MICRO + self.rng.randint(*STEP) * MICRO
        return Event(
            time=cpu.time,
            cpu=cpu.number,
            comm=one.task.comm if one else idle(cpu),
            tid=one.tid if one else 0,
            pid=one.task.pid if one else 0,
            name=name,
            fields=fields,
        )

    def interrupt(self, cpu: Cpu, one: Slice | None) -> Event:
        """Return an interrupt of the disk."""
        return self.event(cpu, one, "irq_handler_entry", IRQ)

    def block(self, cpu: Cpu, one: Slice | None, *, done: bool, comm: str) -> Event:
        """Return a read from the disk: asked for, or done."""
        fields: dict[str, Value] = {
            "dev": DISK,
            "rwbs": "R",
            "bytes": BLOCK,
            "sector": self.rng.randrange(0, 1 << 24, SECTORS),
            "nr_sector": SECTORS,
            "comm": comm,
        }
        if done:
            del fields["bytes"], fields["comm"]
            return self.event(cpu, one, "block_rq_complete", fields | {"error": 0})
        return self.event(cpu, one, "block_rq_issue", fields)

    def switch(self, cpu: Cpu, one: Slice | None, state: str, then: Slice | None) -> Event:
        """Return the switch from one slice to the next, None for the idle thread."""
        if then is not None:
            cpu.time = max(cpu.time, self.free_at(then.tid))
        event = self.event(
            cpu,
            one,
            "sched_switch",
            {
                "prev_comm": one.task.comm if one else idle(cpu),
                "prev_tid": one.tid if one else 0,
                "prev_prio": PRIORITY,
                "prev_state": state,
                "next_comm": then.task.comm if then else idle(cpu),
                "next_tid": then.tid if then else 0,
                "next_prio": PRIORITY,
            },
        )
        if one is not None:
            self.states[one.tid] = state
            self.free[one.tid] = cpu.time
        return event


def idle(cpu: Cpu) -> str:
    """Return the comm of a CPU's idle thread."""
    return f"swapper/{cpu.number}"

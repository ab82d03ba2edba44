"""Slices put on CPUs: the events of a recording, in the order of time, made lazily.

A CPU is coherent: whoever is switched out was switched in before. Some slices that are due close
together run behind one another; between such chains the CPU is idle.
"""

import heapq
import random
from collections.abc import Iterator, Sequence

from ullage.lab.environment.deployment import Deployment
from ullage.lab.environment.dump import state_dump
from ullage.lab.environment.event import Event
from ullage.lab.environment.machine import Cpu, Machine
from ullage.lab.environment.quotas import START
from ullage.lab.environment.running import run_slice, wake
from ullage.lab.environment.slices import MILLI, Slice

CPUS = 4
CHAIN = 4
"""So many slices run behind one another, at most."""
TOGETHER = 6 * MILLI
"""Only slices that are due within so many nanoseconds do."""


def schedule(
    deployment: Deployment, slices: Iterator[Slice], rng: random.Random
) -> Iterator[Event]:
    """Yield the events of a recording by time, equal times by CPU.

    What is held in memory are the events of chains that others may still overlap.
    """
    machine = Machine(deployment=deployment, rng=rng)
    cpus = [Cpu(number=number, time=START) for number in range(CPUS)]
    events = state_dump(machine, cpus[0])
    for cpu in cpus:
        cpu.time = cpus[0].time
    held: list[tuple[int, int, int, Event]] = []
    number = 0
    for chain in chains(slices):
        due = chain[0].due
        cpu = min(cpus, key=lambda one: (one.time, one.number))
        cpu.time = max(cpu.time, chain[-1].due)
        # Whoever came behind a reclaim would wait for as long as it lasts.
        chain.sort(key=lambda one: one.reclaim)
        events += run_chain(machine, cpu, chain)
        for event in events:
            number += 1
            heapq.heappush(held, (event.time, event.cpu, number, event))
        events = []
        # Slices come by the time that they are due: no later chain begins before this.
        safe = max(due, min(one.time for one in cpus))
        while held and held[0][0] < safe:
            yield heapq.heappop(held)[-1]
    while held:
        yield heapq.heappop(held)[-1]


def chains(slices: Iterator[Slice]) -> Iterator[list[Slice]]:
    """Yield slices that run behind one another: no thread twice in a chain."""
    chain: list[Slice] = []
    for one in slices:
        if chain and (
            len(chain) == CHAIN
            or one.due > chain[0].due + TOGETHER
            or any(one.tid == other.tid for other in chain)
        ):
            yield chain
            chain = []
        chain.append(one)
    if chain:
        yield chain


def run_chain(machine: Machine, cpu: Cpu, chain: Sequence[Slice]) -> list[Event]:
    """Return the events of a chain: the idle thread is interrupted, wakes the first, and so on."""
    first = chain[0]
    cpu.time = max(cpu.time, machine.free_at(first.tid))
    events = [machine.interrupt(cpu, None)]
    events += wake(machine, cpu, None, first)
    following: Sequence[Slice | None] = [*chain[1:], None]
    events.append(machine.switch(cpu, None, "R", first))
    for one, then in zip(chain, following, strict=True):
        events += run_slice(machine, cpu, one, then)
    return events

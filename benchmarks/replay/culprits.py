"""Culprits as data: a session with a listing, a table that the agent ranked itself, and the truth.

One process waits for its quota: its `wait_ms` is far above all others'. It was there before events
were recorded, so it stands in the late list. `loud`: it makes 14 % of the events, and is the first
row of the table. `quiet`: it and four others called java make 1.4 % each, below the rows that a cut
leaves. `other-part`: as quiet, but a record near the top of the early list names it as its parent.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Literal

from benchmarks.replay import tools
from benchmarks.replay.listing import LATE, listing
from benchmarks.replay.machine import CONTAINERS, EVENTS, Machine, Process, made_machine
from benchmarks.replay.recording import Result

Loudness = Literal["loud", "quiet", "other-part"]
LOUD_PERCENT, QUIET_PERCENT = 14.0, 1.4
PEERS = 4
LOUDER = 27
"""So many processes are louder than a quiet culprit: more than the rows that a cut leaves."""
ROWS = 60
"""The table has so many rows: it is larger than the budget, as the listing is."""
CHILD = 3
"""Where in the early list the record stands that names an `other-part` culprit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """Who it was, and where in the listing it stands."""

    loudness: Loudness
    tid: int
    container: str
    part: str
    index: int
    percent: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One session and its truth. The first result is the listing, the second the table."""

    results: tuple[Result, ...]
    truth: Truth


def cases(loudness: Loudness, count: int, seed: int) -> Iterator[Case]:
    """Yield cases that differ by their machine and by the place of the culprit."""
    for number in range(count):
        yield case(loudness, Random(f"{seed}/{loudness}/{number}"), f"{loudness}-{number}")


def case(loudness: Loudness, random: Random, session: str) -> Case:
    """Make one case."""
    machine = made_machine(random)
    index, *others = random.sample(range(20, len(machine.resident)), k=1 + PEERS)
    percent = LOUD_PERCENT if loudness == "loud" else QUIET_PERCENT
    names = random.sample(CONTAINERS, k=1 + PEERS)
    culprit = java(machine.resident[index], names[0], percent)
    culprit = replace(culprit, wait_ms=random.randrange(60_000, 99_000))
    if loudness != "loud":
        machine = louder(machine, random)
        for at, name in zip(others, names[1:], strict=True):
            machine = machine.with_resident(at, java(machine.resident[at], name, percent))
    machine = machine.with_resident(index, culprit)
    if loudness == "other-part":
        child = replace(machine.spawned[CHILD], parent=culprit.tid)
        machine = machine.with_spawned(CHILD, child)
    return Case(
        results=tuple(session_of(machine, session)),
        truth=Truth(
            loudness=loudness,
            tid=culprit.tid,
            container=culprit.container,
            part=f"$.{LATE}",
            index=index,
            percent=culprit.percent,
        ),
    )


def java(process: Process, container: str, percent: float) -> Process:
    """Return a Java service in a container, with its share of all events."""
    events = round(EVENTS * percent / 100)
    return replace(process, command="java", container=container, events=events)


def louder(machine: Machine, random: Random) -> Machine:
    """Make some of the spawned processes louder than a quiet culprit: 1.6 to 3.1 % each."""
    for number, at in enumerate(random.sample(range(len(machine.spawned)), k=LOUDER)):
        percent = 1.6 + 1.5 * number / LOUDER
        events = round(EVENTS * percent / 100)
        machine = machine.with_spawned(at, replace(machine.spawned[at], events=events))
    return machine


def session_of(machine: Machine, session: str) -> Iterator[Result]:
    """Yield the results of the session."""
    texts = {"list_containers": listing(machine), "compute": tools.top_events(machine, ROWS)}
    for number, (tool, text) in enumerate(texts.items()):
        yield Result(session=session, tool=tool, call_id=f"{session}-{number}", text=text)

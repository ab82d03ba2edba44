"""A recorded corpus of the source paper's shape and size: 864 results. Invented, not the paper's.

Of the paper's corpus we know its size and that its fields stand in a fixed order. Sessions, tools,
sizes (500 characters to 60 kB, 33,370 of the whole listing) and how often a call is narrow enough
to fit are ours.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from benchmarks.replay import tools
from benchmarks.replay.listing import listing
from benchmarks.replay.machine import Machine, made_machine
from benchmarks.replay.recording import Result

RESULTS = 864
SHORTEST, LONGEST = 12, 30
"""A session has so many results."""
SEED = 7
NARROW = 0.06
"""The share of listings and of thread states that ask for one container, and fit."""
LARGEST = 60_000
SMALLEST = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool that was called, how, and what it returned."""

    tool: str
    arguments: dict[str, object]
    text: str


def paper(seed: int = SEED, results: int = RESULTS) -> Iterator[Result]:
    """Yield the results of all sessions: the same ones for one seed."""
    for number, length in enumerate(lengths(Random(f"{seed}/lengths"), results)):
        random = Random(f"{seed}/session/{number}")
        machine = made_machine(random)
        for at in range(length):
            tool = "list_containers" if at == 0 else drawn(random)
            call = CALLS[tool](machine, random)
            yield Result(
                session=f"s{number:03}",
                tool=tool,
                call_id=f"call_{number:03}_{at:02}",
                text=call.text,
                arguments=call.arguments,
            )


def lengths(random: Random, results: int) -> list[int]:
    """Split results into sessions of 12 to 30; a number that cannot be split so is wrong."""
    found: list[int] = []
    left = results
    while left > LONGEST:
        allowed = [n for n in range(SHORTEST, LONGEST + 1) if left - n >= SHORTEST]
        found.append(random.choice(allowed))
        left -= found[-1]
    if left < SHORTEST:
        raise ValueError(f"sessions have {SHORTEST} results or more, got {results!r}")
    return [*found, left]


def drawn(random: Random) -> str:
    """Choose a tool, by how often it is called."""
    return random.choices([one for one, _ in OFTEN], weights=[weight for _, weight in OFTEN])[0]


def size(random: Random, least: int, most: int) -> int:
    """Return a size in characters: small ones are as frequent as large ones."""
    return int(math.exp(random.uniform(math.log(least), math.log(most))))


def list_containers(machine: Machine, random: Random) -> Call:
    """Return the whole listing, or now and then the one of a container or two."""
    if random.uniform(0, 1) >= NARROW:
        return Call(tool="list_containers", arguments={}, text=listing(machine))
    few = replace(machine, spawned=machine.spawned[:12], resident=machine.resident[:15])
    arguments: dict[str, object] = {"limit": 27}
    return Call(tool="list_containers", arguments=arguments, text=listing(few))


def list_processes(machine: Machine, random: Random) -> Call:
    """Return a listing of processes: about as many fit as do not."""
    chars = size(random, 1_500, 24_000)
    text = tools.processes(machine, random, chars)
    return Call(tool="list_processes", arguments={"page_chars": chars}, text=text)


def thread_states(machine: Machine, random: Random) -> Call:
    """Return the states of threads: nearly all are larger than the budget."""
    narrow = random.uniform(0, 1) < NARROW
    chars = size(random, 2_000, 5_000) if narrow else size(random, 8_000, LARGEST - 2_000)
    text = tools.thread_states(machine, random, chars)
    return Call(tool="thread_states", arguments={"narrow": narrow}, text=text)


def timeline(machine: Machine, random: Random) -> Call:
    """Return a timeline, as text."""
    chars = size(random, 1_000, LARGEST - 200)
    return Call(tool="timeline", arguments={}, text=tools.timeline(machine, random, chars))


def compute(machine: Machine, random: Random) -> Call:
    """Return a table that the agent computed, ranked or by container."""
    if random.uniform(0, 1) < 0.5:
        rows = random.randrange(5, 60)
        return Call(tool="compute", arguments={"rows": rows}, text=tools.top_events(machine, rows))
    rows = random.randrange(14, 160)
    text = tools.by_container(machine, random, rows)
    return Call(tool="compute", arguments={"windows": rows}, text=text)


def read_counters(machine: Machine, random: Random) -> Call:
    """Return a small result."""
    count = random.randrange(6, 18)
    text = tools.counters(machine, random, count)
    return Call(tool="read_counters", arguments={"count": count}, text=text)


CALLS = {
    one.__name__: one
    for one in (
        list_containers,
        list_processes,
        thread_states,
        timeline,
        compute,
        read_counters,
    )
}
OFTEN = (
    ("list_containers", 2),
    ("list_processes", 5),
    ("thread_states", 4),
    ("timeline", 3),
    ("compute", 4),
    ("read_counters", 4),
)

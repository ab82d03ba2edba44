"""What an agent knows, from the request before it alone: listing, tables, processes looked into."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ullage.lab.experiment.agents.noted import cleared_in, faults_in
from ullage.lab.experiment.agents.reading import Read, Row, number, pid_of, read, word
from ullage.lab.experiment.agents.seen import Page, Seen, joined, seen_in
from ullage.lab.experiment.turn import Body

TOO_LONG = 50
"""Milliseconds: half of the 100 ms period by which Linux gives out CPU quotas (CFS bandwidth)."""
TIMES = {"wait_ms": "waited", "io_ms": "was blocked", "reclaim_ms": "reclaimed memory"}
LOUDEST = 3
"""So many processes at the head of a ranked table are looked into."""
BUSIEST = 2
"""And so many at the head of each narrower one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """What stands in the request that an agent is asked by.

    `listing` is None where no listing is in it; `page` says where the rest of it is, if it was
    spilled. `states` are the thread states of each process that was looked into.
    """

    listing: Read | None
    page: Page
    pages: int
    listings: int
    ranked: Sequence[Seen]
    by_event: Sequence[Seen]
    narrowed: Sequence[Seen]
    states: Mapping[int, Read]
    timelines: frozenset[int]
    findings: Sequence[str]
    seed: int

    @property
    def noted(self) -> set[int]:
        """The processes that a finding was recorded about."""
        both = [*faults_in(self.findings), *cleared_in(self.findings)]
        return {one.pid for one in both}

    def container(self, pid: int) -> str:
        """Return the name of a process's container; "" where it is not known."""
        rows = self.listing.rows if self.listing else ()
        return next((word(row, "container") for row in rows if pid_of(row) == pid), "")

    def draw(self, pid: int) -> float:
        """Return the place of a process among its equals: by the seed, and by nothing else."""
        return random.Random(f"{self.seed}:{pid}").random()

    def candidates(self) -> list[int]:
        """Return the processes to look into: suspects of the listing, then the loud ones."""
        listed = self.listing.rows if self.listing else ()
        suspects = self.shuffled(pid_of(row) for row in listed if longest(row)[1] >= TOO_LONG)
        loud = self.shuffled(self.heads(self.ranked, LOUDEST))
        busy = [pid for one in self.narrowed for pid in self.heads([one], BUSIEST)]
        return list(dict.fromkeys([*suspects, *loud, *busy]))

    def shuffled(self, pids: Iterable[int | None]) -> list[int]:
        """Return processes once each, in an order that the seed gives."""
        return sorted({pid for pid in pids if pid is not None}, key=self.draw)

    def heads(self, tables: Iterable[Seen], most: int) -> list[int]:
        """Return the processes with the highest counts in tables."""
        counts: dict[int, int] = {}
        for one in tables:
            for row in one.read.rows:
                pid = pid_of(row)
                if pid is not None:
                    counts[pid] = max(counts.get(pid, 0), number(row, "count"))
        return sorted(counts, key=lambda pid: (-counts[pid], self.draw(pid)))[:most]


def longest(row: Row) -> tuple[str, int]:
    """Return what a record says took longest at once, in words, and its milliseconds."""
    column = max(TIMES, key=lambda name: number(row, name))
    return TIMES[column], number(row, column)


def worst(states: Read) -> tuple[str, int]:
    """Return the longest single time of a process's threads; 0 where none is told."""
    return max((longest(row) for row in states.rows), key=lambda one: one[1], default=("waited", 0))


def know(body: Body, seed: int) -> Knowledge:
    """Return what stands in a request."""
    seen = seen_in(body)
    listings = [one for one in seen if one.tool == "list_containers"]
    page = joined(listings[-1], seen) if listings else Page(body="")
    computed = [one for one in seen if one.tool == "compute"]
    return Knowledge(
        listing=read(page.body) if listings else None,
        page=page,
        pages=sum(one.tool == "read_result" for one in seen),
        listings=len(listings),
        ranked=[one for one in computed if grouped(one) == ["pid", "comm"]],
        by_event=[one for one in computed if grouped(one) == ["event"]],
        narrowed=[one for one in computed if grouped(one) is None],
        states={about(one): one.read for one in seen if one.tool == "thread_states"},
        timelines=frozenset(about(one) for one in seen if one.tool == "timeline"),
        findings=[str(one.arguments.get("text")) for one in seen if one.tool == "record_finding"],
        seed=seed,
    )


def grouped(one: Seen) -> object:
    """Return what a computation was grouped by."""
    return one.arguments.get("group")


def about(one: Seen) -> int:
    """Return the process that a call was about."""
    return int(str(one.arguments["pid"]))

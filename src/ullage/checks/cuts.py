"""`silent-cut`, `cut-with-room`, `cut-no-way-back` over all sessions, by every sign of a cut."""

from collections import defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from ullage.arrivals.asked import arguments_of, pages
from ullage.checks import cut_no_way_back, cut_with_room, silent_at_length
from ullage.checks.caps import LEAST_DISTINCT_NEAR, caps, near
from ullage.checks.cut_sign import CutResult
from ullage.checks.seen import Seen, Uncounted, seen_of
from ullage.checks.session import Session
from ullage.transcript.finding import Finding

NAME = silent_at_length.NAME
ALSO = (cut_with_room.NAME, cut_no_way_back.NAME)


@dataclass(slots=True)
class Counting:
    """Counts tokens only where so many different texts of a harness are there that a cap may be.

    A vocabulary takes half a second to load and 50 MB; a handful of results needs none.
    """

    waiting: defaultdict[Hashable, dict[int, list[Uncounted]]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    enough: set[Hashable] = field(default_factory=set)

    def add(self, one: Uncounted) -> None:
        """Count one, and those that waited, once there are enough of them."""
        harness = one.seen.harness
        if harness in self.enough:
            one.count()
            return
        waiting = self.waiting[harness]
        waiting.setdefault(one.seen.key, []).append(one)
        if len(waiting) >= LEAST_DISTINCT_NEAR:
            self.enough.add(harness)
            for each in self.waiting.pop(harness).values():
                for uncounted in each:
                    uncounted.count()


@dataclass(slots=True)
class Cuts:
    """Remembers the figures of results, and which tools of a session give pages."""

    seen: list[Seen] = field(default_factory=list)
    counting: Counting = field(default_factory=Counting)
    paged: set[tuple[str, str]] = field(default_factory=set)

    def add(self, session: Session) -> None:
        """Take in one session."""
        for one in seen_of(session):
            if isinstance(one, Uncounted):
                self.counting.add(one)
            self.seen.append(one.seen if isinstance(one, Uncounted) else one)
        self.paged |= {
            (session.transcript.session, one.tool)
            for one in session.results
            if pages(arguments_of(one.call))
        }

    def findings(self) -> Iterator[Finding]:
        """Give the findings result by result; those about the way back and the room by tool."""
        found = caps(self.seen)
        found |= dict(near(self.seen, found))
        groups: defaultdict[tuple[str, str], list[CutResult]] = defaultdict(list)
        for index, one in enumerate(self.seen):
            cut = CutResult(seen=one, cap=found.get(index), known=one.cut)
            if cut.cap is not None or cut.known is not None:
                yield from silent_at_length.check(cut)
                groups[one.session, one.tool].append(cut)
        for (session, tool), results in groups.items():
            yield from cut_with_room.check(results)
            if (session, tool) not in self.paged:
                yield from cut_no_way_back.check(results)

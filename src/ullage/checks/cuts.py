"""`silent-cut`, `cut-with-room`, `cut-no-way-back` over all sessions, by every sign of a cut."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from ullage.checks import cut_no_way_back, cut_with_room, silent_at_length
from ullage.checks.asked import arguments_of, pages
from ullage.checks.caps import caps, near
from ullage.checks.cut_sign import CutResult
from ullage.checks.seen import Seen, seen_of
from ullage.checks.session import Session
from ullage.transcript.finding import Finding

NAME = silent_at_length.NAME
ALSO = (cut_with_room.NAME, cut_no_way_back.NAME)


@dataclass(slots=True)
class Cuts:
    """Remembers the figures of results, and which tools of a session give pages."""

    seen: list[Seen] = field(default_factory=list)
    paged: set[tuple[str, str]] = field(default_factory=set)

    def add(self, session: Session) -> None:
        """Take in one session."""
        self.seen += seen_of(session)
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

"""What an answer says of lists of which a part only was in its context."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ullage.checks.ids import Listed, listed, standing, tokens
from ullage.checks.session import Session
from ullage.transcript.words import Boundary

NUMBER = re.compile(r"(?<![\w.,:/#-])(\d{1,3}(?:,\d{3})+|\d+)(?![\w%]|[.,:/-]\d)")
BEFORE = re.compile(r"(?:\bof|\btotal|\ball)\W{1,3}\Z", re.IGNORECASE)
THINGS = re.compile(r"[ \t]+(?:[^\W\d]+[ \t]+){0,2}?[^\W\d_]{3,}")
UNITS = re.compile(
    r"""\s*(?:%|percent|ms|milli|micro|sec|min(?:ute)?s?\b|hours?\b|days?\b|weeks?\b|months?\b
    |years?\b|[kmg]i?b\b|bytes?\b|px\b|usd\b|eur\b|euros?\b|dollars?\b|of\s+\d)""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered:
    """One list that was produced or given by a user: what an answer could know of it, and cites."""

    entry: int
    listed: Listed
    given: Sequence[str]
    cited: Sequence[str]
    boundary: Boundary


def covered(session: Session) -> Sequence[Covered]:
    """Return the lists of which less was in the answer's context than there had been."""
    return session.once(all_covered)


def all_covered(session: Session) -> list[Covered]:
    """Find the lists of a session."""
    return list(find_covered(session))


def find_covered(session: Session) -> Iterator[Covered]:
    """Give the lists of a session, each with what was given and cited of it."""
    answer = session.answer
    if answer is None:
        return
    sources = list(lists_before(session, answer))
    if not sources:
        return
    context = session.transcript.context(answer)
    there = tokens(session.entries[at].message.text for at in context)
    said = tokens([session.entries[answer].message.text])
    for entry, one, boundary in sources:
        given = standing(one.ids, there)
        if len(given) < len(one.ids):
            yield Covered(
                entry=entry,
                listed=one,
                given=given,
                cited=standing(one.ids, said),
                boundary=boundary,
            )


def lists_before(session: Session, answer: int) -> Iterator[tuple[int, Listed, Boundary]]:
    """Give the lists of produced results, and of users' messages that left the context."""
    for result in session.results:
        if result.measured is not None and result.entry < answer:
            lost_at = result.measured.boundary or "retain"
            for one in listed(result.measured.produced):
                yield result.entry, one, lost_at
    there = set(session.transcript.context(answer))
    for at, entry in enumerate(session.entries[:answer]):
        known = session.result_at.get(at)
        gone = at not in there and entry.in_context and (known is None or known.measured is None)
        if gone and entry.message.role in ("user", "tool"):
            for one in listed(entry.message.text):
                yield at, one, "retain"


def counted(text: str) -> set[int]:
    """Return the numbers of a text that count things: `20 orders`, `of 50`, `total: 50`."""
    found = set()
    for number in NUMBER.finditer(text):
        before = BEFORE.search(text, max(0, number.start() - 12), number.start())
        things = THINGS.match(text, number.end()) and not UNITS.match(text, number.end())
        if before or things:
            found.add(int(number[1].replace(",", "")))
    return found

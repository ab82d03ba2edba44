"""`unstable-source`: the same call gave other records, and nothing between them explains it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ullage.arrivals.asked import arguments_of
from ullage.arrivals.values import canonical
from ullage.checks.records_in import ids_of, listing_of
from ullage.checks.session import Result, Session, finding
from ullage.transcript.finding import Finding

NAME = "unstable-source"

READS = re.compile(
    r"(?:\A|[_\W]|(?<=[a-z])(?=[A-Z]))(?:get|list|search|read|find|query|fetch|lookup|look_up|describe|"
    r"show|count|view|select|retrieve|browse|history|think|calculate|grep|glob|ls|cat)",
    re.IGNORECASE,
)
WRITES = re.compile(
    r"creat|updat|delet|insert|writ|edit|add|remov|send|post|put|patch|book|cancel|set|mov|upload|"
    r"exec|run|bash|shell|python|install|commit|push|submit|modif|save|make|start|stop|kill|deploy",
    re.IGNORECASE,
)
# What changes by itself, or is meant to.
MOVES = re.compile(
    r"random|sampl|shuffl|uuid|generat|now|today|current|latest|recent|live|time|news|trend|"
    r"weather|price|quote|stock|status|log|metric|feed|queue|next",
    re.IGNORECASE,
)
LONGEST_SECONDS = 600
LEAST_ROWS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """An earlier call: its place, and the ids that it gave."""

    result: Result
    ids: frozenset[str]


def check(session: Session) -> Iterator[Finding]:
    """Report a call that gave other ids than the last one with the same arguments.

    Strict: the tool and all between read, by their names; no user spoke; it was not long ago; and
    neither name nor arguments speak of chance, of time or of what is newest.
    """
    known: dict[tuple[str, str], Earlier] = {}
    changes = changes_before(session)
    for one in session.results:
        if one.call is None or one.asked is None or session.entries[one.entry].failed:
            continue
        arguments = arguments_of(one.call)
        if not is_steady(one.tool, canonical_text(arguments)):
            continue
        found = listing_of(one.measured.produced if one.measured else one.text)
        ids = ids_of(found.rows) if found is not None else None
        if ids is None or len(ids) < LEAST_ROWS:
            continue
        key = (one.tool, canonical_text(arguments))
        before = known.get(key)
        known[key] = Earlier(result=one, ids=ids)
        if before is None or before.ids == ids:
            continue
        if changes[one.entry] == changes[before.result.entry] and is_soon(session, before, one):
            yield report(session, before, one, ids)


def canonical_text(arguments: object) -> str:
    """Return arguments as one text, the same for the same values."""
    return canonical(arguments)  # type: ignore[arg-type]  # decoded JSON is a Json


def is_steady(tool: str, arguments: str) -> bool:
    """Whether a call should give the same again."""
    if not READS.search(tool) or WRITES.search(tool):
        return False
    return not MOVES.search(tool) and not MOVES.search(arguments)


def changes_before(session: Session) -> list[int]:
    """Count, by entry, what may have changed the world before it: writes, and words of a user."""
    found, total = [], 0
    results = session.result_at
    for at, entry in enumerate(session.entries):
        if entry.message.role == "user" and at not in results:
            total += 1
        total += sum(
            not READS.search(one.name) or WRITES.search(one.name) is not None
            for one in entry.message.calls
        )
        found.append(total)
    return found


def is_soon(session: Session, before: Earlier, one: Result) -> bool:
    """Whether the second call came soon after the first, as far as times are known."""
    first, second = session.entries[before.result.entry].at, session.entries[one.entry].at
    return first is None or second is None or second - first <= LONGEST_SECONDS


def report(session: Session, before: Earlier, one: Result, ids: frozenset[str]) -> Finding:
    """Return the finding at the second of two calls."""
    advice = (
        f"{one.tool} gave other records for the same arguments, and nothing in between wrote: its "
        "order or its choice is not fixed. Sort by a key that is unique before the limit, and page "
        "by a cursor."
    )
    evidence = {
        "records": [len(before.ids), len(ids)],
        "in_both": len(before.ids & ids),
        "only_first": len(before.ids - ids),
        "only_second": len(ids - before.ids),
        "first_message": before.result.entry + 1,
        "second_message": one.entry + 1,
    }
    return finding(session, one.entry, NAME, "warning", "produce", advice, evidence)

"""Where two policies of a replay part: what arrives otherwise, by how much, and what to open."""

from collections.abc import Iterator, Sequence

from ullage.policies.field_diff import FieldDiff, field_diff
from ullage.policies.replayed import PolicyOutcome, Replayed
from ullage.policies.tally import Apart
from ullage.report.rates import NOTHING, named, points, share
from ullage.report.sheet import Block, Sheet
from ullage.report.spelled import printable
from ullage.transcript.counted import many

MOST = 10
"""So many differences of a policy are shown; the JSON and CSV forms have all."""


def diff_blocks(found: Replayed) -> Iterator[Block]:
    """Yield of each policy but the first what arrives otherwise than under the first."""
    first, *others = found.policies
    for other in others:
        differing = field_diff(first, other)
        if not differing:
            yield f"{other.name} against {first.name}: every part and field arrives alike."
            continue
        yield sheet(first, other, telling(differing)[:MOST])
        yield from left_over(differing)


def sheet(first: PolicyOutcome, other: PolicyOutcome, shown: Sequence[FieldDiff]) -> Sheet:
    """Return the differences of a policy as a table."""
    return Sheet(
        title=f"{other.name} less {first.name}: by records, furthest apart first",
        head=("tool", "what", "open (its records)", first.name, other.name, "points"),
        rows=[
            (
                printable(one.first.tool),
                printable(named(one.first)),
                NOTHING if one.other.apart is None else opened(one.other.apart),
                share(one.first.by_record),
                share(one.other.by_record),
                points(one.difference),
            )
            for one in shown
        ],
        words=3,
    )


def opened(one: Apart) -> str:
    """Return where a result stands that shows a difference, and its records under both."""
    return f"{printable(one.example.place)} ({one.first} against {one.other} of {one.of})"


def left_over(differing: Sequence[FieldDiff]) -> Iterator[str]:
    """Say what a table has not: fields that only repeat their part, and what is over its length."""
    told = len(telling(differing))
    if alike := len(differing) - told:
        yield f"{many(alike, 'more field')}: just as far apart as the part itself."
    if told > MOST:
        yield f"{told - MOST} more: --format csv has all of them"


def telling(differing: Sequence[FieldDiff]) -> list[FieldDiff]:
    """Leave out the fields that differ just as their part does."""
    parts = {place(one): one.points for one in differing if one.first.field is None}
    return [
        one for one in differing if one.first.field is None or one.points != parts.get(place(one))
    ]


def place(one: FieldDiff) -> tuple[str, str, bool]:
    """Return of which part of which results a difference is."""
    return one.first.tool, one.first.path, one.known

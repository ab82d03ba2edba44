"""Where two policies of a replay part, in words: what arrives otherwise, and what to open."""

from collections.abc import Iterator

from ullage.policies.field_diff import Difference, field_diff
from ullage.policies.replayed import PolicyOutcome, Replayed
from ullage.report.rates import arrived, named, points
from ullage.report.spelled import printable

MOST = 5
"""So many differences of a policy are told in words; the JSON and CSV forms have all."""


def diff_lines(found: Replayed) -> Iterator[str]:
    """Yield of each policy but the first what arrives otherwise than under the first."""
    first, *others = found.policies
    for other in others:
        differing = field_diff(first, other)
        if not differing:
            yield f"{other.name} against {first.name}: every part and field arrives alike."
            continue
        yield (
            f"{other.name} against {first.name}: of the parts and fields {len(differing)} arrive "
            "otherwise; furthest apart:"
        )
        yield from (f"  {line(one, first, other)}" for one in apart(differing)[:MOST])


def apart(differing: list[Difference]) -> list[Difference]:
    """Leave out the fields that differ just as their part does."""
    parts = {place(one): one.points for one in differing if one.first.field is None}
    return [
        one for one in differing if one.first.field is None or one.points != parts.get(place(one))
    ]


def place(one: Difference) -> tuple[str, str, bool]:
    """Return of which part of which results a difference is."""
    return one.first.tool, one.first.path, one.known


def line(one: Difference, first: PolicyOutcome, other: PolicyOutcome) -> str:
    """Return what differs, by how much, and a result to open under the one that delivers less."""
    less, loser = (one.first, first) if one.points > 0 else (one.other, other)
    seen = ""
    if less.example is not None:
        seen = f"; look at {printable(less.example.place)} under {loser.name}"
    return (
        f"{printable(one.first.tool)} {printable(named(one.first))}: {arrived(one.first)} -> "
        f"{arrived(one.other)}, {points(one.other.difference)} points{seen}"
    )

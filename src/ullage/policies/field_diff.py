"""How the arrival of each part and field differs between two policies."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ullage.policies.rates import Difference, FieldRate, example_members

if TYPE_CHECKING:
    from ullage.policies.replayed import PolicyOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldDiff:
    """One part of a tool's results, or one field of it, under the first policy and another one.

    `difference` is the rate by record of the other less that of the first. `known` results are
    those whose produced text is known.
    """

    first: FieldRate
    other: FieldRate
    known: bool
    difference: Difference

    @property
    def points(self) -> float:
        """The difference, from -1 to 1."""
        return self.difference.points

    def to_dict(self) -> dict[str, object]:
        """Return its members."""
        apart = self.other.apart
        return {
            "of": "produced" if self.known else "delivered",
            "tool": self.first.tool,
            "path": self.first.path,
            "field": self.first.field,
            "first": self.first.by_record.to_dict(),
            "other": self.other.by_record.to_dict(),
            **self.difference.to_dict(),
            "example": apart
            and {
                **example_members(apart.example),
                "records": {"produced": apart.of, "first": apart.first, "other": apart.other},
            },
        }


def field_diff(first: "PolicyOutcome", other: "PolicyOutcome") -> list[FieldDiff]:
    """Return the parts and fields that arrive otherwise under `other`, furthest apart first.

    Those of results whose produced text is known stand before those of the others. `first` is what
    the differences were counted against: the first policy of the replay; there are none to itself.
    """
    found = [
        FieldDiff(first=one, other=two, known=known, difference=two.difference)
        for known in (True, False)
        for one, two in zip(rates(first, known=known), rates(other, known=known), strict=True)
        if two.difference is not None and two.difference.points
    ]
    # What is equally far apart stays in the order of tools, paths and fields.
    return sorted(found, key=lambda one: (not one.known, -abs(one.points)))


def rates(one: "PolicyOutcome", *, known: bool) -> list[FieldRate]:
    """Return the parts and fields of a policy: the same ones under every policy."""
    outcome = one.produced if known else one.delivered
    return [*outcome.parts, *outcome.fields]

"""How the arrival of each part and field differs between two policies."""

from dataclasses import dataclass

from ullage.policies.replayed import FieldRate, PolicyOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One part of a tool's results, or one field of it, under the first policy and another one.

    `points` is the rate by record of the other less that of the first, from -1 to 1; its interval,
    over sessions, is `other.difference`: both policies saw the same results, so it is paired.
    """

    first: FieldRate
    other: FieldRate
    known: bool

    @property
    def points(self) -> float:
        """The difference; 0 where nothing was produced."""
        return (self.other.by_record.share or 0.0) - (self.first.by_record.share or 0.0)


def field_diff(first: PolicyOutcome, other: PolicyOutcome) -> list[Difference]:
    """Return the parts and fields that arrive otherwise under `other`, furthest apart first.

    Those of results whose produced text is known stand before those of the others.
    """
    found = [
        Difference(first=one, other=two, known=known)
        for known in (True, False)
        for one, two in zip(rates(first, known=known), rates(other, known=known), strict=True)
    ]
    differing = [one for one in found if one.points]
    # What is equally far apart stays in the order of tools, paths and fields.
    return sorted(differing, key=lambda one: (not one.known, -round(abs(one.points), 12)))


def rates(one: PolicyOutcome, *, known: bool) -> list[FieldRate]:
    """Return the parts and fields of a policy: the same ones under every policy."""
    outcome = one.produced if known else one.delivered
    return [*outcome.parts, *outcome.fields]

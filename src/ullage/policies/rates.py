"""Rates of parts, fields and tenths, with their intervals, and how they differ by policy."""

from dataclasses import dataclass
from typing import Any

from ullage.policies.tally import TENTHS, Apart, Example, Key, Tally
from ullage.stats.interval import Interval
from ullage.stats.moments import Moments, ratio_interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """So much of so much, as a share; the interval is over sessions, None below two of them."""

    part: int
    of: int
    interval: Interval | None

    @property
    def share(self) -> float | None:
        """The share; None of nothing."""
        return self.part / self.of if self.of else None

    def to_dict(self) -> dict[str, object]:
        """Return its members."""
        return {
            "delivered": self.part,
            "produced": self.of,
            "rate": self.share,
            "interval": interval_members(self.interval),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A rate less another one, from -1 to 1, of the same records.

    `interval` is over sessions, and paired: both policies saw the same results. None below two
    sessions.
    """

    points: float
    interval: Interval | None

    def to_dict(self) -> dict[str, object]:
        """Return its members."""
        return {"points": self.points, "interval": interval_members(self.interval)}


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRate:
    """One part of a tool's results, or one field or tenth of it, under one policy.

    `by_call`: the calls in which all of it arrived, of those that produced any. `by_record`: the
    records in which it arrived. `absent` counts the calls in which none of it did. `difference` is
    the rate by record less that of the first policy, None for that one; its interval is None below
    two sessions. `example` is the first result in which not all of it arrived, `apart` the first
    one that differs from the first policy as the rates do.
    """

    tool: str
    path: str
    field: str | None
    tenth: int | None
    by_call: Rate
    absent: int
    by_record: Rate
    difference: Difference | None
    example: Example | None
    apart: Apart | None

    def to_dict(self) -> dict[str, object]:
        """Return its members."""
        at = {} if self.tenth is None else {"from": self.tenth / TENTHS}
        return {
            "tool": self.tool,
            "path": self.path,
            "field": self.field,
            **at,
            "calls": {**self.by_call.to_dict(), "absent": self.absent},
            "records": self.by_record.to_dict(),
            "difference": self.difference and self.difference.to_dict(),
            "example": self.example and example_members(self.example),
        }


def rate_of(key: Key, tally: Tally) -> FieldRate:
    """Return the rates of one part, field or tenth."""
    cell = tally.cells[key]
    sums = cell.sums
    difference = difference_of(cell.against) if key.group.policy else None
    more = difference is not None and difference.points > 0
    return FieldRate(
        tool=key.group.tool,
        path=key.path,
        field=key.field,
        tenth=key.tenth,
        by_call=Rate(part=sums.whole, of=sums.calls, interval=share_interval(cell.by_call)),
        absent=sums.absent,
        by_record=Rate(
            part=sums.delivered, of=sums.produced, interval=share_interval(cell.by_record)
        ),
        difference=difference,
        example=tally.losing.get(key),
        apart=tally.apart.get((key, more)),
    )


def difference_of(against: Moments) -> Difference | None:
    """Return the difference of two rates; None where nothing was produced."""
    points = against.ratio
    if points is None:
        return None
    return Difference(points=points, interval=ratio_interval(against))


def share_interval(moments: Moments) -> Interval | None:
    """Return the interval of a share, which lies between 0 and 1."""
    found = ratio_interval(moments)
    if found is None:
        return None
    return Interval(
        estimate=found.estimate,
        low=max(0.0, found.low),
        high=min(1.0, found.high),
        level=found.level,
        n=found.n,
        unit=found.unit,
    )


def interval_members(interval: Interval | None) -> dict[str, Any] | None:
    """Return an interval's members."""
    if interval is None:
        return None
    return {
        "estimate": interval.estimate,
        "low": interval.low,
        "high": interval.high,
        "level": interval.level,
        "n": interval.n,
        "unit": interval.unit,
    }


def example_members(one: Example) -> dict[str, object]:
    """Return an example's members."""
    return {
        "place": one.place,
        "session": one.session,
        "tool": one.tool,
        "produced": one.produced,
        "delivered": one.delivered,
    }

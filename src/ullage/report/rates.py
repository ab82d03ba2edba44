"""Rates of a replay in words: percent, with the interval where there is one."""

from ullage.policies.rates import Difference, FieldRate, Rate
from ullage.stats.interval import Interval

NOTHING = "n/a"
NO_INTERVAL = "one session: no interval"


def named(one: FieldRate) -> str:
    """Return what a rate is of: the path of a part, and the field."""
    return one.path if one.field is None else f"{one.path} {one.field}"


def arrived(one: FieldRate) -> str:
    """Return by how many records and calls something arrived."""
    return f"{percent(one.by_record)}, {one.by_call.part} of {one.by_call.of}"


def percent(rate: Rate) -> str:
    """Return a rate with its interval, where sessions differ."""
    return f"{share(rate)}{between(rate.interval)}"


def share(rate: Rate) -> str:
    """Return a rate alone."""
    return NOTHING if rate.share is None else f"{100 * rate.share:.1f} %"


def between(interval: Interval | None, sign: str = "") -> str:
    """Return the bounds of an interval in percentage points; nothing where they are one."""
    if interval is None or interval.low == interval.high:
        return ""
    return f" ({100 * interval.low:{sign}.1f} to {100 * interval.high:{sign}.1f})"


def points(difference: Difference | None) -> str:
    """Return a difference of two rates in percentage points."""
    if difference is None:
        return NOTHING
    if difference.interval is None:
        return f"{100 * difference.points:+.1f} ({NO_INTERVAL})"
    return f"{100 * difference.points:+.1f}{between(difference.interval, '+')}"

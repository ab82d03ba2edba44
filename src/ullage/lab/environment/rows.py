"""Rows that tools return, and the units in them."""

Cell = int | float | str
Row = dict[str, Cell]
"""One row: columns in a fixed order."""

MILLI = 1_000_000
NANO = 1_000_000_000


def milliseconds(nanoseconds: int) -> int:
    """Return a length in whole milliseconds, rounded down."""
    return nanoseconds // MILLI


def seconds(nanoseconds: int) -> float:
    """Return a time in seconds, to the microsecond."""
    return round(nanoseconds / NANO, 6)

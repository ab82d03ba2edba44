"""Times as transcripts write them, in seconds since the epoch."""

import math
from datetime import UTC, datetime

LATEST = 253_402_300_800
"""The year 10000 in seconds: a larger number counts parts of seconds."""


def seconds_of(value: object) -> float | None:
    """Return a time given as a number (seconds, milli-, micro- or nanoseconds) or by ISO 8601.

    A time without its zone is taken as UTC; None for anything else.
    """
    if isinstance(value, str):
        try:
            found = datetime.fromisoformat(value)
        except ValueError:
            return None
        zoned = found if found.tzinfo else found.replace(tzinfo=UTC)
        return zoned.timestamp()
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not math.isfinite(value) or value < 0:
        return None
    scale = next((one for one in (1, 10**3, 10**6, 10**9) if value < LATEST * one), None)
    return None if scale is None else value / scale

"""Times as transcripts write them, in seconds since the epoch."""

from datetime import UTC, datetime

LATEST = 253_402_300_800
"""The year 10000 in seconds: a larger number counts parts of seconds."""
SCALES = (1, 10**3, 10**6, 10**9)


def seconds_of(said: object) -> float | None:
    """Return a time given as a number (seconds, milli-, micro- or nanoseconds) or by ISO 8601.

    A time without its zone is taken as UTC; None for anything else.
    """
    if isinstance(said, str):
        try:
            found = datetime.fromisoformat(said)
        except ValueError:
            return None
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    if isinstance(said, bool) or not isinstance(said, int | float):
        return None
    # Comparing tells an endless number, one that is none, and one too large for a float as well.
    scale = next((one for one in SCALES if 0 <= said < LATEST * one), None)
    return None if scale is None else said / scale

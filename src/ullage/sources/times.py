"""Times as transcripts write them."""

from datetime import UTC, datetime


def seconds_of(said: object) -> float | None:
    """Return seconds since the epoch of an ISO 8601 text; without a zone it is UTC."""
    if not isinstance(said, str):
        return None
    try:
        found = datetime.fromisoformat(said)
    except ValueError:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()

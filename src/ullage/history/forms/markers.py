"""Markers that a program puts into its messages; they are read here, and never sent."""

from ullage.wire.members import Object

NAMES = ("protected", "source", "include_in_trim")


def marked(raw: Object) -> bool | None:
    """Return what a message says of itself: True to keep it, False that it may go, else None."""
    protected, trimmed = raw.get("protected"), raw.get("include_in_trim")
    if protected is True or trimmed is False:
        return True
    return False if protected is False or trimmed is True else None


def source(raw: Object) -> str | None:
    """Return where a message says that its data is from."""
    said = raw.get("source")
    return said if isinstance(said, str) else None


def without_markers(raw: object) -> object:
    """Return a message without its markers: the same object where it has none."""
    if not isinstance(raw, dict) or not any(name in raw for name in NAMES):
        return raw
    return {name: value for name, value in raw.items() if name not in NAMES}

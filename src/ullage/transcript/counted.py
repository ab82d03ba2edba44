"""A count with its noun, as messages and reports write it."""


def many(count: int, noun: str) -> str:
    """Return a count with its noun, in the plural unless it is one."""
    return f"{count} {noun}{'' if count == 1 else 's'}"

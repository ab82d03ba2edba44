"""Short marks by which equal messages of two requests are told, whatever surrounds them."""

from collections.abc import Iterable
from dataclasses import dataclass

from ullage.wire.members import compact

# Says up to where a provider should keep what it has read; clients move it from turn to turn.
ADVICE = "cache_control"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A message as it stands in a body: a number that equal ones share, and its characters."""

    number: int
    chars: int


def mark(raw: object) -> Mark:
    """Return the mark of a value, the order of its members included.

    The number is only good for comparing in one process.
    """
    said = compact(raw)
    if f'"{ADVICE}"' in said:
        said = compact(without_advice(raw))
    return Mark(number=hash(said), chars=len(said))


def marks(raw: Iterable[object]) -> tuple[Mark, ...]:
    """Return the marks of several values."""
    return tuple(mark(one) for one in raw)


def without_advice(raw: object) -> object:
    """Return a value without what only advises the provider's cache."""
    if isinstance(raw, dict):
        return {name: without_advice(one) for name, one in raw.items() if name != ADVICE}
    return [without_advice(one) for one in raw] if isinstance(raw, list) else raw

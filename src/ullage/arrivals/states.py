"""What became of records and lines: a byte each, in their order."""

from dataclasses import dataclass
from typing import Literal

State = Literal["absent", "partial", "whole"]
ABSENT, PARTIAL, WHOLE = 0, 1, 2
NAMES: tuple[State, ...] = ("absent", "partial", "whole")
"""The states, each at its own number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many records were produced, how many arrived whole, and how many in part."""

    produced: int
    delivered: int
    partial: int


def counted(states: bytes | bytearray) -> Counts:
    """Count records by what became of them."""
    return Counts(
        produced=len(states), delivered=states.count(WHOLE), partial=states.count(PARTIAL)
    )

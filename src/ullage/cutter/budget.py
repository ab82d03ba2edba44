"""How much of a result the model may be given."""

from dataclasses import dataclass
from typing import Literal

Unit = Literal["chars"]
"""What a budget counts. Characters are Unicode code points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """A limit and what it counts; made by `chars(n)`."""

    limit: int
    unit: Unit = "chars"

    def __post_init__(self) -> None:
        if isinstance(self.limit, bool) or not isinstance(self.limit, int):
            raise TypeError(f"a budget is a whole number, got {self.limit!r}")
        if self.limit < 1:
            raise ValueError(f"a budget is 1 or more, got {self.limit!r}")


def chars(limit: int) -> Budget:
    """Return a budget of `limit` characters (Unicode code points), notice included.

    Raises TypeError for anything but a whole number, ValueError for one below 1.
    """
    return Budget(limit=limit)

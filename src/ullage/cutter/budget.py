"""How much of a result the model may be given."""

from dataclasses import dataclass
from typing import Literal

Unit = Literal["chars", "tokens"]
"""What a budget counts. Characters are Unicode code points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """A limit and what it counts; made by `chars(n)` or `tokens(n)`.

    `model` says by whose vocabulary tokens are counted. `stated` is what a notice says of the limit
    where that is not the limit itself: a budget in tokens is cut as one in characters.
    """

    limit: int
    unit: Unit = "chars"
    model: str | None = None
    stated: str | None = None

    def __post_init__(self) -> None:
        if isinstance(self.limit, bool) or not isinstance(self.limit, int):
            raise TypeError(f"a budget is a whole number, got {self.limit!r}")
        if self.limit < 1:
            raise ValueError(f"a budget is 1 or more, got {self.limit!r}")

    @property
    def words(self) -> str:
        """The limit as a notice says it."""
        return self.stated or f"{self.limit} {'tokens' if self.unit == 'tokens' else 'characters'}"


def chars(limit: int) -> Budget:
    """Return a budget of `limit` characters (Unicode code points), notice included.

    Raises TypeError for anything but a whole number, ValueError for one below 1.
    """
    return Budget(limit=limit)


def tokens(limit: int, *, model: str | None = None) -> Budget:
    """Return a budget of `limit` tokens, notice included; counted as `count(text, model=model)`.

    Exact where the model's vocabulary is public (without a model: o200k_base), else by an estimate.
    Raises TypeError for anything but a whole number, ValueError for one below 1.
    """
    return Budget(limit=limit, unit="tokens", model=model)

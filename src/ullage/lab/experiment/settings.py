"""What a harness does at each boundary, as data. Nothing is lost where all are as they stand."""

from dataclasses import dataclass, fields
from typing import Literal, get_args

Serialise = Literal["json", "repr"]
"""Compact JSON, or Python's own shortened repr (`reprlib`): the rest of a long list is `...`."""
Order = Literal["as-is", "reversed"]
"""The parts of a result as its tool has them, or the last one first."""
BudgetRule = Literal["none", "records", "prefix", "spill"]
Retain = Literal["all", "last"]
"""Every result stays in the history, or only the last few do."""
Summarise = Literal["off", "loses"]
"""A long history stays, or is replaced by a summary that names the calls and no result."""
Carry = Literal["carried", "lost"]
"""The deciding stage is given the recorded findings, or only the last words of the first one."""

CHOICES: dict[str, tuple[str, ...]] = {
    "serialise": get_args(Serialise),
    "order": get_args(Order),
    "budget": get_args(BudgetRule),
    "retain": get_args(Retain),
    "summarise": get_args(Summarise),
    "handoff": get_args(Carry),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The switch at each boundary. Raises ValueError for a choice that there is none of."""

    serialise: Serialise = "json"
    order: Order = "as-is"
    budget: BudgetRule = "none"
    retain: Retain = "all"
    summarise: Summarise = "off"
    handoff: Carry = "carried"

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            if getattr(self, name) not in choices:
                raise ValueError(f"{name} is {getattr(self, name)!r}; choose one of {choices}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Sizes that are the same in every arm. Raises ValueError for one that is below 1.

    `budget` is the characters of one result (6,000 is the source paper's); `retained` the results
    that `retain: last` keeps (SWE-agent's default history processor keeps 5); `summarised_over` the
    characters of history that a summary begins at, two results of a full budget, so that it does
    happen; `calls` the calls after which a stage is ended; `listed` the items of a list that a
    shortened repr shows.
    """

    budget: int = 6000
    retained: int = 5
    summarised_over: int = 12_000
    calls: int = 60
    listed: int = 40

    def __post_init__(self) -> None:
        for one in fields(self):
            if getattr(self, one.name) < 1:
                raise ValueError(f"{one.name} is {getattr(self, one.name)}; it must be 1 or more")


def differing(one: Settings, other: Settings) -> tuple[str, ...]:
    """Return the boundaries at which two harnesses do different things."""
    return tuple(name for name in CHOICES if getattr(one, name) != getattr(other, name))

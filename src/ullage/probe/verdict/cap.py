"""The limit of a history: its number and its unit, from what several conversations kept."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ullage.probe.verdict.held import Held, Unit

Acts = Literal["window", "trigger"]
"""`window`: each request holds as much as fits. `trigger`: once there is more than the limit, the
history is shortened to something else."""

SLACK: Mapping[Unit, float] = {
    "tokens": 0.1,
    "quarter-tokens": 0.1,
    "carried-tokens": 0.1,
    "carried-quarter-tokens": 0.1,
}
"""Harnesses count tokens in ways of their own, and add some for each message."""

NO_LIMIT = 1 << 62
BoundsOf = Callable[[Unit, Sequence[Held]], "Iterator[Bounds]"]
LIKELY: Sequence[Unit] = (
    *("turns", "messages", "carried-messages", "tokens", "carried-tokens"),
    *("quarter-tokens", "carried-quarter-tokens", "characters", "carried-characters"),
    *("bytes", "carried-bytes"),
)
OF_RESULTS: Sequence[Unit] = ("results", "result-turns")
"""These come first where no turn of the user was lost, and last where one was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Where a limit lies: at `low`, at `high` or between."""

    low: int = 0
    high: int = NO_LIMIT

    def both(self, other: "Bounds") -> "Bounds":
        """Return what two bounds leave."""
        return Bounds(low=max(self.low, other.low), high=min(self.high, other.high))

    @property
    def possible(self) -> bool:
        """Whether any number is left."""
        return self.low <= self.high


IMPOSSIBLE = Bounds(low=1, high=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cap:
    """A limit of a history: its unit, and where it lies.

    `others` are the units that explain what was seen as well, with the limit in each.
    """

    unit: Unit
    acts: Acts
    within: Bounds
    others: Mapping[Unit, Bounds] = field(default_factory=dict)

    @property
    def low(self) -> int:
        """The least that it may be."""
        return self.within.low

    @property
    def high(self) -> int:
        """The most that it may be."""
        return self.within.high

    @property
    def number(self) -> int | None:
        """The limit where it is known exactly."""
        return self.low if self.low == self.high else None

    @property
    def certainty(self) -> Literal["sure", "likely"]:
        """Sure where no other unit explains it."""
        return "likely" if self.others else "sure"

    def __str__(self) -> str:
        """Return it as words."""
        verb = "holds at most" if self.acts == "window" else "is shortened above"
        first, *others = (
            in_words(*one) for one in [(self.unit, self.within), *self.others.items()]
        )
        also = f" (or {', '.join(others)})" if others else ""
        return f"{verb} {first}{also}"


def in_words(unit: Unit, within: Bounds) -> str:
    """Return a limit in one unit."""
    known = str(within.low) if within.low == within.high else f"{within.low} to {within.high}"
    return f"{known} {unit.replace('-', ' ')}"


def cap(conversations: Sequence[Sequence[Held]]) -> Cap | None:
    """Find the limit that explains conversations with turns of different size and number.

    None where nothing was lost, or where no single limit explains it. The more the conversations
    differ (small and large turns, with and without tool calls), the fewer units are left.
    """
    if all(one.whole for held in conversations for one in held):
        return None
    lost_turns = any(one.lost("turns") for held in conversations for one in held)
    order = [*LIKELY, *OF_RESULTS] if lost_turns else [*OF_RESULTS, *LIKELY]
    for acts, bounds_of in BOUNDS.items():
        found = {unit: bounds_in(unit, conversations, bounds_of) for unit in order}
        fits = [unit for unit in order if found[unit].possible and found[unit].high < NO_LIMIT]
        if fits:
            best, *others = fits
            return Cap(
                unit=best,
                acts=acts,
                within=found[best],
                others={unit: found[unit] for unit in others},
            )
    return None


def bounds_in(unit: Unit, conversations: Sequence[Sequence[Held]], bounds_of: BoundsOf) -> Bounds:
    """Return what all conversations leave of a limit in one unit."""
    left = Bounds()
    for held in conversations:
        for one in bounds_of(unit, held):
            left = left.both(one)
    return left


def as_window(unit: Unit, held: Sequence[Held]) -> Iterator[Bounds]:
    """Yield the bounds of a limit up to which each request is filled."""
    slack = SLACK.get(unit, 0)
    for one in held:
        low = int(one.kept[unit] * (1 - slack))
        if one.whole:
            yield Bounds(low=low)
        elif not one.lost(unit):
            yield IMPOSSIBLE  # what this unit counts is all there, and something is gone
        else:
            high = one.kept[unit] + max(one.next[unit], 1) - 1
            yield Bounds(low=low, high=int(high * (1 + slack)))


def as_trigger(unit: Unit, held: Sequence[Held]) -> Iterator[Bounds]:
    """Yield the bounds of a limit that a conversation must pass for anything to be lost."""
    slack = SLACK.get(unit, 0)
    for one in held:
        if not one.whole:
            yield Bounds(high=int((one.all[unit] - 1) * (1 + slack)))
            return
        yield Bounds(low=int(one.all[unit] * (1 - slack)))


BOUNDS: Mapping[Acts, BoundsOf] = {"window": as_window, "trigger": as_trigger}

"""Which limit a history has: by what its requests held, and by what they had to leave out.

A limit of N lets through what has N or less, and makes what has more shorter. So each request says
something of N: it is no smaller than what was held, and smaller than what would have been held with
what left. A unit in which no N is left does not count.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from ullage.checks.left import is_said, size
from ullage.transcript.counted import many
from ullage.transcript.message import Message
from ullage.wire.results import is_result

Unit = Literal["turns", "messages", "characters"]
"""A turn of the user; a message, whoever's; a limit on tokens looks like one on characters."""

UNITS: tuple[Unit, ...] = get_args(Unit)
"""The first is named where several fit as well: a limit on turns is one on messages too, where each
turn has as many, but not the other way."""

ALIKE = 0.1
"""A limit on characters need not fall between two messages: within this share sizes are one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How much was said in some messages; system texts and notes of a harness do not count."""

    turns: int = 0
    messages: int = 0
    characters: int = 0

    def of(self, unit: Unit) -> int:
        """Return the size in one unit."""
        return {"turns": self.turns, "messages": self.messages, "characters": self.characters}[unit]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One request: what it held, and what had left since the request before it.

    `at_turn` says that what it held begins with something that the user said: a limit on turns
    leaves nothing else.
    """

    number: int
    held: Sizes
    gone: Sizes
    at_turn: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A limit of `least` to `most` explains what every request held; one number where it is sure.

    `requests` are those that lost something, `also` other units that would explain it as well.
    `before` is the most that a request held before anything had left, None where none is known.
    """

    unit: Unit
    least: int
    most: int
    requests: tuple[int, ...]
    also: tuple[Unit, ...]
    before: int | None

    @property
    def sure(self) -> bool:
        """Whether nothing else would explain it."""
        return not self.also

    @property
    def text(self) -> str:
        """The number and the unit."""
        if self.least == self.most:
            return many(self.least, self.unit.removesuffix("s"))
        return f"{self.least} to {self.most} {self.unit}"

    def to_dict(self) -> dict[str, object]:
        """Return the members of a document."""
        return {
            "unit": self.unit,
            "least": self.least,
            "most": self.most,
            "requests": list(self.requests),
            "sure": self.sure,
            "also": list(self.also),
        }


def sizes(messages: Sequence[Message]) -> Sizes:
    """Measure what was said in some messages."""
    said = [one for one in messages if is_said(one)]
    return Sizes(
        turns=sum(is_turn(one) for one in said),
        messages=len(said),
        characters=sum(map(size, said)),
    )


def is_turn(message: Message) -> bool:
    """Whether a message is a user's, and no tool's result."""
    return message.role == "user" and not is_result(message)


def begins_with_turn(messages: Sequence[Message]) -> bool:
    """Whether what was said begins with a user's message."""
    first = next((one for one in messages if is_said(one)), None)
    return first is None or is_turn(first)


def limit_of(kept: Sequence[Kept]) -> Limit | None:
    """Return the limit that explains what the requests of one conversation held, in their order.

    None where nothing was lost, and where no limit explains it. Of several units that fit, the one
    is named in which the requests that lost something are most alike.
    """
    losing = [one for one in kept if one.gone.messages]
    if not losing:
        return None
    fitting = {unit: found for unit in UNITS if (found := span(unit, kept, losing)) is not None}
    if not fitting:
        return None
    unit = min(fitting, key=lambda one: looseness(one, fitting[one], losing))
    least, most = fitting[unit]
    whole = kept[: kept.index(losing[0])]
    return Limit(
        unit=unit,
        least=least,
        most=most,
        requests=tuple(one.number for one in losing),
        also=tuple(other for other in fitting if other != unit),
        before=max((one.held.of(unit) for one in whole), default=None),
    )


def span(unit: Unit, kept: Sequence[Kept], losing: Sequence[Kept]) -> tuple[int, int] | None:
    """Return the smallest and the largest limit that explain it all; None if there is none."""
    if unit == "turns" and not all(one.at_turn for one in losing):
        return None
    least = max(one.held.of(unit) for one in kept)
    most = min(one.held.of(unit) + one.gone.of(unit) for one in losing) - 1
    if not 0 < least <= most:
        return None
    return least, most


def looseness(unit: Unit, found: tuple[int, int], losing: Sequence[Kept]) -> tuple[float, int]:
    """Return how far apart the limits are that would fit, as a share; then the order of units."""
    least, most = found
    spread = (most - least) / most
    # So much each time is no chance, however large the steps are in which the history grows.
    same = len(losing) > 1 and {one.held.of(unit) for one in losing} == {least}
    alike = unit == "characters" and spread <= ALIKE
    return (0.0 if same or alike else spread, UNITS.index(unit))

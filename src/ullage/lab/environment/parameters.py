"""What a recording is generated from, and the parameters of a whole cohort."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal["spawned", "resident", "healthy"]
"""The faulty process began during the recording, was there before it, or there is none."""
Side = Literal["spawned", "resident"]
Loudness = Literal["loud", "quiet"]
Fault = Literal["cpu_quota", "io", "memory"]
ShareOf = Literal["whole", "after_fork"]
Scale = Literal["normal", "production"]

CONTAINERS = 21
EVENTS: dict[Scale, int] = {"normal": 20_000, "production": 245_000}
"""How many events a recording has, about; its truth data counts them."""
FEWEST_EVENTS = 12_000
"""Below that, a quiet process has too few events to show a fault at all."""
LISTED: dict[Side, int] = {"spawned": 118, "resident": 128}
"""How many processes each list of the container listing holds, as in the source paper."""
LOUD_SHARE = 0.14
QUIET_SHARE = 0.014
BORDER = 30
"""A prefix of 6,000 characters keeps about so many early records: position is stratified by it."""
REACHED: dict[Side, int] = {"spawned": 34, "resident": 84}
"""A prefix of 6,000 characters reaches no record from this one on, whichever list stands first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """What is recorded. Raises ValueError for values that do not go together.

    `position` is the index of the culprit in its list (`early_list` for spawned, `late_list` for
    resident); in a healthy recording, that of the loud innocent process. `side` says in which list
    that one stands and follows from `kind` except in a healthy recording. `share_of` says what a
    spawned loud process has 14 % of: of all events, or of those after its fork.
    """

    kind: Kind
    loudness: Loudness
    position: int
    fault: Fault | None = "cpu_quota"
    side: Side | None = None
    share_of: ShareOf = "whole"
    n_events: int = EVENTS["normal"]
    names: Sequence[str] | None = None

    def __post_init__(self) -> None:
        for field, choices in (("kind", Kind), ("loudness", Loudness), ("share_of", ShareOf)):
            if getattr(self, field) not in get_args(choices):
                raise ValueError(
                    f"{field} is {getattr(self, field)!r}; choose one of {get_args(choices)}"
                )
        if (self.fault is None) != (self.kind == "healthy"):
            raise ValueError(
                f"fault is {self.fault!r} in a recording that is {self.kind}; a healthy one has "
                "None, and every other one has a fault"
            )
        if self.fault is not None and self.fault not in get_args(Fault):
            raise ValueError(f"fault is {self.fault!r}; choose one of {get_args(Fault)}")
        if self.kind == "healthy" and self.side is None:
            raise ValueError("side is None; a healthy recording needs 'spawned' or 'resident'")
        if self.kind != "healthy" and self.side not in {None, self.kind}:
            raise ValueError(f"side is {self.side!r}, but the culprit is {self.kind}: leave it out")
        size = LISTED[self.listed]
        if not 0 <= self.position < size:
            raise ValueError(f"position is {self.position}; the list has {size} records, from 0")
        if self.n_events < FEWEST_EVENTS:
            raise ValueError(f"n_events is {self.n_events}; at least {FEWEST_EVENTS} are needed")
        if self.names is not None and len(set(self.names)) != CONTAINERS:
            raise ValueError(
                f"names has {len(set(self.names))} different names; {CONTAINERS} are needed"
            )

    @property
    def listed(self) -> Side:
        """The side that the culprit, or the loud innocent process, is listed on."""
        if self.kind == "healthy":
            return self.side or "resident"
        return self.kind


def cohort(
    kind: Kind,
    loudness: Loudness,
    *,
    recordings: int,
    rng: random.Random,
    scale: Scale = "normal",
    fault: Fault = "cpu_quota",
) -> list[Parameters]:
    """Return the parameters of a cohort, its positions below and above 30 by turns.

    In the stratum above, positions are such that no prefix of 6,000 characters reaches them,
    whichever list stands first. Healthy recordings have the innocent process on either side by
    turns, in pairs, so that sides and strata cross.
    """
    made = []
    for number in range(recordings):
        turn: Side = "spawned" if number // 2 % 2 else "resident"
        side: Side = turn if kind == "healthy" else kind
        above = number % 2 == 1
        low, high = (REACHED[side], LISTED[side]) if above else (0, BORDER)
        made.append(
            Parameters(
                kind=kind,
                loudness=loudness,
                position=rng.randrange(low, high),
                fault=None if kind == "healthy" else fault,
                side=side if kind == "healthy" else None,
                n_events=EVENTS[scale],
            )
        )
    return made

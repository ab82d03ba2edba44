"""Generated recordings, each made once for all tests of a file."""

import random
from collections.abc import Mapping
from functools import cache
from typing import Any

from ullage.lab.environment.event import Event
from ullage.lab.environment.generate import Generated, generate
from ullage.lab.environment.parameters import Fault, Kind, Loudness, Parameters, Side
from ullage.lab.environment.threads import Index, index


@cache
def generated(
    kind: Kind = "resident",
    loudness: Loudness = "quiet",
    *,
    fault: Fault | None = "cpu_quota",
    position: int = 90,
    seed: int = 4,
    side: Side | None = None,
    names: tuple[str, ...] | None = None,
) -> Generated:
    parameters = Parameters(
        kind=kind,
        loudness=loudness,
        position=position,
        fault=None if kind == "healthy" else fault,
        side=(side or "resident") if kind == "healthy" else None,
        names=names,
    )
    return generate(parameters, random.Random(seed))


@cache
def events(made: Generated) -> tuple[Event, ...]:
    return tuple(made.recording.events())


@cache
def indexed(made: Generated) -> Index:
    return index(made.recording)


def rows_of(result: Mapping[str, Any]) -> list[dict[str, Any]]:  # a tool's result is any JSON
    rows = result["rows"]
    assert isinstance(rows, list)
    return rows

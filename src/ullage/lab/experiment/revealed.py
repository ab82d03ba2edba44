"""Which delivered result first named the culprit, and whether a second path was open to a run."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ullage.arrivals.second_path import Given, places
from ullage.lab.environment.second_path import LISTING, Carried, carried
from ullage.lab.experiment.key import Key
from ullage.lab.experiment.recorded import Made, Recorded

Path = Literal["first", "second", "none"]
"""The listing named it, another tool's result did, or no delivered text of a tool."""
READ = "read_result"
HANDLE = re.compile(r'read_result\(handle="(\w+)", offset=\d+\)\]\Z')


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealed:
    """The first result that named the culprit: the path, the tool, and its number in the run."""

    path: Path
    tool: str | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Excluded:
    """A run that does not count, and why: which delivered texts gave the culprit away."""

    reason: Literal["second-path"]
    where: tuple[Carried, ...]


def revealed(run: Recorded, key: Key) -> Revealed:
    """Return which result named the process at fault, or a thread of it, first."""
    words = [str(pid) for pid in key.pids]
    for one in delivered(run):
        given = Given(number=one.number, tool=one.tool, text=one.delivered or "")
        if any(places(words, [given])[each].found for each in words):
            path: Path = "first" if one.tool == LISTING else "second"
            return Revealed(path=path, tool=one.tool, number=one.number)
    return Revealed(path="none")


def delivered(run: Recorded) -> Sequence[Made]:
    """Return the tools' results that were delivered; pages count for the tool that they are of."""
    owners: dict[str, str] = {}
    found = []
    for one in run.made:
        if one.delivered is None or one.tool in {"record_finding", "answer"}:
            continue
        owned = one
        if one.tool == READ:
            asked = re.search(r'"handle":"(\w+)"', one.arguments)
            owned = replace(one, tool=owners.get(asked[1] if asked else "", READ))
        pointer = HANDLE.search(one.delivered)
        if pointer:
            owners.setdefault(pointer[1], owned.tool)
        found.append(owned)
    return found


def second_path(run: Recorded, key: Key) -> Excluded | None:
    """Return why a quiet run does not count, None where it does.

    Looked at is what was delivered before the listing named the culprit: whoever has read it there
    may ask for it by name anywhere. Pages of a listing are the list under test itself. A loud
    culprit has a second path on purpose, and a healthy recording has no culprit.
    """
    if key.culprit is None or key.loudness == "loud":
        return None
    first = revealed(run, key)
    given = [
        Given(number=one.number, tool=one.tool, text=one.delivered or "", arguments=one.arguments)
        for one in delivered(run)
        if not (first.path == "first" and first.number is not None and one.number >= first.number)
        and run.made[one.number - 1].tool != READ
    ]
    where = carried(key.culprit, given, field=key.field)
    return Excluded(reason="second-path", where=tuple(where)) if where else None

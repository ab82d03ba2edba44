"""Texts that can be told again wherever they arrive: records and turns with ids of their own."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ullage.arrivals.values import Json
from ullage.probe.case import Case, Format
from ullage.probe.forms import FORMS, Form, fields
from ullage.probe.rows import EARLY, LATE, Part, row, words

EARLY_PERCENT = 48
EVIDENCE = 20
ID = re.compile(r"(?:row|turn)-[0-9a-f]{12}(?![0-9a-f])")
"""An id, whatever stands before it: in a text that was encoded again that may be a letter."""

ID_BYTES = 6
KEY_BYTES = 64

DEPOTS = ("north", "south", "east", "west", "harbour", "hill", "lake", "valley")
GOODS = ("timber", "glass", "paper", "copper", "barley", "salt", "wool", "slate")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a record stands: its part, its number in the payload from 0, its text's stretch."""

    part: Part
    position: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """One text of a tool or a user, as produced.

    `value` is what a tool that returns an object returns: the two parts with their records.
    `places` are the records by their ids, in order.
    """

    text: str
    value: dict[str, Json]
    format: Format
    places: Mapping[str, Place]


def payload(case: Case, call: int) -> Payload:
    """Make the payload of a case's tool call `call` (from 0): exactly `case.size` characters.

    Where the case has a `last_size`, the call of its last turn has that, and those after it.

    48 of 100 records are in the early part. Each has `case.lines` characters; the last one also
    takes what is left over. Raises ValueError where a size or a length is too small, with the
    smallest that is possible.
    """
    form, case = FORMS[case.format], sized(case, call)
    count = count_of(case, form)
    split = max(1, count * EARLY_PERCENT // 100)
    value: dict[str, Json] = {}
    places: dict[str, Place] = {}
    pieces, at = [form.opening], len(form.opening)
    for index in range(count):
        part = EARLY if index < split else LATE
        left_over = case.size - form.around(count) - count * case.lines
        length = case.lines + (left_over if index == count - 1 else 0)
        identity = row_id(case, call, index)
        known = row(identity, part, index, wide=case.wide)
        note = words(identity, length - len(form.record(known, "")), wide=case.wide)
        text = form.record(known, note)
        add(value, part, fields(known, note))
        places[identity] = Place(part=part, position=index, start=at, end=at + len(text))
        after = joint_after(form, index, split=split, count=count)
        pieces += [text, after]
        at += len(text) + len(after)
    return Payload(text="".join(pieces), value=value, format=case.format, places=places)


def sized(case: Case, call: int) -> Case:
    """Return a case with the size that one of its calls has."""
    if case.last_size is None or call < case.turns - 1:
        return case
    return replace(case, size=case.last_size)


def count_of(case: Case, form: Form) -> int:
    """Return how many records fit."""
    if case.lines < form.least_record:
        raise ValueError(
            f"lines: {case.lines} is too short for a record in {case.format}: "
            f"it takes {form.least_record} characters or more"
        )
    least = form.around(2) + 2 * case.lines
    if case.size < least:
        raise ValueError(
            f"size: {case.size} is too small for two records of {case.lines} characters in "
            f"{case.format}: it takes {least} or more"
        )
    return 2 + (case.size - least) // (case.lines + len(form.joint))


def joint_after(form: Form, index: int, *, split: int, count: int) -> str:
    """Return what stands behind a record."""
    if index == count - 1:
        return form.closing
    return form.middle if index == split - 1 else form.joint


def add(value: dict[str, Json], part: Part, record: Mapping[str, Json]) -> None:
    """Add a record to its part."""
    records = value.setdefault(part.removeprefix("$."), [])
    if isinstance(records, list):
        records.append(dict(record))


def least_size(case: Case) -> int:
    """Return the smallest size that a case's format and record length allow, in characters."""
    return FORMS[case.format].around(2) + 2 * case.lines


def identify(case: Case, *what: str | int) -> str:
    """Return 12 digits that follow from a case's seed and tag, and cannot be guessed."""
    key = hashlib.blake2b(case.seed.encode(), digest_size=KEY_BYTES).digest()
    text = "/".join(map(str, (case.records or case.tag, *what)))
    return hashlib.blake2b(text.encode(), key=key, digest_size=ID_BYTES).hexdigest()


def row_id(case: Case, call: int, index: int) -> str:
    """Return the id of record `index` in the payload of call `call`."""
    return f"row-{identify(case, 'row', call, index)}"


def turn_id(case: Case, turn: int) -> str:
    """Return the id of user turn `turn`, from 0."""
    return f"turn-{identify(case, 'turn', turn)}"


def found(text: str) -> tuple[str, ...]:
    """Return the ids in a text, of records and of turns, each once, in order."""
    return tuple(dict.fromkeys(ID.findall(text)))


def evidence(produced: Payload, count: int = EVIDENCE) -> tuple[str, ...]:
    """Choose ids of a payload's records, evenly over it, so that both parts have some.

    All of them where it has no more than `count`.
    """
    ids: Sequence[str] = tuple(produced.places)
    if len(ids) <= count:
        return tuple(ids)
    return tuple(ids[number * (len(ids) - 1) // (count - 1)] for number in range(count))


def prompt(case: Case, turn: int) -> str:
    """Return what the user says at turn `turn` (from 0): a fact with an id, then what to do."""
    identity = turn_id(case, turn)
    digest = hashlib.blake2b(identity.encode(), digest_size=4).digest()
    fact = (
        f"Note {identity}: the {DEPOTS[digest[0] % len(DEPOTS)]} depot ships "
        f"{GOODS[digest[1] % len(GOODS)]} on {DAYS[digest[2] % len(DAYS)]}, "
        f"{10 + digest[3] % 90} pallets."
    )
    if case.kind == "user":
        return f"{fact} Here are the rows:\n\n{payload(case, turn).text}"
    return f"{fact} {TASKS.get(case.kind, FETCH)}" if case.size else fact


FETCH = "Call fetch_rows and say what stands out."
TASKS: Mapping[str, str] = {
    "handoff": "Have your helper call fetch_rows, and report what it finds.",
    "length": "Call fetch_rows and write a full report.",
}

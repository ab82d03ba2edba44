"""The identifiers in a result, and where they stand again."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ullage.arrivals.parts import ID_LIKE, Part, identifying_leaf, leaf, parts_of
from ullage.arrivals.read import read
from ullage.checks.tables import tables

LEAST_RECORDS = 5
LEAST_CHARS = 3
"""A shorter identifier stands somewhere by chance."""
TOKEN = re.compile(r"[\w][\w.:@/+-]*[\w]|\w")
PIECE = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """The identifiers of one list, in its order, and where and by which field they stand."""

    path: str
    field: str
    ids: tuple[str, ...]


def listed(text: str) -> list[Listed]:
    """Return the lists in a text whose records have identifiers that can be found elsewhere."""
    parts = tables(text)
    if "{" in text:
        parts += [part for piece in read(text).pieces for part in parts_of(piece.value)]
    return [found for part in parts if (found := identified(part)) is not None]


def identified(part: Part) -> Listed | None:
    """Return the identifiers of a part; None where it has none that are distinct enough."""
    if len(part.records) < LEAST_RECORDS:
        return None
    keys = identifying_leaf(part)
    if keys is None:
        return None
    ids = tuple(str(leaf(record, keys)) for record in part.records)
    if not all(is_distinct(one, named=ID_LIKE.fullmatch(keys[-1]) is not None) for one in ids):
        return None
    return Listed(path=part.path, field=keys[-1], ids=ids)


def is_distinct(one: str, *, named: bool) -> bool:
    """Whether an identifier is long enough, and no word or small number that stands anywhere."""
    has_digit = any(letter.isdigit() for letter in one)
    if one.isdigit():
        return named and len(one) > LEAST_CHARS
    return len(one) >= LEAST_CHARS and (has_digit or named) and not one.isalpha()


def tokens(texts: Iterable[str]) -> set[str]:
    """Return what stands in texts between borders, as long and as short as it can be read."""
    found = {one for text in texts for one in TOKEN.findall(text)}
    joined = [one for one in found if not one.isalnum()]
    return found.union(*map(PIECE.findall, joined))


def standing(ids: Iterable[str], there: set[str]) -> list[str]:
    """Return which identifiers stand among tokens; one of several words by all its words."""
    return [
        one
        for one in ids
        if one in there or (" " in one and all(word in there for word in one.split()))
    ]

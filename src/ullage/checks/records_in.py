"""The records of a result: its list, their ids, and what is said of more."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ullage.arrivals.read import read
from ullage.arrivals.values import Json, canonical, is_scalar
from ullage.checks.pages import MORE, NEXT, TOTALS

IDS = (
    "id",
    "uuid",
    "key",
    "_id",
    "guid",
    "number",
    "code",
    "ref",
    "sku",
    "url",
    "href",
    "link",
    "name",
    "title",
    "path",
)
DEEPEST = 4
OPENERS = ("{", "[", "(", '"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """The one list of objects of a result, and the members beside it."""

    rows: Sequence[Json]
    beside: Mapping[str, Json]

    @property
    def says_more(self) -> bool:
        """Whether the members beside the list speak of more, of a page or of a total."""
        if any(self.beside.get(name) for name in (*MORE, *NEXT)):
            return True
        return any(name in self.beside for name in TOTALS)


def listing_of(text: str) -> Listing | None:
    """Return the only longest list of a text that is one value; None without one."""
    if text.lstrip()[:1] not in OPENERS:  # nearly every other text, without reading it
        return None
    reading = read(text)
    if not reading.is_value:
        return None
    found = list(lists_in(reading.value))
    if not found:
        return None
    longest = max(len(one.rows) for one in found)
    best = [one for one in found if len(one.rows) == longest]
    return best[0] if len(best) == 1 and longest else None


def lists_in(root: Json) -> list[Listing]:
    """Return the lists of a value that stand in no other list."""
    if isinstance(root, list):
        return [Listing(rows=root, beside={})]
    found: list[Listing] = []
    level: list[Json] = [root]
    for _ in range(DEEPEST):
        inner: list[Json] = []
        for one in level:
            if not isinstance(one, dict):
                continue
            beside = {name: value for name, value in one.items() if is_scalar(value)}
            found += [
                Listing(rows=value, beside=beside)
                for value in one.values()
                if isinstance(value, list)
            ]
            inner += [value for value in one.values() if isinstance(value, dict)]
        level = inner
    return found


def ids_of(rows: Sequence[Json]) -> frozenset[str] | None:
    """Return the ids of rows, each once; None where they have no field that tells them apart."""
    if not rows or not all(isinstance(one, dict) for one in rows):
        return None
    objects = [one for one in rows if isinstance(one, dict)]
    for name in [*IDS, *(key for key in objects[0] if key.lower().endswith("id"))]:
        values = [one.get(name) for one in objects]
        if all(isinstance(one, str | int) and not isinstance(one, bool) for one in values):
            found = frozenset(canonical(one) for one in values)
            if len(found) == len(rows):
                return found
    return None

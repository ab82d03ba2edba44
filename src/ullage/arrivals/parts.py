"""The parts of a produced value, and the records in them."""

import json
import re
from dataclasses import dataclass

from ullage.arrivals.values import Json, is_scalar

Path = tuple[str, ...]
"""The keys that lead from the root to a value."""

PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
ID_LIKE = re.compile(r"(?:.*[_\- ])?(?:id|uuid|guid|key|sku|ref|hash|sha|urn|code|number)|.*I[dD]")
LONGEST_ID = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One outermost list of a produced value, or the value itself where it holds no list."""

    keys: Path
    records: tuple[Json, ...]

    @property
    def name(self) -> str:
        """The key that it stands at; "" of the root."""
        return self.keys[-1] if self.keys else ""

    @property
    def path(self) -> str:
        """Where the part stands: `$`, `$.late_list`, `$["odd key"]`."""
        return path_text(self.keys)


def path_text(keys: Path) -> str:
    """Write a path in JSON-path style."""
    return "$" + "".join(
        f".{key}" if PLAIN_KEY.fullmatch(key) else f"[{json.dumps(key, ensure_ascii=False)}]"
        for key in keys
    )


def parts_of(root: Json) -> tuple[Part, ...]:
    """Split a produced value into parts, in the order of the text.

    Lists inside records are no parts. A value without any list is one record at `$`; null and an
    empty object are none.
    """
    found = lists_of(root, ())
    if found:
        return tuple(Part(keys=keys, records=tuple(records)) for keys, records in found)
    return (Part(keys=(), records=() if root is None or root == {} else (root,)),)


def lists_of(value: Json, keys: Path) -> list[tuple[Path, list[Json]]]:
    """Return the outermost lists of a value and the keys that lead to them."""
    if isinstance(value, list):
        return [(keys, value)]
    if not isinstance(value, dict):
        return []
    return [one for key, inner in value.items() for one in lists_of(inner, (*keys, key))]


def leaves(record: Json) -> dict[Path, Json]:
    """Return the scalars of a record's objects by path; lists are not entered."""
    found: dict[Path, Json] = {}
    waiting: list[tuple[Path, Json]] = [((), record)]
    while waiting:
        keys, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [((*keys, key), inner) for key, inner in reversed(value.items())]
        elif is_scalar(value):
            found[keys] = value
    return found


def leaf(record: Json, keys: Path) -> Json:
    """Return the value at a path of a record, None where there is none."""
    for key in keys:
        if not isinstance(record, dict):
            return None
        record = record.get(key)
    return record


def identifies(value: Json) -> bool:
    """Whether a value can tell records apart: a text that is not prose, or an integer."""
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, str) and 0 < len(value) <= LONGEST_ID)


def identifying_leaf(part: Part, key: str | None = None) -> Path | None:
    """Find the leaf that every record of a part has with a value of its own.

    `key` names it; else one that is called like an identifier, else the first. None where none is.
    """
    records = part.records
    if not records or not all(isinstance(record, dict) for record in records):
        return None
    first = leaves(records[0])
    if key is not None and (key,) in first:
        return (key,)
    unique = [keys for keys, value in first.items() if identifies(value)]
    unique.sort(key=lambda keys: ID_LIKE.fullmatch(keys[-1]) is None)
    return next((keys for keys in unique if is_unique(records, keys)), None)


def is_unique(records: tuple[Json, ...], keys: Path) -> bool:
    """Whether every record has its own identifying value at a path."""
    seen = set()
    for record in records:
        value = leaf(record, keys)
        if not identifies(value) or value in seen:
            return False
        seen.add(value)
    return True

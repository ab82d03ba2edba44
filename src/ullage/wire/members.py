"""Reading the members of JSON that somebody else wrote: what has another type is not there."""

import json
from collections.abc import Mapping

Object = Mapping[str, object]
NOTHING: Object = {}


def read_object(body: bytes | str) -> dict[str, object]:
    """Return a JSON object, or an empty one for anything else."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def text(raw: Object, *names: str) -> str | None:
    """Return the first of these members that is a text."""
    return next((one for name in names if isinstance(one := raw.get(name), str)), None)


def number(raw: Object, *names: str) -> int | None:
    """Return the first of these members that is a whole number."""
    for name in names:
        one = raw.get(name)
        if isinstance(one, int) and not isinstance(one, bool):
            return one
    return None


def inside(raw: Object, *names: str) -> Object:
    """Return the first of these members that is an object, an empty one where none is."""
    return next((one for name in names if isinstance(one := raw.get(name), dict)), NOTHING)


def listed(raw: object) -> list[object]:
    """Return a list, an empty one for anything else."""
    return raw if isinstance(raw, list) else []


def objects(raw: object) -> list[Object]:
    """Return the objects of a list, none for anything else."""
    return [one for one in listed(raw) if isinstance(one, dict)]


def compact(value: object) -> str:
    """Return compact JSON, as providers and SDKs send it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def written(value: object) -> str:
    """Return a text as it is, anything else as compact JSON."""
    return value if isinstance(value, str) else compact(value)

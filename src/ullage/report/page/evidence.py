"""The figures of a finding in words."""

from collections.abc import Mapping, Sequence

from ullage.cutter.excerpt import excerpt
from ullage.report.page.pieces import NA, number

LONGEST = 400
"""A text in the evidence is shown up to so many characters, its length stated."""
MOST = 12
"""So many items of a list are shown, and how many more there are."""
UNITS = {"chars": "characters", "characters": "characters", "tokens": "tokens", "percent": "%"}
NAMES = {
    "rate": "arrival",
    "records": "records",
    "where": "lost in",
    "notice": "notice to the model",
    "expected_by_chance": "expected by chance",
}
VALUES = {
    "where": {
        "tool": "the tool's own code",
        "harness": "the harness, after the tool",
        "unknown": "between the tool and the first request",
    },
    "notice": {"none": "none: the model was not told"},
}


def evidence_words(evidence: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return each figure with its name, those that are not known left out."""
    return [
        (name_of(key), value_of(key, value)) for key, value in evidence.items() if value is not None
    ]


def name_of(key: str) -> str:
    """Return the name of a figure as people say it."""
    if key in NAMES:
        return NAMES[key]
    bare = key.rpartition("_")[0] if unit_of(key) else key
    return (bare or key).replace("_", " ")


def unit_of(key: str) -> str | None:
    """Return the unit that a key names behind its last underscore."""
    head, _, last = key.rpartition("_")
    return UNITS.get(last) if head else None


def value_of(key: str, value: object) -> str:
    """Return a figure with its unit."""
    known = VALUES.get(key, {})
    if isinstance(value, str) and value in known:
        return known[value]
    unit = unit_of(key)
    return f"{written(value)} {unit}" if unit and isinstance(value, int | float) else written(value)


def written(value: object) -> str:
    """Write a value of JSON as people do."""
    if value is None:
        return NA
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return number(value) if value.is_integer() else f"{value:.4g}"
    if isinstance(value, int):
        return number(value)
    if isinstance(value, Mapping):
        return of_mapping(value)
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return listed([written(one) for one in value])
    return excerpt(str(value), LONGEST)


def of_mapping(value: Mapping[object, object]) -> str:
    """Write the members of an object; pairs of numbers are `delivered of produced`."""
    found = []
    for key, one in value.items():
        pair = isinstance(one, list | tuple) and len(one) == 2 and all(map(is_count, one))
        text = " of ".join(written(part) for part in one) if pair else written(one)  # type: ignore[attr-defined]  # a pair is a list
        found.append(f"{excerpt(str(key), LONGEST)}: {text}")
    return listed(found)


def is_count(value: object) -> bool:
    """Whether a value is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def listed(words: Sequence[str]) -> str:
    """Write a list; of a long one the first, and how many more."""
    more = len(words) - MOST
    shown = ", ".join(words[:MOST])
    return f"{shown}, and {number(more)} more" if more > 0 else shown or "none"

"""What tells a record from all others of its part: the values to look for when it is lost."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ullage.arrivals.parts import ID_LIKE, LONGEST_ID, Part, Path, identifying_leaf, leaves
from ullage.arrivals.torn import DISTINCT
from ullage.arrivals.values import Json

SHORTEST = 3
"""A shorter text stands anywhere by chance."""

SMALLEST = 10 ** (DISTINCT - 1)
"""A smaller integer stands anywhere by chance."""

LARGEST_BITS = 600
"""A larger integer is no id, and is not spelled out."""

PROSE_WORDS = 6
"""A text of more words is prose: it may be said of anything."""

KINDS = re.compile(
    r"status|state|phase|type|kind|level|severity|result|outcome|role|mode|category|class"
    r"|action|event|reason|priority|method|language|unit",
    re.IGNORECASE,
)
"""Fields whose plain words are of a few kinds."""

LINE = "line"
"""Where the words of a line stand: a path that no object has."""

LINE_WORD = re.compile(r"[^\s\"'`<>|,;()\[\]{}=]+")
FRACTION = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")
AROUND = ".:!?*#@/-+"
INSIDE = re.compile(r"\d|_|\.")


def telling(records: Sequence[Json]) -> list[tuple[str, ...]]:
    """Return for each record of a part the values that no other record of it has, as text.

    The leaf that identifies the records comes first, then the others in their order. A value that
    several records share tells none of them, and a plain word tells none where it is a state or a
    kind (`"status": "failed"`) or where there is no other record. A record that is a line of text
    is told by itself, and by those of its words that are no plain words (`web-12`, `src/a.py`).
    Empty where nothing tells a record from others.
    """
    key = identifying_leaf(Part(keys=(), records=tuple(records)))
    each = [dict(candidates(record)) for record in records]
    shared = Counter(text for one in each for text in set(one.values()))
    found = []
    for one in each:
        first = [keys for keys in one if keys == key]
        rest = [keys for keys, text in one.items() if shared[text] == 1]
        own = [keys for keys in [*first, *rest] if has_weight(keys, one[keys], len(records))]
        found.append(tuple(dict.fromkeys(one[keys] for keys in own)))
    return found


def candidates(record: Json) -> Iterator[tuple[Path, str]]:
    """Yield the values of a record that could tell it from others, with where they stand."""
    if isinstance(record, list):
        return
    for keys, value in leaves(record).items():
        text = as_text(value)
        if text is not None:
            yield keys, text
    if isinstance(record, str) and len(record.split()) > 1:
        for number, word in enumerate(line_words(record)):
            yield (LINE, str(number)), word


def as_text(value: Json) -> str | None:
    """Return a value as it is looked for; None where it could stand anywhere by chance."""
    if isinstance(value, str):
        text = value.strip()
        return text if len(value) <= LONGEST_ID and is_telling(text) else None
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return str(value) if abs(value) >= SMALLEST and value.bit_length() <= LARGEST_BITS else None


def is_telling(text: str) -> bool:
    """Whether a text is no prose, no number of few digits and no fraction."""
    if len(text) < SHORTEST or len(text.split()) > PROSE_WORDS or FRACTION.fullmatch(text):
        return False
    few_digits = len(text) < DISTINCT and text.isdecimal()
    return not few_digits and any(one.isalnum() for one in text)


def line_words(line: str) -> list[str]:
    """Return the words of a line that are no plain words: names with a digit, a dot, a `_`."""
    words = (match[0].strip(AROUND) for match in LINE_WORD.finditer(line))
    return [word for word in words if is_name(word)]


def is_name(word: str) -> bool:
    """Whether a word of a line can tell it: an integer, or letters with what no plain word has."""
    if not DISTINCT <= len(word) <= LONGEST_ID:
        return False
    if word.isdecimal():
        return True
    return any(one.isalpha() for one in word) and INSIDE.search(word) is not None


def has_weight(keys: Path, text: str, records: int) -> bool:
    """Whether a value says more than a plain word that may stand anywhere: `failed`, `running`."""
    if not text.isalpha():
        return True
    field = keys[-1] if keys else ""
    return not KINDS.fullmatch(field) and (records > 1 or ID_LIKE.fullmatch(field) is not None)

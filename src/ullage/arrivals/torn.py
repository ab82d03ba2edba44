"""What torn text still says: keys with their values, words, and the elements of a torn list."""

import re
from collections import Counter, defaultdict

from ullage.arrivals.scan import WORDS
from ullage.arrivals.values import Json, canonical, decode, is_scalar, unescape

PAIR = re.compile(
    r"""(?P<key>"[^"\\\n]{1,200}"|'[^'\\\n]{1,200}'|[^\W\d][\w.-]{0,80}+)\s{0,8}[:=]\s{0,8}
    (?P<value>"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"
    |'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'
    |[^\s,;|\]}\[{"'(]++(?=[\s,;|\]})]))""",
    re.VERBOSE,
)
ELEMENT = re.compile(
    r"""(?<=[\[,\s])(?P<value>"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'
    |-?\d[\d.eE+-]*+)(?=\s{0,8}[,\]])""",
    re.VERBOSE,
)
WORD = re.compile(r"(?<![.+-])(?:[.+-]*+\w++)++")
"""A word ends with a letter or a digit; a run of dashes is looked at once."""
DISTINCT = 4
"""A shorter value is too common to be looked for without its key beside it."""

CONTAINED = 8
"""A shorter text may stand inside another one by chance."""


class Torn:
    """An index of text that no longer parses, built once so that each question costs little."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.beside: dict[str, set[str]] = defaultdict(set)
        for one in pairs(text):
            self.beside[bare(one["key"])].add(canonical(scalar(one["value"])))
        self.words = set(WORD.findall(text))

    def holds(self, key: str, value: Json) -> bool:
        """Whether key and value arrived: side by side, or both at token borders if distinct."""
        if not is_scalar(value):
            return self.holds_inside(value)
        return canonical(value) in self.beside.get(key, ()) or (
            self.has_words(key) and self.holds_value(value)
        )

    def holds_inside(self, value: Json) -> bool:
        """Whether every leaf of an object arrived; a list that was torn did not."""
        return (
            isinstance(value, dict)
            and bool(value)
            and all(self.holds(key, inner) for key, inner in value.items())
        )

    def holds_value(self, value: Json) -> bool:
        """Whether a value that is distinct enough stands at token borders."""
        text = value if isinstance(value, str) else canonical(value)
        return len(text) >= DISTINCT and not isinstance(value, bool) and self.has_words(text)

    def has_words(self, text: str) -> bool:
        """Whether a text stands at token borders."""
        words = WORD.findall(text)
        if not words or not self.words.issuperset(words):
            return False
        return words == [text] or at_borders(text, self.text)

    def elements(self) -> Counter[str]:
        """Count the elements of torn lists of scalars, by canonical value."""
        return Counter(canonical(scalar(one["value"])) for one in ELEMENT.finditer(self.text))

    def values_of(self, key: str) -> list[Json]:
        """Return the values that stand beside a key, in order."""
        return [scalar(one["value"]) for one in pairs(self.text) if bare(one["key"]) == key]


def first_word(value: Json) -> str | None:
    """Return the first word of a scalar as text, "" where it has none; None of a container.

    A scalar that `Torn.holds` has its first word there, or stands beside its key.
    """
    if not is_scalar(value):
        return None
    text = value if isinstance(value, str) else canonical(value)
    if text.isalnum():
        return text
    found = WORD.search(text)
    return found[0] if found else ""


def pairs(text: str) -> list[re.Match[str]]:
    """Find keys with the value beside them, in JSON, Python, YAML or `key=value` spelling."""
    return list(PAIR.finditer(text))


def bare(token: str) -> str:
    """Return a key without its quotes."""
    return token[1:-1] if token[0] in "\"'" else token


def scalar(token: str) -> Json:
    """Return the value of a token as JSON or Python would; a bare word is a text."""
    if token in WORDS:
        return WORDS[token]
    if token[0] == "'":
        return unescape(token[1:-1])
    try:
        return decode(token)
    except (ValueError, RecursionError):
        return unescape(token[1:-1]) if token[0] == '"' else token


def stands_in_full(needle: str, text: str) -> bool:
    """Whether `needle` stands in `text` as it is, and is too long to do so by chance."""
    return len(needle) >= CONTAINED and needle in text


def at_borders(needle: str, text: str) -> bool:
    """Whether `needle` stands in `text` with no word going on at either end."""
    at = text.find(needle)
    while at >= 0:
        before = text[at - 1 : at] + needle[0]
        after = needle[-1] + text[at + len(needle) : at + len(needle) + 1]
        if not (within_word(before) or within_word(after)):
            return True
        at = text.find(needle, at + 1)
    return False


def within_word(two: str) -> bool:
    """Whether two neighbouring characters belong to one word."""
    return len(two) == 2 and all(one.isalnum() or one == "_" for one in two)

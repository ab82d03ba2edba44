"""Finding one value in texts: at token borders, in whatever escapes it stands."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ullage.arrivals.values import unescape

SURROGATE = re.compile("[\ud800-\udfff]")
DEPTH = 3
"""JSON in a string in a string: so many layers of escapes are undone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A value that is looked for as it is written, and other ways to write the same number.

    Its borders are those of an identifier: `ORD-1` stands neither in `ORD-17` nor in `ORD-1-b`,
    and `5` not in `1.5`.
    """

    text: str
    others: Sequence[str] = ()
    pattern: re.Pattern[str] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pattern", bordered(self.text))

    def stands_in(self, text: str) -> bool:
        """Whether a text holds the value."""
        return stands_in(self.text, self.pattern, text)

    def other_in(self, text: str) -> str | None:
        """Return another spelling of the value that a text holds, None if there is none."""
        return next((one for one in self.others if stands_in(one, bordered(one), text)), None)


def value_of(text: str) -> Value:
    """Return a value to look for. Raises ValueError for a blank one."""
    if not text.strip():
        raise ValueError("name a value that can be found, such as an order id")
    return Value(text=text, others=tuple(one for one in spellings(text) if one != text))


def bordered(text: str) -> re.Pattern[str]:
    """Return the pattern of a text with no token going on at either end."""
    return re.compile(rf"(?<!\w)(?<!\w[-.]){re.escape(text)}(?!\w)(?![-.]\w)")


def stands_in(needle: str, pattern: re.Pattern[str], text: str) -> bool:
    """Whether a text holds a needle at token borders, its escapes undone layer by layer."""
    return any(needle in one and pattern.search(one) for one in layers(text))


def layers(text: str) -> Iterator[str]:
    """Give a text as it stands, then with its escapes undone, a layer more each time."""
    yield text
    for _ in range(DEPTH):
        if "\\" not in text:
            return
        text = paired(unescape(text))
        yield text


def paired(text: str) -> str:
    """Put the two halves together in which JSON escapes a character beyond the first plane."""
    if SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def spellings(text: str) -> list[str]:
    """Return how else programs write a number: as a float, without its fraction, in exponents."""
    try:
        number = float(text)
    except ValueError:
        return []
    found = [repr(number), f"{number:g}"]
    if number.is_integer():
        found += [f"{number:.0f}", f"{number:.1f}"]
    return list(dict.fromkeys(found))

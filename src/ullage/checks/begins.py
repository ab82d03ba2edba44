"""Which of many texts stand inside another one, without a search for each of them.

A run of thousands of conversations has as many replies, and any of them may be a summary.
"""

from collections import defaultdict
from collections.abc import Set
from dataclasses import dataclass, field

FEW = 300
"""So many texts are looked for one by one: to look at every place of a text costs as much."""


@dataclass(slots=True, kw_only=True)
class Begins:
    """The numbers of texts by their first `length` characters; shorter texts are not held."""

    length: int
    by_begin: defaultdict[str, set[int]] = field(default_factory=lambda: defaultdict(set))

    def add(self, text: str, number: int) -> None:
        """Hold a text by its number."""
        if len(text) >= self.length:
            self.by_begin[begin(text, self.length)].add(number)

    def discard(self, text: str, number: int) -> None:
        """Hold a text no longer."""
        key = begin(text, self.length)
        self.by_begin[key].discard(number)
        if not self.by_begin[key]:
            del self.by_begin[key]

    def inside(self, text: str) -> set[int]:
        """Return the numbers of the texts whose beginning stands in `text`."""
        found = standing(self.by_begin.keys(), text, self.length)
        return {number for one in found for number in self.by_begin[one]}


def begin(text: str, length: int) -> str:
    """Return the first characters of a text, by which it is looked for."""
    return text[:length]


def standing(begins: Set[str], text: str, length: int) -> set[str]:
    """Return which of some texts, each of so many characters, stand in `text`."""
    if len(begins) <= FEW:
        return {one for one in begins if one in text}
    stretches = (text[at : at + length] for at in range(len(text) - length + 1))
    return {one for one in stretches if one in begins}

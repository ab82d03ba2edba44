"""How much a text says for its length: kinds of lines to lines, or of word groups to words."""

import re
from dataclasses import dataclass
from typing import Literal

from ullage.cutter.miner import mine
from ullage.transcript.counted import many

FEW_LINES = 12
GROUP = 4
"""Prose repeats words; it hardly ever repeats four in a row."""
WORD = re.compile(r"\w+|[^\w\s]")
LONGEST_WORD = 100
"""What is longer is data in letters, and says nothing to a reader."""
MEASURED = 400_000
STRETCH = 10_000
"""Of a longer text so many characters are measured, in stretches that lie evenly over it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Density:
    """How many kinds there are among how many."""

    kinds: int
    count: int
    of: Literal["line", "word group"]

    @property
    def share(self) -> float:
        """Kinds to all: near 0 where a text repeats itself, 1 where it never does."""
        return self.kinds / self.count if self.count else 1.0

    @property
    def words(self) -> str:
        """The figures as `why` gives them."""
        kinds = f"{many(self.kinds, 'kind')} of {self.of}"
        return f"{kinds} in {many(self.count, self.of)} (density {self.share:.2f})"


def density(text: str) -> Density:
    """Measure a text: by the templates of its lines, or by groups of words where it has few."""
    text = sampled(text)
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) >= FEW_LINES:
        return Density(kinds=len(set(mine(lines).templates)), count=len(lines), of="line")
    words = [one for word in WORD.findall(text) for one in spelled(word)]
    groups = list(zip(*(words[at:] for at in range(GROUP)), strict=False))
    return Density(kinds=len(set(groups)), count=len(groups), of="word group")


def spelled(word: str) -> list[str]:
    """Return a word as it is compared: numbers are alike, and so are stretches of data."""
    if len(word) > LONGEST_WORD:
        return ["data"] * (len(word) // GROUP)
    return ["0" if word.isdigit() else word]


def sampled(text: str) -> str:
    """Return as much of a text as is measured."""
    if len(text) <= MEASURED:
        return text
    count = MEASURED // STRETCH
    steps = (len(text) - STRETCH) // (count - 1)
    return "\n".join(text[at * steps : at * steps + STRETCH] for at in range(count))

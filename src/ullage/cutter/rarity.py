"""Which texts of a list are worded unlike the others."""

import math
import re
import statistics
from collections import Counter
from collections.abc import Sequence

from ullage.cutter.standout import FAR, FEWEST, MAD_TO_SIGMA, RARE, Standout

WORD = re.compile(r"\w+")
NUMBER = re.compile(r"\d+")
# A spread below half a bit is that of a text made of copies: any rare word is far from it.
LEAST_SPREAD = 0.5


def surprising(texts: Sequence[str]) -> list[Standout]:
    """Return the texts whose words or characters are rare among the others, strongest first.

    Where every text has rare words of its own, as in natural prose, only those with far more of
    them stand out.
    """
    if len(texts) < FEWEST:
        return []
    scores = surprises(texts)
    middle = statistics.median(scores)
    spread = MAD_TO_SIGMA * statistics.median(abs(one - middle) for one in scores)
    spread = max(spread, LEAST_SPREAD)
    found = [
        Standout(record=at, why="unusual words", strength=math.log2((score - middle) / spread))
        for at, score in enumerate(scores)
        if score - middle > FAR * spread
    ]
    return sorted(found, key=lambda one: (-one.strength, one.record))


def surprises(texts: Sequence[str]) -> list[float]:
    """Return the bits that the rare words and characters of each text carry, per square root."""
    most = len(texts) / RARE
    counts: Counter[str] = Counter()
    rare: list[list[str]] = []
    sizes: list[int] = []
    for text in texts:
        found = features(text)
        counts.update(found)
        sizes.append(len(found))
        # What is common by now stays common: dropping it here keeps the memory small.
        rare.append(sorted(one for one in found if counts[one] <= most))
    return [
        sum(math.log2(len(texts) / counts[one]) for one in words if counts[one] <= most)
        / math.sqrt(max(size, 1) / 20)
        for words, size in zip(rare, sizes, strict=True)
    ]


def features(text: str) -> set[str]:
    """Return the words and characters of a text; all numbers are one word."""
    normal = NUMBER.sub("0", text)
    return {*normal, *WORD.findall(normal)}

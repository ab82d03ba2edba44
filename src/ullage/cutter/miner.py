"""Finding which lines are alike: what varies is masked, then templates that differ in words join.

In the way of Drain (a tree of fixed depth: number of words, first word, then likeness), but over
the different masked lines in a fixed order and not over a stream: the order of lines does not
change the templates, and a line is looked at once.
"""

import math
import operator
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ullage.cutter.standout import FEWEST, Standout, far, rare

# So much of a line says what kind of line it is.
LONGEST = 1_000
# Share of words that two templates must have in common to be one.
ALIKE = 0.6
# Templates that a leaf of the tree compares; what comes later joins one that takes everything.
MOST = 32
# A line stands out when at most one in 2 ** UNCOMMON is as rare as it is.
UNCOMMON = 3.0
# Of the lines of one template that differ in a value, at most this share stands out.
ODD_SHARE = 0.01
ODD_LEAST = 3

# What is looked for at a place depends on the character there: nearly all are letters inside words.
VALUE = (
    r"(?=\d)(?:"
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"
    r"|\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?"
    r"|0x[0-9a-fA-F]+"
    r")"
    r"|(?<!\w)(?=[0-9a-fA-F])(?:"
    r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?!\w)"
    r"|(?=[a-f]{0,39}\d)[0-9a-f]{7,64}(?!\w)"
    r")"
)
PATH = r"|(?<![\w.@+~-])[\w.@+~-]*+(?:/[\w.@+~-]*+)++"
OTHER = (
    r"|(?=[ \d])(?:(?<=[ (\[=:])[ ]+)?\d+(?:[.,]\d+)*"
    r"|(?=[#=━█▓░╸.*-])(?:[#=━█▓░╸]|(?<=[.*-])[.*-]){2,}[> ]*"
)
MASK = re.compile(rf"({VALUE}{PATH}{OTHER})")
MASK_WITHOUT_PATHS = re.compile(rf"({VALUE}{OTHER})")
# What no masked text is without; most prose is.
VARIABLE = re.compile(r"[\d/#=━█▓░╸]|--|\*\*|\.\.")
SEPARATOR = "\0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mined:
    """For each line its template, its masked text, and the values that the mask took out."""

    templates: Sequence[int]
    keys: Sequence[str]
    values: Sequence[Sequence[str]]


def mine(lines: Sequence[str]) -> Mined:
    """Find the template of each line."""
    keys, values = [], []
    for line in lines:
        start = line[:LONGEST]
        mask = MASK if "/" in start else MASK_WITHOUT_PATHS
        pieces = mask.split(start) if VARIABLE.search(start) else [start]
        keys.append(SEPARATOR.join(pieces[::2]))
        values.append(pieces[1::2])
    counts = Counter(keys)
    tree = Tree()
    found = {
        key: tree.add(key.split()) for key in sorted(counts, key=lambda key: (-counts[key], key))
    }
    return Mined(templates=[found[key] for key in keys], keys=keys, values=values)


@dataclass(slots=True)
class Tree:
    """The templates found so far, by their number of words and their first word."""

    leaves: dict[tuple[int, str], list[tuple[int, list[str | None]]]] = field(default_factory=dict)
    count: int = 0

    def add(self, words: list[str]) -> int:
        """Return the template that `words` belong to; make one if there is none."""
        leaf = self.leaves.setdefault((len(words), words[0] if words else ""), [])
        best, most = None, ALIKE * len(words)
        for one in leaf:
            same = sum(map(operator.eq, words, one[1]))
            if same >= most and (best is None or same > most):
                best, most = one, same
        if best is None and len(leaf) >= MOST:
            best = leaf[-1]
        if best is None:
            leaf.append((self.count, list(words)))
            self.count += 1
            return self.count - 1
        number, template = best
        template[:] = [
            old if old == word else None for old, word in zip(template, words, strict=True)
        ]
        return number


def rarity(labels: Sequence[object]) -> list[float]:
    """Return for each label log2 of one in how many is as rare as it is; 0 where all are alike."""
    counts = Counter(labels)
    as_rare: dict[int, int] = {}
    total = 0
    for count, labels_of_it in sorted(Counter(counts.values()).items()):
        total += count * labels_of_it
        as_rare[count] = total
    return [math.log2(len(labels) / as_rare[counts[label]]) for label in labels]


def uncommon(mined: Mined) -> list[Standout]:
    """Return the lines of a rare template, or with rare words or an unusual value in theirs."""
    best: dict[int, Standout] = {}
    for one in (*rare_templates(mined), *odd_words(mined), *odd_values(mined)):
        if one.record not in best or best[one.record].strength < one.strength:
            best[one.record] = one
    return sorted(best.values(), key=lambda one: (-one.strength, one.record))


def rare_templates(mined: Mined) -> Iterator[Standout]:
    """Yield the lines unlike all or nearly all others."""
    for at, strength in enumerate(rarity(mined.templates)):
        if strength >= UNCOMMON:
            yield Standout(record=at, why="rare line", strength=strength)


def odd_words(mined: Mined) -> Iterator[Standout]:
    """Yield the lines with a word that hardly any other line of their template has."""
    for members in groups(mined.templates):
        for at, strength in zip(members, rarity([mined.keys[at] for at in members]), strict=True):
            if strength > UNCOMMON + 1:
                yield Standout(record=at, why="rare words", strength=strength)


def odd_values(mined: Mined) -> Iterator[Standout]:
    """Yield the lines with a number far from the others, or a rare value, in the same place."""
    for members in groups(mined.keys):
        found: dict[int, Standout] = {}
        for column in zip(*(mined.values[at] for at in members), strict=True):
            read = numbers(column)
            kinds = set(map(type, read))
            for one in (
                *far("value", read, all_numbers=kinds == {float}),
                *rare("value", read, as_it_is=len(kinds) == 1),
            ):
                at = members[one.record]
                if at not in found or found[at].strength < one.strength:
                    found[at] = Standout(record=at, why=one.why, strength=one.strength)
        most = max(ODD_LEAST, round(len(members) * ODD_SHARE))
        yield from sorted(found.values(), key=lambda one: (-one.strength, one.record))[:most]


def groups(labels: Sequence[object]) -> Iterator[list[int]]:
    """Yield the places of each label that enough lines have for something to be usual."""
    places: dict[object, list[int]] = defaultdict(list)
    for at, label in enumerate(labels):
        places[label].append(at)
    return (members for members in places.values() if len(members) >= FEWEST)


def numbers(column: Sequence[str]) -> Sequence[object]:
    """Return masked values as numbers, those that are."""
    try:
        return list(map(float, column))
    except ValueError:
        return [number(value) for value in column]


def number(value: str) -> object:
    """Return a masked value as a number where it is one."""
    if "/" in value or ":" in value or "," in value:  # nearly all that are none
        return value
    try:
        return float(value)
    except ValueError:
        return value

"""Whether what tells of a lost record stands elsewhere in its session: loud, quiet or untold."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ullage.arrivals.telling import telling
from ullage.arrivals.values import Json

__all__ = ["Given", "Lost", "Place", "SecondPath", "second_paths", "telling"]

Word = Literal["loud", "quiet", "untold"]

RUN = re.compile(r"[\w.+-]+")
"""A word and the marks around it; without those behind it, it is a word as `torn.WORD` has it."""
MARKS = ".+-"
GOES_ON = re.compile(r"[.+-]*\w")
ESCAPE = re.compile(r"\\[nrt\\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """One result that was delivered in a session, and the arguments of its call."""

    number: int
    tool: str
    text: str
    arguments: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """A record that did not arrive: of which result, part and place, and what tells of it."""

    result: int
    part: str
    index: int
    record: Json
    telling: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a telling value stands: in which result, at which character of its delivered text.

    `same` says that it is the lost record's own result: another part of it, or its torn rest.
    """

    value: str
    result: int
    tool: str
    at: int
    same: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondPath:
    """`loud`: the evidence stands elsewhere, at `place`. `quiet`: nowhere. `untold`: none known."""

    word: Word
    place: Place | None = None


@dataclass(slots=True)
class Needle:
    """A value in one spelling: `key` is the word by which it is found, at `offset` in it."""

    value: str
    spelling: str
    key: str
    offset: int


@dataclass(frozen=True, slots=True)
class Spot:
    """A value in one delivered text."""

    given: Given
    at: int


@dataclass(slots=True)
class Spots:
    """The first places of a value in two different results: one may be the lost record's own."""

    found: list[Spot] = field(default_factory=list)

    def add(self, given: Given, at: int) -> None:
        """Add a place; places come in order."""
        last = self.found[-1] if self.found else None
        if last is None or (last.given.number != given.number and len(self.found) < 2):
            self.found.append(Spot(given, at))


def second_paths(lost: Sequence[Lost], given: Sequence[Given]) -> list[SecondPath]:
    """Say of each lost record of one session whether its evidence stands in a delivered text.

    A value stands there as a word of its own: `web-1` not in `web-12`, nor in `my-web-1`. `given`
    holds every result of the session, those of the lost records among them. A text that only
    repeats the arguments of its call is none. Of the places, the first one in another result is
    told, else the first one in the own; the values of a record are asked in their order, all of
    them in other results first. The order of `given` does not count. Every text is read once.
    """
    spots = places({value for one in lost for value in one.telling}, given)
    return [path_of(one, spots) for one in lost]


def path_of(one: Lost, spots: dict[str, Spots]) -> SecondPath:
    """Say of one lost record where its evidence stands."""
    if not one.telling:
        return SecondPath(word="untold")
    found = [(value, spot) for value in one.telling for spot in spots[value].found]
    if not found:
        return SecondPath(word="quiet")
    value, spot = min(found, key=lambda pair: pair[1].given.number == one.result)
    place = Place(
        value=value,
        result=spot.given.number,
        tool=spot.given.tool,
        at=spot.at,
        same=spot.given.number == one.result,
    )
    return SecondPath(word="loud", place=place)


def places(values: Iterable[str], given: Sequence[Given]) -> dict[str, Spots]:
    """Find the first places of every value, reading each text once."""
    wanted = sorted(set(values))
    found = {value: Spots() for value in wanted}
    by_word = needles(wanted)
    for one in sorted(given, key=lambda each: (each.number, each.text, each.tool)):
        if not is_echo(one):
            for value, at in sorted(firsts(one.text, by_word).items()):
                found[value].add(one, at)
    return found


def firsts(text: str, by_word: dict[str, list[Needle]]) -> dict[str, int]:
    """Return where each value stands first in a text, of those that do."""
    found: dict[str, int] = {}
    for reading in readings(text):
        for word, start in words(reading):
            for needle in by_word.get(word, ()):
                at = start - needle.offset
                earlier = found.get(needle.value)
                if (earlier is None or at < earlier) and stands(needle.spelling, reading, at):
                    found[needle.value] = at
    return found


def readings(text: str) -> list[str]:
    """Return a text, and what it is with escaped line breaks and tabs taken for space.

    Both, for such an escape may as well be a folder of Windows. Places are the same in both.
    """
    spaced = ESCAPE.sub(lambda one: one[0] if one[0] == "\\\\" else "  ", text)
    return [text] if spaced == text else [text, spaced]


def words(text: str) -> Iterator[tuple[str, int]]:
    """Yield the words of a text and where they begin, in time linear in the text."""
    for match in RUN.finditer(text):
        word = match[0].rstrip(MARKS)
        if word:
            yield word, match.start()


def needles(values: Sequence[str]) -> dict[str, list[Needle]]:
    """Return the values by the rarest word in each, so that few are tried at one place."""
    each = [
        (value, spelling, list(words(spelling)))
        for value in values
        for spelling in spellings(value)
    ]
    frequent = Counter(word for _, _, inside in each for word, _ in inside)
    found: dict[str, list[Needle]] = defaultdict(list)
    for value, spelling, inside in each:
        if inside:
            key, offset = min(inside, key=lambda one: (frequent[one[0]], -len(one[0]), one[1]))
            found[key].append(Needle(value, spelling, key, offset))
    return found


def spellings(value: str) -> list[str]:
    """Return a value as it is, and as it stands in JSON."""
    escaped = (json.dumps(value, ensure_ascii=ascii_only)[1:-1] for ascii_only in (True, False))
    return list(dict.fromkeys([value, *escaped]))


def stands(needle: str, text: str, at: int) -> bool:
    """Whether a needle stands in a text at a place, and no word of it goes on at either end."""
    if at < 0 or not text.startswith(needle, at):
        return False
    before, end = text[at - 1 : at] if at else "", at + len(needle)
    begins_inside = RUN.match(needle[0]) and before and RUN.match(before)
    ends_inside = RUN.match(needle[-1]) and GOES_ON.match(text, end)
    return not (begins_inside or ends_inside)


def is_echo(one: Given) -> bool:
    """Whether a text says nothing but what the arguments of its call said."""
    asked = {word for word, _ in words(one.arguments)}
    return bool(asked) and all(word in asked for word, _ in words(one.text))

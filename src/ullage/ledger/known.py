"""Secrets that a run has shown: found again later, whole or in pieces, whatever their shape.

A piece is eight bytes or more. Every such piece holds a block of four that starts at a multiple of
four, so a text without one of the known blocks is passed over quickly. From a known block a piece
is followed both ways for as long as it is the secret's.
"""

import base64
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import quote

from ullage.ledger.spans import PLACEHOLDER, Span, merge
from ullage.ledger.strength import TWO_WORDS, bits, is_made, own_part, strength
from ullage.ledger.words import WORD, blanked, is_word, words

PIECE = 8
BLOCK = 4
# A weak secret without a word of this many is not looked for: shorter ones are everywhere.
ANCHOR = 4
# So many weak ones are faster looked for one by one than among all words of a text.
FEW = 6
# Bounds of memory and time for texts that are lists of secrets. Beyond so many, secrets are looked
# for as words of their own; and of so many places that share a block, the first are looked at.
MOST_IN_PIECES = 500
MOST_PLACES = 8
# Where a number of JSON stands: a placeholder there would make the body unreadable.
_DIGIT_BEFORE = re.compile(rb"[0-9][.+-]?\Z")
_DIGIT_AFTER = re.compile(rb"[.eE]?[0-9]")
_BEFORE_VALUE = re.compile(rb"[:,\[]\s*[+-]?\Z")
_AFTER_VALUE = re.compile(rb"\s*(?:[,\]}]|\Z)")
_UNICODE_CUT = re.compile(rb"\\u[0-9A-Fa-f]{0,3}\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The secrets of a run, in every spelling, with the mark that stands for each.

    Those that are random enough are found anywhere and in pieces (`strong`), weaker ones as words
    of their own (`weak`, by their longest word). What is no more than a word is not looked for.
    """

    strong: frozenset[bytes] = frozenset()
    blocks: Mapping[int, tuple["Place", ...]] = field(default_factory=dict)
    weak: Mapping[bytes, tuple["Weak", ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.strong or self.weak)

    def learn(self, secrets: Mapping[bytes, bytes]) -> "Known":
        """Return the same with more secrets, each with its mark."""
        strong: set[bytes] = set()
        blocks: dict[int, tuple[Place, ...]] = {}
        weak: dict[bytes, tuple[Weak, ...]] = {}
        for secret in sorted(secrets):
            kind = strength(secret)
            if kind is None or secret in self.strong:
                continue
            texts = sorted(spellings(secret))
            if kind == "pieces" and len(self.strong) + len(strong) < MOST_IN_PIECES:
                strong.add(secret)
                made = is_made(secret)
                for text in (*texts, *sorted(in_base64(secret))):
                    one = Spelling(text=text, mark=secrets[secret], made=made)
                    _take_apart(one, blocks, self.blocks)
            else:
                for spelling in texts:
                    _add(weak, self.weak, spelling, secrets[secret])
        if not strong and not weak:
            return self
        return Known(
            strong=self.strong | strong,
            blocks={**self.blocks, **blocks} if blocks else self.blocks,
            weak={**self.weak, **weak} if weak else self.weak,
        )

    def find(self, data: bytes) -> list[Span]:
        """Return where known secrets stand, whole or in pieces, in order."""
        found = [*self._find_strong(data), *self._find_weak(data)]
        if not found:
            return []
        runs = _outside_placeholders(data, merge(found))
        return [_whole_characters(data, run) for run in runs if not _is_number(data, run)]

    def _find_strong(self, data: bytes) -> list[Span]:
        there = _blocks(data)
        if self.blocks.keys().isdisjoint(there):
            return []
        found: list[Span] = []
        end = 0
        for number, block in enumerate(there):
            if block not in self.blocks or (number + 1) * BLOCK <= end:
                continue
            spans = (place.span(data, number * BLOCK) for place in self.blocks[block])
            best = max(filter(None, spans), key=lambda span: span.end - span.start, default=None)
            if best is not None:
                found.append(best)
                end = best.end
        return found

    def _find_weak(self, data: bytes) -> list[Span]:
        if not self.weak:
            return []
        if len(self.weak) <= FEW:
            return [span for ones in self.weak.values() for one in ones for span in one.spans(data)]
        found = []
        for word in words(data, {len(anchor) for anchor in self.weak}):
            for one in self.weak.get(data[word.start : word.end], ()):
                start = word.start - one.offset
                end = start + len(one.spelling)
                if start >= 0 and data[start:end] == one.spelling:
                    found.append(Span(start=start, end=end, mark=one.mark))
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """A secret as it stands in some texts, and the mark that stands for the secret.

    Of a `made` one every piece is its own; one of another may be words.
    """

    text: bytes
    mark: bytes
    made: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where in a spelling a block stands."""

    spelling: Spelling
    offset: int

    def span(self, data: bytes, at: int) -> Span | None:
        """Follow the spelling both ways from a block in a text; None if that is not its own."""
        text = self.spelling.text
        first, last = self.offset, self.offset + BLOCK
        start, end = at, at + BLOCK
        while first and start and text[first - 1] == data[start - 1]:
            first, start = first - 1, start - 1
        while last < len(text) and end < len(data) and text[last] == data[end]:
            last, end = last + 1, end + 1
        whole = end - start == len(text)
        if not whole and (end - start < PIECE or not _is_own(self.spelling, first, last)):
            return None
        return Span(start=start, end=end, mark=self.spelling.mark, piece=not whole)


def _is_own(spelling: Spelling, first: int, last: int) -> bool:
    """Tell a piece of a secret from words, and from what all keys of its maker begin with."""
    own = own_part(spelling.text)
    if last < own + BLOCK:
        return False
    # A maker's beginning with what follows it in this very secret is no word, whatever its letters.
    return spelling.made or 0 == first < own or bits(spelling.text[first:last]) > TWO_WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Weak:
    """A secret that is looked for as a whole only, and where in it its longest word stands."""

    spelling: bytes
    offset: int
    mark: bytes
    anchor: int

    def spans(self, data: bytes) -> Iterator[Span]:
        """Give where it stands, its longest word being a word of the text."""
        at = data.find(self.spelling)
        while at >= 0:
            first = at + self.offset
            if is_word(data, first, first + self.anchor):
                yield Span(start=at, end=at + len(self.spelling), mark=self.mark)
            at = data.find(self.spelling, at + 1)


def spellings(secret: bytes) -> set[bytes]:
    """Return a secret as it stands in texts, in URLs and in JSON strings."""
    text = secret.decode("utf-8", "surrogateescape")
    written = json.dumps(text)[1:-1].encode()
    in_url = quote(secret, safe="").encode()
    return {secret, in_url, written, written.replace(b"/", rb"\/")}


def in_base64(secret: bytes) -> set[bytes]:
    """Return what a secret makes of a base64 text that it stands in, at any place."""
    found = set()
    for before in range(3):
        coded = base64.b64encode(b"\0" * before + secret).rstrip(b"=")
        # The first and the last letter hold bits of what stands beside the secret.
        core = coded[(before * 4 + 2) // 3 : len(coded) - 1]
        found |= {core, core.translate(_URL_SAFE)}
    return found


_URL_SAFE = bytes.maketrans(b"+/", b"-_")


def _add(
    new: dict[bytes, tuple[Weak, ...]],
    old: Mapping[bytes, tuple[Weak, ...]],
    spelling: bytes,
    mark: bytes,
) -> None:
    anchor = max(WORD.finditer(blanked(spelling)), key=lambda word: len(word[0]), default=None)
    if anchor is None or len(anchor[0]) < ANCHOR:
        return
    one = Weak(spelling=spelling, offset=anchor.start(), mark=mark, anchor=len(anchor[0]))
    there = new.get(anchor[0]) or old.get(anchor[0], ())
    if one not in there:
        new[anchor[0]] = (*there, one)


def _take_apart(
    spelling: Spelling,
    new: dict[int, tuple[Place, ...]],
    old: Mapping[int, tuple[Place, ...]],
) -> None:
    """Add every block of a spelling that is not all of what its maker's keys begin with."""
    text = spelling.text
    first = max(0, own_part(text) - BLOCK + 1)
    for shift in range(BLOCK):
        for number, block in enumerate(_blocks(text[first + shift :])):
            there = new.get(block) or old.get(block, ())
            if len(there) < MOST_PLACES:
                place = Place(spelling=spelling, offset=first + shift + number * BLOCK)
                new[block] = (*there, place)


def _blocks(data: bytes) -> memoryview:
    return memoryview(data)[: len(data) // BLOCK * BLOCK].cast("I")


def _outside_placeholders(data: bytes, runs: list[Span]) -> list[Span]:
    """Return the runs without what stands inside a placeholder."""
    held = [found.span() for found in PLACEHOLDER.finditer(data)]
    left = []
    for run in runs:
        start = run.start
        for first, last in held:
            if first < run.end and start < last:
                left.append(Span(start=start, end=first, mark=run.mark, piece=True))
                start = last
        left.append(replace(run, start=start, piece=run.piece or start > run.start))
    return [run for run in left if run.end - run.start >= PIECE]


def _is_number(data: bytes, run: Span) -> bool:
    """Tell digits of an ordinary number: a part of a longer one, or a bare value of JSON."""
    if not data[run.start : run.end].isdigit():
        return False
    if _DIGIT_BEFORE.search(data, max(0, run.start - 2), run.start):
        return True
    if _DIGIT_AFTER.match(data, run.end):
        return True
    before = _BEFORE_VALUE.search(data, max(0, run.start - 8), run.start)
    return bool(before and _AFTER_VALUE.match(data, run.end))


def _whole_characters(data: bytes, run: Span) -> Span:
    """Narrow a piece so that it splits no UTF-8 character and no escape of JSON."""
    if not run.piece:
        return run
    start, end = run.start, run.end
    cut = _UNICODE_CUT.search(data, max(0, start - 5), start)
    if cut:
        start = min(end, cut.start() + 6)
    elif data[start - 1 : start] == b"\\":
        start += 1
    while start < end and data[start] & 0xC0 == 0x80:
        start += 1
    while end > start and end < len(data) and data[end] & 0xC0 == 0x80:
        end -= 1
    while end > start and data[end - 1] == ord("\\"):
        end -= 1
    return replace(run, start=start, end=end)

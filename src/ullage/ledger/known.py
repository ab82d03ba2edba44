"""Secrets that a run has shown: found again later, whole or in pieces, whatever their shape.

A piece is eight bytes or more. Every such piece holds a block of four that starts at a multiple of
four, so a text without one of the known blocks is passed over quickly.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from blake3 import blake3

from ullage.ledger.spans import PLACEHOLDER, Span, merge

PIECE = 8
BLOCK = 4
_PARTS = re.compile(rb"[A-Za-z0-9_-]{8,}")
_PART_BYTES = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
_BLANKED = bytes(byte if byte in _PART_BYTES else ord(" ") for byte in range(256))
_ESCAPE = re.compile(rb"\\[nrtbf]")
# Where a number of JSON stands: a placeholder there would make the body unreadable.
_DIGIT_BEFORE = re.compile(rb"[0-9][.+-]?\Z")
_DIGIT_AFTER = re.compile(rb"[.eE]?[0-9]")
_BEFORE_VALUE = re.compile(rb"[:,\[]\s*[+-]?\Z")
_AFTER_VALUE = re.compile(rb"\s*(?:[,\]}]|\Z)")
_UNICODE_CUT = re.compile(rb"\\u[0-9A-Fa-f]{0,3}\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The secrets of a run, in every spelling; shorter ones than a piece cannot be told apart."""

    spellings: Mapping[bytes, bytes] = field(default_factory=dict)
    pieces: Mapping[bytes, bytes] = field(default_factory=dict)
    blocks: frozenset[int] = frozenset()

    def learn(self, secrets: Iterable[bytes]) -> "Known":
        """Return the same with more secrets."""
        new = {
            spelling: secret
            for secret in sorted(secrets)
            if len(secret) >= PIECE and secret not in self.spellings
            for spelling in _spellings(secret)
        }
        if not new:
            return self
        blocks: set[int] = set()
        pieces: dict[bytes, bytes] = {}
        for spelling, secret in new.items():
            for at in range(len(spelling) - PIECE + 1):
                pieces.setdefault(spelling[at : at + PIECE], secret)
            for shift in range(BLOCK):
                blocks.update(_blocks(spelling[shift:]))
        return Known(
            spellings={**new, **self.spellings},
            pieces={**pieces, **self.pieces},
            blocks=self.blocks | blocks,
        )

    def find(self, data: bytes) -> list[Span]:
        """Return where known secrets stand, whole or in pieces, in order."""
        blocks = _blocks(data)
        if self.blocks.isdisjoint(blocks):
            return []
        pieces = merge(
            Span(start=at, end=at + PIECE)
            for number, block in enumerate(blocks)
            if block in self.blocks
            for at in range(max(0, (number - 1) * BLOCK), number * BLOCK + 1)
            if data[at : at + PIECE] in self.pieces
        )
        runs = _outside_placeholders(data, pieces)
        return [self._named(data, run) for run in runs if not _is_number(data, run)]

    def _named(self, data: bytes, run: Span) -> Span:
        secret = self.spellings.get(data[run.start : run.end])
        start, end = _whole_characters(data, run.start, run.end)
        if secret is not None and (start, end) == (run.start, run.end):
            return Span(start=start, end=end, secret=secret)
        owner = self.pieces.get(data[run.start : run.start + PIECE])
        return Span(start=start, end=end, secret=owner, piece=True)


def digests(key: bytes, secrets: Iterable[bytes]) -> set[tuple[int, bytes]]:
    """Return length and keyed hash of what makes up the secrets, for other processes to know."""
    parts = {part for secret in secrets for part in _PARTS.findall(secret)}
    return {(len(part), _digest(key, part)) for part in parts}


def recognise(data: bytes, wanted: set[tuple[int, bytes]], key: bytes) -> set[bytes]:
    """Return the words of a text that another process has said to be secrets."""
    if not wanted:
        return set()
    lengths = {length for length, _ in wanted}
    if b"\\" in data:
        data = _ESCAPE.sub(b"  ", data)
    words = {word for word in data.translate(_BLANKED).split() if len(word) in lengths}
    return {word for word in words if (len(word), _digest(key, word)) in wanted}


def _digest(key: bytes, part: bytes) -> bytes:
    return blake3(part, key=key).digest(length=8)


def _blocks(data: bytes) -> memoryview:
    return memoryview(data)[: len(data) // BLOCK * BLOCK].cast("I")


def _spellings(secret: bytes) -> set[bytes]:
    """Return a secret as it stands in texts, in URLs and in JSON strings."""
    text = secret.decode("utf-8", "surrogateescape")
    written = json.dumps(text)[1:-1].encode()
    in_url = quote(secret, safe="").encode()
    return {secret, in_url, written, written.replace(b"/", rb"\/")}


def _outside_placeholders(data: bytes, runs: list[Span]) -> list[Span]:
    """Return the runs without what stands inside a placeholder."""
    held = [found.span() for found in PLACEHOLDER.finditer(data)] if runs else []
    left = []
    for run in runs:
        start = run.start
        for first, last in held:
            if first < run.end and start < last:
                left.append(Span(start=start, end=first))
                start = last
        left.append(Span(start=start, end=run.end))
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


def _whole_characters(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Narrow a stretch so that it splits no UTF-8 character and no escape of JSON."""
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
    return start, end

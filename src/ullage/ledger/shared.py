"""What the writers of one ledger tell each other about the secrets of a run: keyed hashes.

A secret itself stays in its process. Another one that meets it, whole and as a word of its own,
knows it by its hash and redacts it to the same placeholder.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from blake3 import blake3

from ullage.ledger.known import spellings
from ullage.ledger.strength import SHORTEST
from ullage.ledger.words import WORD, blanked, words

# The anchor finds candidates, the digest decides: so few bits of the anchor tell nothing about it.
ANCHOR_BYTES = 2
DIGEST_BYTES = 8


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Hashed:
    """One spelling of a secret: its mark and hash, and the word in it by which it is found."""

    mark: bytes
    length: int
    digest: bytes
    offset: int
    anchor_length: int
    anchor: bytes


def hashed(secrets: Mapping[bytes, bytes], key: bytes) -> set[Hashed]:
    """Return what other processes need to know secrets (with their marks) again.

    One without a word of eight or more in it is not told of.
    """
    found = (
        _hashed(spelling, mark, key)
        for secret, mark in secrets.items()
        for spelling in spellings(secret)
    )
    return {one for one in found if one is not None}


class Wanted:
    """What was told of and is not known in this process yet, ordered so that it is found fast."""

    def __init__(self, told: Iterable[Hashed]) -> None:
        self._by_anchor: dict[bytes, list[Hashed]] = {}
        self._lengths: set[int] = set()
        for one in told:
            self._by_anchor.setdefault(one.anchor, []).append(one)
            self._lengths.add(one.anchor_length)

    def recognise(self, data: bytes, key: bytes) -> dict[bytes, bytes]:
        """Return the spellings that stand in a text of what was told, with their marks."""
        met: dict[bytes, bytes] = {}
        if not self._lengths:
            return met
        looked_up = set()
        for word in words(data, self._lengths):
            text = data[word.start : word.end]
            if text in looked_up:
                continue
            candidates = self._by_anchor.get(_digest(text, key, ANCHOR_BYTES), ())
            if not candidates:
                looked_up.add(text)
            for one in candidates:
                start = word.start - one.offset
                spelling = data[start : start + one.length] if start >= 0 else b""
                if _digest(spelling, key, DIGEST_BYTES) == one.digest:
                    met[spelling] = one.mark
        return met


def _hashed(spelling: bytes, mark: bytes, key: bytes) -> Hashed | None:
    found = max(WORD.finditer(blanked(spelling)), key=lambda word: len(word[0]), default=None)
    if found is None or len(found[0]) < SHORTEST:
        return None
    return Hashed(
        mark=mark,
        length=len(spelling),
        digest=_digest(spelling, key, DIGEST_BYTES),
        offset=found.start(),
        anchor_length=len(found[0]),
        anchor=_digest(found[0], key, ANCHOR_BYTES),
    )


def _digest(text: bytes, key: bytes, length: int) -> bytes:
    return blake3(text, key=key).digest(length=length)

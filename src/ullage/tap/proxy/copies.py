"""A copy of a body on its way: bounded, and of what is over the bound only a size and a hash."""

from blake3 import blake3

from ullage.ledger.records import LeftOut

HASHED_FROM = 1 << 20
"""A body up to this many bytes is never hashed on the way."""


class BodyCopy:
    """Collects a body of at most `limit` bytes; of a longer one nothing but its size and hash.

    With `limit` None it only counts.
    """

    def __init__(self, limit: int | None) -> None:
        self.size = 0
        self._limit = limit
        self._pieces: list[bytes] = []
        self._unhashed = -1 if limit is None else min(limit, HASHED_FROM)
        self._hash: blake3 | None = None

    def add(self, piece: bytes) -> None:
        """Take in the next piece."""
        self.size += len(piece)
        if self.size <= self._unhashed:
            self._pieces.append(piece)
        elif self._limit is not None:
            self._add_late(piece, self._limit)

    def content(self) -> bytes:
        """Return the body; nothing where it was over the limit."""
        return b"".join(self._pieces)

    def left_out(self) -> LeftOut | None:
        """Return what is known of a body over the limit; None for one that was kept."""
        if self._hash is None or self._limit is None or self.size <= self._limit:
            return None
        return LeftOut(size=self.size, digest=self._hash.digest(), limit=self._limit)

    def _add_late(self, piece: bytes, limit: int) -> None:
        # Piece by piece from here on, so that no moment comes when all of it has to be hashed.
        if self._hash is None:
            self._hash = blake3(b"".join(self._pieces))
        self._hash.update(piece)
        if self.size <= limit:
            self._pieces.append(piece)
        else:
            self._pieces.clear()

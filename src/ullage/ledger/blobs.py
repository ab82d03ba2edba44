"""Blobs: contents stored once, addressed by their hash and compressed."""

import sqlite3
import sys
import threading
from dataclasses import dataclass

from blake3 import blake3

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LEVEL = 3
FORM = "zstd"


class DamagedBlobError(ValueError):
    """A blob's bytes are not the ones that were stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """A content ready to be stored; `data` is None where the ledger had it when we looked."""

    content: bytes
    digest: bytes
    data: bytes | None


class _PerThread(threading.local):
    def __init__(self) -> None:
        self.compressor = zstd.ZstdCompressor(level=LEVEL)


_PER_THREAD = _PerThread()


def address(content: bytes) -> bytes:
    """Return the hash that a content is stored under."""
    return blake3(content).digest()


def compress(content: bytes) -> bytes:
    """Return one whole zstd frame, made with this thread's own compressor."""
    compressor = _PER_THREAD.compressor
    return compressor.compress(content, mode=compressor.FLUSH_FRAME)


def find(db: sqlite3.Connection, digest: bytes) -> int | None:
    """Return the id of the blob with that hash, None if there is none."""
    row = db.execute("SELECT id FROM blob WHERE digest = ?", (digest,)).fetchone()
    return None if row is None else int(row[0])


def put(db: sqlite3.Connection, packed: Packed) -> int:
    """Store a content unless it is there already, and return the id of its blob."""
    found = find(db, packed.digest)
    if found is not None:
        return found
    data = compress(packed.content) if packed.data is None else packed.data
    cursor = db.execute(
        "INSERT INTO blob (digest, length, form, data) VALUES (?, ?, ?, ?)",
        (packed.digest, len(packed.content), FORM, data),
    )
    return int(cursor.lastrowid or 0)


def unpack(data: bytes, *, form: str, length: int, digest: bytes) -> bytes:
    """Return a blob's content; DamagedBlobError says in which way it is not what was stored."""
    if form != FORM:
        raise DamagedBlobError(f"is stored in an unknown form {form!r}")
    try:
        # One byte more than is right shows a longer content, and bounds what damage can claim.
        content = zstd.ZstdDecompressor().decompress(data, max_length=length + 1)
    except (zstd.ZstdError, EOFError, MemoryError, OverflowError, ValueError) as error:
        raise DamagedBlobError(f"cannot be decompressed: {error}") from error
    if len(content) != length:
        raise DamagedBlobError(f"holds {len(content)} bytes where {length} were stored")
    if address(content) != digest:
        raise DamagedBlobError("does not have the hash that it is stored under")
    return content

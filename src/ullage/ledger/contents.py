"""Contents made ready for a ledger: redacted, hashed and compressed, outside of any transaction."""

from dataclasses import dataclass

from blake3 import blake3

from ullage.ledger import blobs
from ullage.ledger.connection import Session
from ullage.ledger.scrub import RunScrubber

SMALL = 2_000
"""Bytes up to which a content is compressed without a look whether the ledger has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptContent:
    """A redacted content ready to be stored; length and keyed hash are those of the original."""

    packed: blobs.Packed
    length: int
    hash: bytes


def kept_content(
    session: Session, scrub: RunScrubber, content: bytes, *, original: bytes | None = None
) -> KeptContent:
    """Redact a content; `original` is what it was decoded from, where that is not itself."""
    original = content if original is None else original
    content = scrub.data(content)
    digest = blobs.address(content)
    # Outside of any transaction, so that compressing keeps no other writer waiting; and for a
    # small content it is faster than to ask whether that is needed.
    known = len(content) > SMALL and is_there(session, digest)
    data = None if known else blobs.compress(content)
    return KeptContent(
        packed=blobs.Packed(content=content, digest=digest, data=data),
        length=len(original),
        hash=blake3(original, key=session.key).digest(),
    )


def is_there(session: Session, digest: bytes) -> bool:
    """Whether the ledger has a content with that hash."""
    with session.reading() as db:
        return blobs.find(db, digest) is not None

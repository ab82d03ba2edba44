"""Text of somebody else's for a message: short, and without keys."""

from ullage.cutter.excerpt import excerpt
from ullage.ledger.redact import decode, encode, redact

MASK = "[key]"
SHOWN = 300
# Marks of one message need not be told from those of another, so the mark's key is no secret.
_MARK = b"ullage summariser"


def without_secrets(text: str, key: str | None) -> str:
    """Return the beginning of a text on one line: a given key, and what looks like one, masked."""
    plain = text.replace(key, MASK) if key else text
    return excerpt(" ".join(decode(redact(encode(plain), key=_MARK).data).split()), SHOWN)

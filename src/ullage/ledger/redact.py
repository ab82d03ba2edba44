"""Redaction: what a ledger keeps of headers, bodies, URLs and texts. Pure, linear, idempotent.

Secrets are told by their shape and by having been seen in the run. Each becomes a placeholder that
is the same for the same secret and the same key, and that stands safely inside a JSON string.
"""

import base64
import binascii
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ullage.ledger import shapes
from ullage.ledger.known import Known
from ullage.ledger.spans import mark_of, replace

HEADER = "[redacted header]"
# What is worth learning: longer ones (a token of many claims) are found by their shape.
LONGEST_LEARNT = 512
# A replacement may lay bare what stood hidden beside it. Each round replaces some more, so this
# ends by itself; the bound keeps the time linear for texts made to need many rounds.
ROUNDS = 8
NOTHING_KNOWN = Known()

KEPT_HEADERS = frozenset(
    {
        "accept",
        "accept-charset",
        "accept-encoding",
        "accept-language",
        "accept-ranges",
        "age",
        "allow",
        "anthropic-beta",
        "anthropic-version",
        "cache-control",
        "cf-ray",
        "connection",
        "content-encoding",
        "content-language",
        "content-length",
        "content-type",
        "date",
        "etag",
        "expires",
        "host",
        "keep-alive",
        "last-modified",
        "request-id",
        "retry-after",
        "retry-after-ms",
        "server",
        "server-timing",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "user-agent",
        "vary",
        "via",
        "x-request-id",
        "x-should-retry",
    }
)
KEPT_PREFIXES = (
    "openai-",
    "anthropic-ratelimit-",
    "x-ratelimit-",
    "ratelimit-",
    "x-stainless-",
)
# Names that hold secrets, whatever their beginning; the tokens of a rate limit are counts.
_SECRET_NAME = re.compile(r"auth|key|secret|cookie|passw|credential|token")
_COUNTS = re.compile(r"(?:\A|-)ratelimit-")
_SCHEME = re.compile(r"(?:bearer|basic|token|digest|apikey)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Redacted:
    """Redacted bytes, and the secrets in the original that later texts may hold in pieces."""

    data: bytes
    seen: frozenset[bytes]


def redact(data: bytes, *, key: bytes, known: Known = NOTHING_KNOWN) -> Redacted:
    """Replace every secret in a body, a URL or a text; other bytes stay as they are.

    Shapes come first: what they find depends on the text alone, not on what was known before it.
    What they find is looked for in the rest of the text too.
    """
    seen: set[bytes] = set()
    for _ in range(ROUNDS):
        shaped = shapes.find(data)
        new = {data[span.start : span.end] for span in shaped if span.learn}
        for span in shaped:
            new.update(shapes.lines_of_key(data[span.start : span.end]))
        new = {secret for secret in new if _is_learnt(secret)}
        known = known.learn(marks(new, key))
        seen |= new
        data = replace(data, shaped, key)
        named = known.find(data) if known else []
        data = replace(data, named, key)
        if not shaped and not named:
            break
    return Redacted(data=data, seen=frozenset(seen))


def marks(secrets: Iterable[bytes], key: bytes) -> dict[bytes, bytes]:
    """Return secrets with the mark that stands for each."""
    return {secret: mark_of(secret, key) for secret in secrets}


def redact_headers(
    headers: Sequence[tuple[str, str]], *, key: bytes, known: Known = NOTHING_KNOWN
) -> dict[str, str]:
    """Keep the values of allowed headers, names in small letters; repeated ones are joined."""
    kept: dict[str, str] = {}
    for name, value in headers:
        small = name.lower()
        if not _is_kept(small):
            kept[plain(small)] = HEADER
            continue
        clean = redact(encode(value), key=key, known=known).data
        value = plain(decode(clean))
        kept[small] = ", ".join(filter(None, [kept.get(small), value]))
    return kept


def header_secrets(headers: Sequence[tuple[str, str]]) -> set[bytes]:
    """Return the secrets that headers such as Authorization and Cookie hold."""
    found: set[bytes] = set()
    for name, value in headers:
        small = name.lower()
        if _is_kept(small) or small == "idempotency-key" or not _SECRET_NAME.search(small):
            continue
        if "cookie" in small:
            pairs = value.split(";")[:1] if small == "set-cookie" else value.split(";")
            found |= {encode(pair.partition("=")[2].strip()) for pair in pairs}
        else:
            bare = _SCHEME.sub("", value.strip(), count=1)
            found |= {encode(bare), *_login_password(bare)}
    return found


def encode(text: str) -> bytes:
    """Write a text as bytes without loss, lone surrogates included."""
    return text.encode("utf-8", "surrogatepass")


def plain(text: str) -> str:
    """Write lone surrogates, which SQLite and JSON cannot hold, as escapes."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def decode(data: bytes) -> str:
    """Read back what `encode` wrote."""
    return data.decode("utf-8", "surrogatepass")


def _is_kept(name: str) -> bool:
    if _SECRET_NAME.search(name) and not _COUNTS.search(name):
        return False
    return name in KEPT_HEADERS or name.startswith(KEPT_PREFIXES)


def _is_learnt(secret: bytes) -> bool:
    # A backslash is the spelling of the place where it stood; a bracket may be a placeholder's.
    return len(secret) <= LONGEST_LEARNT and b"\\" not in secret and b"secret:" not in secret


def _login_password(value: str) -> set[bytes]:
    """Return the password of a Basic login."""
    try:
        text = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        return set()
    return {text.partition(b":")[2]} if b":" in text and text.isascii() else set()

"""Which headers go through, as they came."""

from collections.abc import Sequence

RawHeaders = Sequence[tuple[bytes, bytes]]
Headers = list[tuple[str, str]]

# They are about one connection, not about the message (RFC 9110, section 7.6.1).
HOP_BY_HOP = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    }
)
# The upstream's own name goes in instead of ours. `Expect` was answered where the client waits:
# an upstream that does not know it would leave both sides waiting.
ANSWERED_HERE = frozenset({b"host", b"expect"})


def end_to_end(raw: RawHeaders, *, but: frozenset[bytes] = frozenset()) -> Headers:
    """Return the headers that are about the message, in order, without the names in `but`."""
    dropped = HOP_BY_HOP | named_by_connection(raw) | but
    return [
        (wire_text(name), wire_text(value)) for name, value in raw if name.lower() not in dropped
    ]


def named_by_connection(raw: RawHeaders) -> frozenset[bytes]:
    """Return the names that a `Connection` header declares to be about this connection."""
    values = [value for name, value in raw if name.lower() == b"connection"]
    return frozenset(word.strip().lower() for value in values for word in value.split(b","))


def wire_text(raw: bytes) -> str:
    """Decode as aiohttp does; a byte that is not UTF-8 becomes a lone surrogate."""
    return raw.decode("utf-8", "surrogateescape")


def readable(raw: bytes) -> str:
    """Decode for the record: UTF-8, else Latin-1, which HTTP's old rule says it is."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def readable_headers(raw: RawHeaders) -> Headers:
    """Return all headers for the record, in order."""
    return [(readable(name), readable(value)) for name, value in raw]


def unsendable(headers: Headers) -> list[str]:
    """Return the names whose value holds bytes that aiohttp drops when it writes."""
    return [name for name, value in headers if not value.isascii() and not is_text(value)]


def is_text(value: str) -> bool:
    """Say whether no byte of it was undecodable."""
    return not any("\ud800" <= character <= "\udfff" for character in value)

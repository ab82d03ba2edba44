"""What a reply says about its own failure."""

import zlib

from ullage.wire.members import Object, read_object

REFUSED = 400  # and above: the request was not answered
CLIENT_LEFT = "the client went away, or the proxy was stopped, before the reply's end"
PROGRAM_LEFT = "the program closed the reply before its end"
NOT_WAITED_FOR = (CLIENT_LEFT, PROGRAM_LEFT)
"""What the proxy, and `record_client`, say of a reply that nobody waited for to the end."""

GZIP_OR_ZLIB = 47
LARGEST = 1 << 24
"""Errors and first events are short; a reply that unpacks to more than this is not read further."""


def unpacked(body: bytes, encoding: str | None) -> bytes:
    """Return a body without its gzip or deflate coding; one that does not unpack as it is."""
    if (encoding or "").strip().lower() not in ("gzip", "x-gzip", "deflate"):
        return body
    try:
        return zlib.decompressobj(GZIP_OR_ZLIB).decompress(body, LARGEST)
    except zlib.error:
        return body


def error_message(body: bytes) -> str | None:
    """Return the message of an error reply, in the spellings of the common servers."""
    return said_of(read_object(body))


def said_of(document: Object) -> str | None:
    """Return the message of an error reply that has been parsed."""
    error = document.get("error") or document
    if isinstance(error, str):
        return error
    if not isinstance(error, dict):
        return None
    said = (error.get(name) for name in ("message", "detail", "title"))
    return next((one for one in said if isinstance(one, str) and one.strip()), None)

"""Bodies that travel compressed, decoded: redaction can only see what is in plain bytes.

What cannot be decoded is not kept: nobody could tell what secrets it holds.
"""

import importlib
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Protocol

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LARGEST = 1 << 26
"""No body is decoded to more bytes than this: a few bytes can be made to decode to any number."""

MOST_LAYERS = 8
_SLICE = 1 << 20
_BROTLI_SLICE = 64
_GZIP_MAGIC = b"\x1f\x8b\x08"
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_BROTLI_MODULES = ("brotli", "brotlicffi")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """A body as its sender wrote it before it was compressed; `fault` says what is missing."""

    content: bytes
    fault: str | None = None


class UndecodableError(ValueError):
    """A body is not in the encoding that it is said to be in, or is too large to be decoded."""


def decoded(body: bytes, headers: Sequence[tuple[str, str]], *, largest: int = LARGEST) -> Decoded:
    """Undo the `Content-Encoding` of a body; one that ends early is decoded as far as it goes."""
    layers = _layers(headers)
    if not body:
        return Decoded(content=body)
    if not layers:
        return _unannounced(body, largest)
    if len(layers) > MOST_LAYERS:
        return _lost(body, f"{len(layers)} content encodings on top of each other")
    faults = []
    content = body
    for name in reversed(layers):
        try:
            layer = _undo(name, content, largest)
        except UndecodableError as error:
            return _lost(body, str(error))
        content = layer.content
        if layer.fault is not None:
            faults.append(layer.fault)
    return Decoded(content=content, fault="; ".join(faults) or None)


def _lost(body: bytes, why: str) -> Decoded:
    return Decoded(content=b"", fault=f"a body of {len(body)} bytes was not kept: {why}")


def _layers(headers: Sequence[tuple[str, str]]) -> list[str]:
    values = [value for name, value in headers if name.lower() == "content-encoding"]
    names = [name.strip().lower() for value in values for name in value.split(",")]
    return [name for name in names if name not in {"", "identity"}]


def _unannounced(body: bytes, largest: int) -> Decoded:
    """Decode what is compressed without a word in the headers; what is not stays as it is."""
    for magic, name in ((_GZIP_MAGIC, "gzip"), (_ZSTD_MAGIC, "zstd")):
        if body.startswith(magic):
            try:
                return _undo(name, body, largest)
            except UndecodableError as error:
                return _lost(body, str(error))
    return Decoded(content=body)


def _undo(name: str, body: bytes, largest: int) -> Decoded:
    decoder = _DECODERS.get(name)
    if decoder is None:
        raise UndecodableError(f"its content encoding {name!r} is not known here")
    parts = []
    size = 0
    fault = None
    for part in decoder(body):
        if isinstance(part, str):
            fault = part
            break
        size += len(part)
        if size > largest:
            raise UndecodableError(f"as {name} it decodes to more than {largest} bytes")
        parts.append(part)
    return Decoded(content=b"".join(parts), fault=fault)


# A decoder gives parts of what a body decodes to, at most a few MB at a time. A text instead says
# why that is not all; UndecodableError that there is nothing that could be kept.
Decoder = Callable[[bytes], Iterator[bytes | str]]


class _Stream(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...


def _zlib(body: bytes, *, window: int, name: str) -> Iterator[bytes | str]:
    """Decode gzip and zlib, of which several may follow each other."""
    while body:
        stream = zlib.decompressobj(window)
        waiting, part = body, b""
        # A full slice may have left more behind it, even where all input was taken in.
        while not stream.eof and (waiting or len(part) == _SLICE):
            try:
                part = stream.decompress(waiting, _SLICE)
            except zlib.error as error:
                raise UndecodableError(f"it is not {name}: {error}") from error
            waiting = stream.unconsumed_tail
            yield part
        yield from _ended(stream, name, magic=_GZIP_MAGIC if name == "gzip" else None)
        body = stream.unused_data


def _ended(stream: _Stream, name: str, *, magic: bytes | None) -> Iterator[str]:
    if not stream.eof:
        yield f"a {name} body ends early"
    elif stream.unused_data and not (magic and stream.unused_data.startswith(magic)):
        yield f"{len(stream.unused_data)} bytes after the end of a {name} body were not kept"


def _deflate(body: bytes) -> Iterator[bytes | str]:
    """Decode what is called deflate: zlib by the standard, without its frame by custom."""
    framed = body[0] & 0x0F == zlib.DEFLATED and int.from_bytes(body[:2], "big") % 31 == 0
    return _zlib(body, window=zlib.MAX_WBITS if framed else -zlib.MAX_WBITS, name="deflate")


def _zstd(body: bytes) -> Iterator[bytes | str]:
    while body:
        stream = zstd.ZstdDecompressor()
        waiting = body
        while not stream.eof and (waiting or not stream.needs_input):
            try:
                yield stream.decompress(waiting, max_length=_SLICE)
            except (zstd.ZstdError, MemoryError) as error:
                raise UndecodableError(f"it is not zstd: {error}") from error
            waiting = b""
        yield from _ended(stream, "zstd", magic=_ZSTD_MAGIC)
        body = stream.unused_data


def _brotli(body: bytes) -> Iterator[bytes | str]:
    module = _brotli_module()
    if module is None:
        raise UndecodableError("to decode its content encoding 'br', install the package brotli")
    stream = module.Decompressor()
    # In small slices: not every version can be told how much to give back at once.
    for at in range(0, len(body), _BROTLI_SLICE):
        try:
            yield stream.process(body[at : at + _BROTLI_SLICE])
        except module.error as error:
            raise UndecodableError(f"it is not br: {error}") from error
    if not stream.is_finished():
        yield "a br body ends early"


def _brotli_module() -> ModuleType | None:
    for name in _BROTLI_MODULES:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return None


_gzip = partial(_zlib, window=zlib.MAX_WBITS | 16, name="gzip")
_DECODERS: dict[str, Decoder] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "zstd": _zstd,
    "br": _brotli,
}

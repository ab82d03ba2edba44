"""Stretches of bytes that are to be replaced, and what stands in their place."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from blake3 import blake3

PLACEHOLDER = re.compile(rb"\[(?:piece of )?secret:[0-9a-f]{8}\]")
INSIDE = re.compile(rb"(?:(?<=\[)|(?<=\[piece of ))secret:[0-9a-f]{8}\]")
"""The word `secret` of a placeholder, met from within."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One stretch to replace.

    `mark` is that of the known secret that it spells (None: that of its own bytes), `piece` says
    that it is only a piece of that, and `learn` that it is worth finding again elsewhere.
    """

    start: int
    end: int
    mark: bytes | None = None
    piece: bool = False
    learn: bool = False


def mark_of(secret: bytes, key: bytes) -> bytes:
    """Return the mark of a secret: the same wherever the key and the secret are the same."""
    # Without backslashes, so that a value and the same one inside a JSON string are one secret.
    return blake3(secret.replace(b"\\", b""), key=key).hexdigest(length=4).encode()


def placeholder(mark: bytes, *, piece: bool = False) -> bytes:
    """Return what stands for a secret, or for a piece of it."""
    return (b"[piece of secret:%b]" if piece else b"[secret:%b]") % mark


def merge(spans: Iterable[Span]) -> list[Span]:
    """Return the spans in order without overlaps; those that overlap become one."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end, span.mark is None)):
        if not merged or span.start >= merged[-1].end:
            merged.append(span)
        elif span.end > merged[-1].end:
            merged[-1] = Span(start=merged[-1].start, end=span.end)
    return merged


def replace(data: bytes, spans: Iterable[Span], key: bytes) -> bytes:
    """Put the placeholders into the text; the spans must be in order and must not overlap."""
    parts = []
    at = 0
    for span in spans:
        mark = span.mark or mark_of(data[span.start : span.end], key)
        parts += [data[at : span.start], placeholder(mark, piece=span.piece)]
        at = span.end
    return b"".join([*parts, data[at:]])

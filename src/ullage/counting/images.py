"""The tokens of an image, from its pixels by the vendor's published rule; never from its base64.

Rules, read on 2026-11-30:

- `tiles` (OpenAI, "Images and vision"): `detail: low` is 85; else the image is shrunk into 2,048 x
  2,048, then to 768 on its shorter side, and costs 85 and 170 for each tile of 512 x 512. So do
  GPT-4o and GPT-4.1; the factors of other models, mini and nano above all, are not followed.
- `area` (Anthropic, "Vision"): width x height / 750, shrunk first to 1,568 on the longer side and
  about 1,600 tokens. Models that read in high resolution use up to about three times that.
- `squares` (Google, "Understand and count tokens"): 258 up to 384 x 384, else 258 for each 768 x
  768.

An image whose pixels cannot be read (a URL, a file's id, damaged data) counts as `UNREADABLE`,
between `LEAST` and `MOST`.
"""

import base64
import binascii
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

Rule = Literal["tiles", "area", "squares"]
Detail = Literal["low", "high"]

UNREADABLE = 1_000  # about a screen of 1,024 x 768 by the dearest of the rules
LEAST, MOST = 85, 4_800  # low detail; the most that a model which reads in high resolution uses
HEAD = 1 << 18  # characters of base64 to look at: a JPEG may carry a preview before its size


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Pixels."""

    width: int
    height: int


def image_tokens(size: Size | None, rule: Rule, *, detail: Detail = "high") -> int:
    """Return what an image costs; `size` is None where it cannot be read."""
    if rule == "tiles" and detail == "low":
        return 85
    return UNREADABLE if size is None else RULES[rule](size)


def size_of_base64(data: str) -> Size | None:
    """Return the pixels of an image in base64, alone or in a data URL, by the image's header."""
    if data.startswith("data:"):
        data = data.partition(",")[2]
    head = data[:HEAD]
    try:
        return size_of(base64.b64decode(head[: len(head) // 4 * 4]))
    except (binascii.Error, ValueError):
        return None


def size_of(data: bytes) -> Size | None:
    """Return the pixels that the header of a PNG, GIF, WebP or JPEG states."""
    found = None
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        found = Size(width=big(data[16:20]), height=big(data[20:24]))
    elif data.startswith((b"GIF87a", b"GIF89a")) and len(data) >= 10:
        found = Size(width=little(data[6:8]), height=little(data[8:10]))
    elif data.startswith(b"RIFF") and data[8:12] == b"WEBP" and len(data) >= 30:
        found = webp_size(data)
    elif data.startswith(b"\xff\xd8"):
        found = jpeg_size(data)
    return found if found and found.width and found.height else None


def webp_size(data: bytes) -> Size | None:
    """Return the pixels of a WebP in one of its three forms."""
    form = data[12:16]
    if form == b"VP8X":
        return Size(width=little(data[24:27]) + 1, height=little(data[27:30]) + 1)
    if form == b"VP8L":
        bits = little(data[21:25])
        return Size(width=(bits & 0x3FFF) + 1, height=(bits >> 14 & 0x3FFF) + 1)
    if form == b"VP8 ":
        return Size(width=little(data[26:28]) & 0x3FFF, height=little(data[28:30]) & 0x3FFF)
    return None


def jpeg_size(data: bytes) -> Size | None:
    """Return the pixels of a JPEG, which stand in its first frame header."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        kind = data[at + 1]
        # C4, C8 and CC look like frame headers and are tables.
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            return Size(width=big(data[at + 7 : at + 9]), height=big(data[at + 5 : at + 7]))
        at += 1 if kind == 0xFF else 2 + big(data[at + 2 : at + 4])
    return None


def big(data: bytes) -> int:
    """Return a big-endian number."""
    return int.from_bytes(data, "big")


def little(data: bytes) -> int:
    """Return a little-endian number."""
    return int.from_bytes(data, "little")


def tiles(size: Size) -> int:
    """Count by OpenAI's tiles."""
    width, height = shrunk(size.width, size.height, 2048 / max(size.width, size.height))
    width, height = shrunk(width, height, 768 / min(width, height))
    return 85 + 170 * math.ceil(round(width / 512, 6)) * math.ceil(round(height / 512, 6))


def area(size: Size) -> int:
    """Count by Anthropic's area."""
    width, height = shrunk(size.width, size.height, 1568 / max(size.width, size.height))
    return max(1, min(1_600, math.ceil(width * height / 750)))


def squares(size: Size) -> int:
    """Count by Google's squares."""
    if max(size.width, size.height) <= 384:
        return 258
    return 258 * math.ceil(size.width / 768) * math.ceil(size.height / 768)


def shrunk(width: float, height: float, factor: float) -> tuple[float, float]:
    """Return width and height made smaller by a factor, never larger."""
    factor = min(1.0, factor)
    return width * factor, height * factor


RULES: Mapping[Rule, Callable[[Size], int]] = {"tiles": tiles, "area": area, "squares": squares}

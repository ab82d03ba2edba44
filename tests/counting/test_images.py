"""What an image costs, by its header and the vendors' rules."""

import base64
import io
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.counting.images import (
    Rule,
    Size,
    image_tokens,
    size_of,
    size_of_base64,
)


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height) + b"\x08\x06\0\0\0"


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\xf7\0\0"


def jpeg(width: int, height: int, preview: int = 0) -> bytes:
    parts = [b"\xff\xd8"]
    if preview:
        parts.append(b"\xff\xe1" + struct.pack(">H", preview + 2) + b"\0" * preview)
    parts.append(b"\xff\xc4\0\x04\0\0")
    parts.append(b"\xff\xc2\0\x11\x08" + struct.pack(">HH", height, width) + b"\x03" + b"\0" * 9)
    return b"".join(parts)


def webp(form: bytes, rest: bytes) -> bytes:
    return b"RIFF\0\0\0\0WEBP" + form + b"\0\0\0\0" + rest


SIZED = {
    "png": png(640, 480),
    "gif": gif(640, 480),
    "jpeg": jpeg(640, 480),
    "jpeg with a preview": jpeg(640, 480, preview=60_000),
    "webp lossy": webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 640, 480)),
    "webp lossless": webp(b"VP8L", b"\x2f" + struct.pack("<I", 639 | 479 << 14) + b"\0" * 8),
    "webp extended": webp(b"VP8X", b"\0\0\0\0" + b"\x7f\x02\0" + b"\xdf\x01\0"),
}


@pytest.mark.parametrize("name", SIZED)
def test_the_header_gives_the_pixels(name: str) -> None:
    data = SIZED[name]

    assert size_of(data) == Size(width=640, height=480)
    assert size_of_base64(base64.b64encode(data).decode()) == Size(width=640, height=480)


def test_a_data_url_is_looked_into() -> None:
    url = "data:image/png;base64," + base64.b64encode(png(10, 20) + b"\0" * 9).decode()

    assert size_of_base64(url) == Size(width=10, height=20)


@pytest.mark.parametrize("form", ["PNG", "GIF", "JPEG", "WEBP"])
def test_files_of_a_real_library_are_read(form: str) -> None:
    pillow = pytest.importorskip("PIL.Image")
    file = io.BytesIO()
    pillow.new("RGB", (321, 123)).save(file, form)

    assert size_of(file.getvalue()) == Size(width=321, height=123)


@given(data=st.binary(max_size=80) | st.sampled_from(list(SIZED.values())).map(lambda b: b[:20]))
def test_damaged_data_has_no_size_and_raises_nothing(data: bytes) -> None:
    found = size_of(data)

    assert found is None or (found.width > 0 and found.height > 0)


@pytest.mark.parametrize("text", ["", "data:image/png;base64,", "####", "data:,", "é" * 9])
def test_what_is_no_base64_has_no_size(text: str) -> None:
    assert size_of_base64(text) is None


@pytest.mark.parametrize(
    ("rule", "width", "height", "tokens"),
    [
        # The vendors' own examples.
        ("tiles", 1024, 1024, 765),
        ("tiles", 2048, 4096, 1105),
        ("tiles", 512, 512, 255),
        ("area", 200, 200, 54),
        ("area", 1000, 1000, 1334),
        ("area", 1092, 1092, 1590),
        ("area", 8000, 8000, 1600),
        ("squares", 384, 384, 258),
        ("squares", 1000, 700, 516),
    ],
)
def test_the_published_rules(rule: Rule, width: int, height: int, tokens: int) -> None:
    assert image_tokens(Size(width=width, height=height), rule) == tokens


def test_low_detail_is_one_price_whatever_the_size() -> None:
    assert image_tokens(Size(width=4000, height=4000), "tiles", detail="low") == 85
    assert image_tokens(None, "tiles", detail="low") == 85


def test_an_image_that_cannot_be_read_is_never_free() -> None:
    assert image_tokens(None, "area") == 1_000

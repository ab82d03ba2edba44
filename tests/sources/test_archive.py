"""Members of zip files, by each method that they are packed with."""

import io
import sys
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.errors import LoadError
from ullage.sources.archive import Archive, unpacked

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

TEXT = b"a line of a log\n" * 500


def packed(method: int) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as found:
        found.writestr("samples/1.json", TEXT)
    return held.getvalue()


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_member_is_unpacked(method: int) -> None:
    assert Archive(packed(method), "x").read("samples/1.json") == TEXT


def test_zstd_is_unpacked_on_every_python() -> None:
    assert unpacked(zstd.compress(TEXT), 93, "x") == TEXT


@pytest.mark.parametrize("method", [8, 93, 14])
def test_what_cannot_be_unpacked_is_named(method: int) -> None:
    with pytest.raises(LoadError, match=r"x: a\.json"):
        unpacked(b"\xff\xfe\xfd", method, "x: a.json")


def test_a_member_that_is_not_there_is_named() -> None:
    with pytest.raises(LoadError, match=r"x: no header\.json"):
        Archive(packed(8), "x").read("header.json")


@given(at=st.integers(0, 400), put=st.binary(max_size=6), drop=st.integers(0, 60))
def test_a_damaged_archive_raises_nothing_else(at: int, put: bytes, drop: int) -> None:
    data = packed(8)
    data = data[:at] + put + data[at + drop :]
    try:
        archive = Archive(data, "x")
        for name in archive.members:
            archive.read(name)
    except LoadError:
        return

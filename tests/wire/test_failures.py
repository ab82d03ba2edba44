"""What a reply says about its own failure."""

import gzip
import json
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.wire.failures import error_message, unpacked


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"error": {"message": "no such key", "code": 401}}, "no such key"),
        ({"error": "model not found"}, "model not found"),
        ({"detail": "Not Found"}, "Not Found"),
        ({"message": "rate limit"}, "rate limit"),
        ({"error": {"message": ""}}, None),
        ({"choices": []}, None),
        ([], None),
    ],
)
def test_the_message_is_found_where_servers_put_it(document: Any, message: str | None) -> None:
    assert error_message(json.dumps(document).encode()) == message


def test_a_packed_reply_is_unpacked_and_what_cannot_be_stays_as_it_is() -> None:
    assert unpacked(gzip.compress(b"text"), "gzip") == b"text"
    assert unpacked(zlib.compress(b"text"), "Deflate") == b"text"
    assert unpacked(b"text", "gzip") == b"text"
    assert unpacked(b"text", "br") == b"text"
    assert unpacked(b"text", None) == b"text"


@given(data=st.binary(max_size=200))
def test_no_body_raises(data: bytes) -> None:
    error_message(data)
    unpacked(data, "gzip")

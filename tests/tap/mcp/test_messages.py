"""Messages out of bytes split anywhere."""

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.tap.mcp.messages import Lines, NotJsonRpcError, messages

LINES = st.lists(
    st.binary(min_size=1).map(lambda line: line.translate(None, b"\r\n\t ")), max_size=5
)


def split(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
    return [data[a:b] for a, b in itertools.pairwise(places)]


@given(lines=LINES, cuts=st.lists(st.integers(0, 200)), end=st.sampled_from([b"\n", b"\r\n"]))
def test_lines_are_the_same_wherever_the_bytes_are_split(
    lines: list[bytes], cuts: list[int], end: bytes
) -> None:
    whole = [line for line in lines if line]
    reader = Lines(longest=1000)

    found = [line for chunk in split(end.join(lines), cuts) for line in reader.take(chunk)]

    assert [*found, *reader.end()] == whole


def test_a_line_that_is_too_long_is_counted_and_the_next_one_is_read() -> None:
    reader = Lines(longest=10)

    found = list(reader.take(b"x" * 8)) + list(reader.take(b"x" * 8 + b"\nshort\n"))

    assert (found, reader.too_long) == ([b"short"], 1)


def test_after_missing_bytes_reading_goes_on_with_the_next_line() -> None:
    reader = Lines(longest=100)
    list(reader.take(b'{"torn'))
    reader.skip()

    assert list(reader.take(b'half"}\nnext\n')) == [b"next"]


def test_a_batch_is_its_messages() -> None:
    batch = [{"jsonrpc": "2.0", "id": n, "result": {}} for n in range(3)]

    assert messages(json.dumps(batch).encode()) == batch


@pytest.mark.parametrize(
    "data",
    [b"", b"Server started", b"{", b"\xff", b"3", b"{}", b'[{"jsonrpc":"2.0"},1]', b"[" * 99999],
)
def test_anything_else_is_not_json_rpc(data: bytes) -> None:
    with pytest.raises(NotJsonRpcError):
        messages(data)

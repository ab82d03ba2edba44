"""Server-sent events, however their bytes come."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.wire.events import Event, events, is_stream

STREAM = (
    "\ufeff: hello\r\n\r\nevent: one\r\ndata: {\r\ndata: }\r\n\r\n"
    "id: 7\nretry: 5\ndata:x\u2028é\n\n\n\ndata\n\rdata: last\r\r"
).encode()


def data(body: bytes) -> list[tuple[str | None, str]]:
    return [(one.name, one.data) for one in events(body)]


def test_names_and_data_are_read_and_comments_are_passed_over() -> None:
    assert data(STREAM) == [("one", "{\n}"), (None, "x\u2028é"), (None, ""), (None, "last")]


def test_a_body_gives_the_same_events_split_at_every_byte() -> None:
    whole = list(events(STREAM))

    for at in range(len(STREAM) + 1):
        assert list(events([STREAM[:at], STREAM[at:]])) == whole
    assert list(events(STREAM[at : at + 1] for at in range(len(STREAM)))) == whole


def test_the_last_event_needs_no_blank_line_and_is_marked() -> None:
    assert list(events(b"data: a\n\ndata: b")) == [
        Event(name=None, data="a"),
        Event(name=None, data="b", torn=True),
    ]
    assert data(b"data: b\n") == [(None, "b")]


@given(st.lists(st.binary(max_size=8) | st.sampled_from([b"\r", b"\n", b"data: "]), max_size=30))
def test_no_bytes_raise_and_no_split_changes_anything(pieces: list[bytes]) -> None:
    assert list(events(pieces)) == list(events(b"".join(pieces)))


@given(st.lists(st.text(st.characters(exclude_characters="\r\n"), max_size=20), max_size=9))
def test_every_text_comes_through(texts: list[str]) -> None:
    body = "".join(f"data: {text}\n\n" for text in texts)

    # Half of a surrogate pair cannot be sent.
    sent = [text.encode("utf-8", "replace").decode() for text in texts]
    assert [one.data for one in events(body.encode("utf-8", "replace"))] == sent


@pytest.mark.parametrize("body", [b"data: 1", b"event: x", b": ping", b"\n\nid: 3", b"da", b"even"])
def test_a_stream_is_told_by_its_first_line(body: bytes) -> None:
    assert is_stream(body)


@pytest.mark.parametrize("body", [b"", b"{}", b'{"data: 1"}', b"<html>", b"database", b"x: 1"])
def test_what_is_no_stream_is_told_too(body: bytes) -> None:
    assert not is_stream(body)

"""MCP results that Python printed: their texts, whole and cut."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.arrivals.printed import printed
from ullage.arrivals.read import read
from ullage.arrivals.shortened import shortened

ROWS = json.dumps([{"id": number, "note": "it's \\ \u00e9\n"} for number in range(40)])


def shown(*texts: str) -> str:
    """Return what Python prints for a result with these texts."""
    blocks = [f"TextContent(type='text', text={one!r}, annotations=None)" for one in texts]
    return f"meta=None content=[{', '.join(blocks)}] isError=False"


@given(texts=st.lists(st.text(max_size=40), min_size=1, max_size=3))
def test_the_texts_are_those_that_were_printed(texts: list[str]) -> None:
    assert printed(shown(*texts)) == "\n".join(texts)


@given(text=st.text(max_size=60), keep=st.integers(0, 120))
def test_a_cut_leaves_the_beginning_of_the_text(text: str, keep: int) -> None:
    whole = shown(text)
    start = whole.index("text=") + len("text='")

    found = printed(whole[: start + keep])

    assert found is not None
    assert text.startswith(found)


@pytest.mark.parametrize("text", ["", "TextContent", "a TextContent(type='text', text='x')", "[]"])
def test_another_text_is_none(text: str) -> None:
    assert printed(text) is None


def test_a_value_in_one_is_read_and_a_cut_one_is_seen() -> None:
    whole = shown(ROWS)

    reading = read(whole)

    assert (reading.form, reading.is_value, reading.is_json) == ("double-encoded", True, False)
    assert len(reading.pieces) == 1
    assert shortened(whole) is None
    assert read(whole[:900]).form == "broken"
    assert shortened(whole[:900]) is not None


def test_json_in_json_in_one_is_seen_as_cut_too() -> None:
    inner = json.dumps({"content": [{"type": "text"}], "text": json.dumps({"rows": ROWS})})

    assert shortened(shown(inner)[:1500]) is not None
    assert shortened(shown(inner)) is None


def test_words_in_one_are_words() -> None:
    assert read(shown("all is well")).form == "text"

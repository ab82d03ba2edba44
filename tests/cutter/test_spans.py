"""JSON as spans: two engines, one answer."""

import json
import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ullage.cutter import spans

JSON_LIKE = st.text(alphabet='[]{}",:\\u0123eE.-+ntrfal NaIiy\n\x01é', max_size=40)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=30,
)


def python_reads(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@given(text=JSON_LIKE)
@example(text="[1,]")
@example(text='{"a":1,}')
@example(text="[01]")
@example(text="[NaN,-Infinity]")
@example(text='"\\ud83d"')
@example(text="[1] 2")
@example(text="")
@example(text="]")
@example(text="[}")
def test_is_json_agrees_with_pythons_reader(text: str) -> None:
    assert spans.is_json(text) == python_reads(text)


@given(text=JSON_LIKE)
def test_the_scanner_alone_agrees_with_pythons_reader(text: str) -> None:
    assert spans.scan(text) == python_reads(text)


@given(value=VALUES, indent=st.none() | st.integers(0, 3))
def test_the_scanner_takes_every_document_that_python_writes(
    value: Any, indent: int | None
) -> None:
    assert spans.scan(json.dumps(value, indent=indent))


@given(value=st.lists(VALUES, max_size=8), indent=st.none() | st.integers(0, 3))
def test_items_are_the_texts_of_the_values(value: list[Any], indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    found = spans.items(text)

    assert [json.dumps(json.loads(one)) for one in found] == [json.dumps(one) for one in value]
    assert all(one in text and one.strip() == one for one in found)


@given(value=st.dictionaries(st.text(max_size=6), VALUES, max_size=8), spaced=st.booleans())
def test_members_are_the_texts_of_keys_and_values(value: dict[str, Any], spaced: bool) -> None:
    text = json.dumps(value, indent=2 if spaced else None)
    found = spans.members(text)

    assert [json.loads(key) for key, _ in found] == list(value)
    assert [json.dumps(json.loads(one)) for _, one in found] == [
        json.dumps(one) for one in value.values()
    ]


@given(value=st.dictionaries(st.text(max_size=6), VALUES, max_size=8), spaced=st.booleans())
def test_both_engines_split_alike(value: dict[str, Any], spaced: bool) -> None:
    text = json.dumps(value, indent=2 if spaced else None)
    slow = [(key, text[start:end]) for key, start, end in spans.split(text)]

    assert spans.members(text) == slow


def test_duplicate_keys_all_stay() -> None:
    assert spans.members('{"role":"admin","x":[1, 2],"role":"guest"}') == [
        ('"role"', '"admin"'),
        ('"x"', "[1, 2]"),
        ('"role"', '"guest"'),
    ]


def test_a_duplicate_key_with_equal_values_stays_too() -> None:
    assert len(spans.members('{"a":1,"a":1}')) == 2


def test_number_text_is_not_touched() -> None:
    source = "[1917043659912705290,0.1000,1E-7,-0.0,1e400,NaN]"

    assert spans.items(source) == source[1:-1].split(",")


@pytest.mark.parametrize("depth", [1_000, 100_000])
def test_any_depth_is_read_without_recursion(depth: int) -> None:
    text = "[" * depth + "]" * depth

    assert spans.is_json(text)
    assert spans.items(text) == [text[1:-1]]


def test_an_unclosed_document_is_not_json() -> None:
    assert not spans.is_json("[" * 100_000)


def test_a_float_that_json_cannot_hold_is_read_by_the_scanner() -> None:
    assert spans.items(json.dumps([math.nan, "a\u2028b"])) == ["NaN", '"a\\u2028b"']

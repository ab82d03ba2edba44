"""Finding one value in texts."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.checks.value import value_of


@pytest.mark.parametrize(
    "text",
    [
        "ORD-17",
        "the order ORD-17. It is late",
        '{"id":"ORD-17"}',
        "(ORD-17)",
        "ORD-17,ORD-18",
        "id=ORD-17\n",
        "see ORD-17.",
        r"first line\nORD-17\nlast line",
        r"{\"rows\": \"[{\\\"id\\\": \\\"ORD-17\\\"}]\"}",
    ],
)
def test_a_value_is_found_at_the_borders_of_a_word(text: str) -> None:
    assert value_of("ORD-17").stands_in(text)


@pytest.mark.parametrize("text", ["ORD-170", "XORD-17", "A-ORD-17", "ORD-17-b", "ORD-17.5", "ORD"])
def test_a_part_of_another_word_is_not_the_value(text: str) -> None:
    assert not value_of("ORD-17").stands_in(text)


def test_a_digit_of_a_decimal_is_not_the_value() -> None:
    assert not value_of("5").stands_in("1.5 and 5.1 and 15")
    assert value_of("5").stands_in("1.5 and 5.")


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        ("12345678901234567890", '{"id": 1.2345678901234567e+19}', "1.2345678901234567e+19"),
        ("3", "count 3.0 of them", "3.0"),
        ("12.50", "costs 12.5", "12.5"),
        ("ORD-17", "ord-17", None),
    ],
)
def test_another_spelling_of_a_number_is_told(value: str, text: str, found: str | None) -> None:
    assert value_of(value).other_in(text) == found
    assert not value_of(value).stands_in(text)


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_a_blank_value_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="name a value that can be found"):
        value_of(text)


WORDS = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=12)


@given(word=WORDS, layers=st.integers(0, 3), before=st.text(max_size=10))
def test_a_value_is_found_through_three_layers_of_json(word: str, layers: int, before: str) -> None:
    text = json.dumps([before, word])
    for _ in range(layers - 1):
        text = json.dumps({"text": text})

    assert value_of(word).stands_in(text)

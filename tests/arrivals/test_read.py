"""A delivered text is read in whatever form it comes."""

import json

import pytest

from ullage.arrivals.read import read
from ullage.arrivals.values import MAX_DEPTH, Json, canonical


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ('{"a": 1}', "json"),
        ("[]", "json"),
        ('"a sentence"', "json"),
        ("", "empty"),
        (" \n\t", "empty"),
        ("no value here", "text"),
        ("see [the manual] (page 3) for {details}", "text"),
        ('Observation:\n{"a": [1, 2]}', "json-in-text"),
        ('{"a": 1}\n{"a": 2}\n', "json-in-text"),
        ("{'a': (1, None), 'b': True}", "python-repr"),
        ("Result: [{'a': nan}]", "python-repr"),
        ('"[{\\"a\\": 1}]"', "double-encoded"),
        ('{"rows": [{"a": 1}, {"a', "broken"),
        ('{"ro', "broken"),
        ('"a": 1}, {"a": 2}]}', "broken"),
        ("[{'a': 1}, {'a': ", "broken"),
    ],
)
def test_the_form_of_a_text_is_named(text: str, form: str) -> None:
    assert read(text).form == form


def test_a_python_literal_has_the_value_that_json_would_have() -> None:
    value = read(r"{'a': (1.0, None), 2: 'it\'s \x41\n', True: b'raw', 'n': -inf}").value

    expected: Json = {"a": [1, None], "2": "it's A\n", "true": "raw", "n": float("-inf")}
    assert canonical(value) == canonical(expected)


def test_every_record_around_a_mark_is_read() -> None:
    text = '{"rows": [{"id": 1}, {"id": 2, "t": "ab [cut] y"}, {"id": 8}, {"id": 9}]}'
    torn = text.replace("ab [cut] y", 'ab\n[cut]\ny"').replace('y""', 'y"')

    found = [piece.value for piece in read(torn).pieces]

    assert found == [{"rows": [{"id": 1}, {"id": 2}]}, {"id": 8}, {"id": 9}]


def test_a_record_whose_bracket_a_torn_string_swallowed_is_read() -> None:
    # The tail starts at the closing quote of a string: `"},{"` looks like a string there.
    text = '[{"id":1,"t":"a"},{"id":2,[...]"},{"id":6,"t":"b"},{"id":7}]'

    values = [piece.value for piece in read(text).pieces]

    assert {"id": 6, "t": "b"} in values
    assert {"id": 7} in values


def test_a_number_at_the_cut_is_not_taken_for_a_shorter_one() -> None:
    (piece,) = read('[{"id": 1}, {"n": 7, "id": 12').pieces

    assert piece.value == [{"id": 1}, {"n": 7}]


def test_a_literal_inside_words_keeps_its_place() -> None:
    text = "Observation: {'a': 'x'} and so on"

    (piece,) = read(text).pieces

    assert text[piece.start : piece.end] == "{'a': 'x'}"
    assert read(text).leftover == "Observation: \n and so on"


def test_integers_are_exact_however_long() -> None:
    digits = "9" * 5_000

    assert canonical(read(f"[{digits}]").value) != canonical(read(f"[{digits[:-1]}8]").value)
    assert canonical(read(f"[{digits}]").value) == canonical(read(f"x [{digits}] y").value)


def test_a_value_nested_too_deeply_is_read_in_slices_and_says_so() -> None:
    depth = MAX_DEPTH + 50
    deep = "[" * depth + "1" + "]" * depth

    reading = read(deep)

    assert reading.stopped
    assert not read("[" * 50 + "]" * 50).stopped


def test_strings_in_strings_are_followed_to_the_bottom() -> None:
    text = '{"id": 1}'
    for _ in range(4):
        text = json.dumps(text)

    reading = read(text)

    assert reading.form == "double-encoded"
    assert reading.value == {"id": 1}


def test_a_cut_string_is_unescaped_to_reach_the_records_in_it() -> None:
    text = json.dumps({"result": json.dumps([{"id": n, "t": 'a "b"'} for n in range(9)])})

    reading = read(text[:150])

    assert reading.form == "broken"
    assert max(len(piece.whole) for piece in reading.pieces) >= 3


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        '{"a":' * 6_000,
        '{"a":' * 40_000,
        "[1," * 60_000,
        '{"' * 100_000,
        '["[' * 60_000,
        "['[" * 60_000,
        '{"a":"{' * 30_000,
        '\\"[' * 60_000,
        '["\\' * 60_000,
        '[{"a":[1,2,"x"],' * 12_000,
        '{"a":1,"b":{' * 16_000,
        "[" * 3_000 + "]" * 3_000,
        '"' * 200_000,
        "9" * 200_000,
        "[-" * 100_000,
        "\\" * 200_000,
    ],
    ids=lambda text: f"{text[:6]}-{len(text)}",
)
def test_hostile_text_is_read_in_bounded_time(text: str) -> None:
    read(text)

"""Validity is judged against the produced root."""

import json
from typing import Any

import pytest

from ullage.arrivals.read import read
from ullage.arrivals.validity import unfinished, validity

ROWS = [{"id": n, "name": f"name-{n}", "tags": ["a"]} for n in range(3)]


def judge(produced: Any, delivered: str) -> bool | None:
    return validity(read(json.dumps(produced)), read(delivered))


@pytest.mark.parametrize(
    "delivered",
    [
        json.dumps({"rows": ROWS[:1], "total": 3}),
        json.dumps({"rows": []}),
        json.dumps({"_ullage": "rows 1 of 3", "rows": ROWS[:1]}),
        "{}",
        "Observation:\n" + json.dumps({"rows": ROWS[:2]}),
        "```json\n" + json.dumps({"rows": ROWS[:2]}, indent=1) + "\n```",
        json.dumps({"result": {"rows": ROWS[:1]}, "status": "ok"}),
        json.dumps({"result": json.dumps({"rows": ROWS[:1]})}),
        json.dumps({"rows": ROWS, "total": 3, "page": 1}),
    ],
)
def test_a_value_with_the_root_s_type_and_keys_is_valid(delivered: str) -> None:
    assert judge({"rows": ROWS, "total": 3}, delivered) is True


@pytest.mark.parametrize(
    "delivered",
    [
        json.dumps({"rows": ROWS, "total": 3})[:-1],
        json.dumps({"rows": ROWS})[:70],
        json.dumps(ROWS[0]),
        json.dumps(ROWS),
        json.dumps({"error": "too large"}),
        repr({"rows": ROWS, "total": 3}),
        "the rows are fine",
        "",
    ],
)
def test_a_record_saved_from_a_cut_text_is_not_the_root(delivered: str) -> None:
    assert judge({"rows": ROWS, "total": 3}, delivered) is False


def test_a_list_inside_a_record_is_not_the_root_list() -> None:
    produced = json.dumps(ROWS)

    assert judge(ROWS, produced[: produced.index("}") - 1]) is False
    assert judge(ROWS, "as said in [1], it was too long") is False
    assert judge(ROWS, json.dumps(ROWS[:1])) is True
    assert judge(ROWS, "[]") is True


def test_validity_is_not_judged_where_the_produced_text_is_no_json() -> None:
    assert validity(read("plain words"), read("plain")) is None
    assert validity(read(repr(ROWS)), read("[]")) is None
    assert validity(read(json.dumps(ROWS)[:-1]), read("[]")) is None
    assert validity(read(""), read("")) is None


@pytest.mark.parametrize(
    ("produced", "delivered", "valid"),
    [("3", "3", True), ("3", "4.5", True), ("3", '"3"', False), ("true", "1", False)],
)
def test_a_scalar_keeps_its_type(produced: str, delivered: str, valid: bool) -> None:
    assert validity(read(produced), read(delivered)) is valid


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "b": [1, 2',
        '{"a": 1, "b": "tex',
        '[{"id": 1}, {"id": 2',
        '[{"id": 1},',
        '[{"id": 1}, tr',
        '[{"id": 1}',
        '{"error": "", "text": "to be',
        json.dumps({"n": 1, "text": json.dumps(ROWS * 9)})[:400],
    ],
)
def test_a_prefix_after_a_whole_member_is_unfinished(text: str) -> None:
    assert unfinished(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        "[1, 2]",
        "",
        "words",
        '{"a',
        '{"a": ',
        "[",
        "[see the manual",
        '{"a": 1, b: 2}',
        '{"a": 1} and more',
        '{"a": 1, "b": [1, 2 ... cut]',
        "{'a': 1, 'b': ",
        'Observation: {"a": 1, "b": ',
        '"a string with [1, 2"',
    ],
)
def test_anything_else_is_not(text: str) -> None:
    assert not unfinished(text)


@pytest.mark.parametrize(
    ("delivered", "valid"),
    [
        ("344\n(Open file: a.py)", True),
        ("<output>\n344\n</output>", True),
        ("There are 344 lines.", False),
        ("3\n44", False),
    ],
)
def test_a_number_on_a_line_of_its_own_is_what_was_printed(delivered: str, valid: bool) -> None:
    assert judge(344, delivered) is valid

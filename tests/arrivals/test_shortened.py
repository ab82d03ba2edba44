"""A produced text that is itself only a part."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.arrivals.shortened import shortened

ROWS = [
    {"id": n, "name": f"item {n}", "msg": f"request {n} was truncated: 3 of 9 rows omitted"}
    for n in range(50)
]
TEXT = json.dumps(ROWS)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (TEXT[:1000], "it ends inside a value"),
        (TEXT[:1000] + "...", "it ends inside a value"),
        (str(ROWS)[:1000], "it ends inside a value"),
        (TEXT[:1000] + "\n[27370 characters omitted]", "[27370 characters omitted]"),
        ("(1, 'abc … (86 characters truncated) … xyz')", "(86 characters truncated)"),
        ("row 1 ... [output truncated, 9 lines omitted]", "9 lines omitted]"),
        ("row 1\nrow 2\n[skipped 55 rows]", "[skipped 55 rows]"),
        ("row 1\n... (12 more lines)\n", "... (12 more lines)"),
        ("[Showing last 9.8KB, output truncated]\nrow 1\nrow 2", None),
        ('{"rows": [1, 2], "truncated": true}', "truncated: true"),
        ('{"_ullage": "Cut: 1 of 3 records.", "rows": [1]}', "Cut: 1 of 3 records."),
    ],
)
def test_a_text_that_was_shortened_shows_it(text: str, shown: str | None) -> None:
    found = shortened(text)

    assert found is not None
    assert shown is None or shown in found


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        str(ROWS),
        json.dumps(ROWS, indent=1),
        "",
        "3",
        "to be continued...",
        '{"truncated": false, "rows": []}',
        "[INFO] skipped 3 rows.\n[INFO] done (3 of 3)",
        "=== 3 passed, 1 skipped in 0.2s ===\n",
        "a | b\n--+--\n1 | 2\n(1 row)",
        "see [1, 2 and (3",
        '{"a": ',
        "The log was truncated yesterday.",
        "[File: a.py (900 lines total)]\nx = 1\n(839 more lines below)",
    ],
)
def test_a_text_that_only_speaks_of_it_was_not(text: str) -> None:
    assert shortened(text) is None


@given(rows=st.lists(st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=9))))
def test_a_whole_value_without_such_words_is_whole(rows: list[dict[str, object]]) -> None:
    text = json.dumps(rows)

    assert shortened(text) is None or "truncated" in text or "_ullage" in text


@given(text=st.text(max_size=300))
def test_no_text_raises(text: str) -> None:
    shortened(text)


def test_a_value_behind_a_byte_order_mark_may_end_early() -> None:
    assert shortened('\ufeff[{"id": 1}, {"id": 2}, {"i') == "it ends inside a value"

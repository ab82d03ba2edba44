"""Tables in a text, and what is none."""

import pytest

from ullage.checks.tables import tables

ROWS = "\n".join(f"ORD-{n},{n * 3},Lagos" for n in range(8))
PROSE = "\n".join(f"It was late, cold and dark on day {n}, she said." for n in range(12))


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_table_of_any_delimiter_is_read_by_column(mark: str) -> None:
    (found,) = tables("Look:\n```\nid,total,city\n".replace(",", mark) + ROWS.replace(",", mark))

    assert len(found.records) == 8
    assert found.records[0] == {"id": "ORD-0", "total": "0", "city": "Lagos"}


def test_a_table_of_markdown_is_read_without_its_ruler() -> None:
    lines = "\n".join(f"| ORD-{n} | open |" for n in range(6))
    (found,) = tables(f"# Report\n\n| id | state |\n|----|:-----:|\n{lines}\n\nThat is all.")

    assert [one["id"] for one in found.records if isinstance(one, dict)][-1] == "ORD-5"


def test_a_quoted_cell_may_hold_the_delimiter() -> None:
    rows = "\n".join(f'{n},"late, open"' for n in range(6))
    (found,) = tables(f"id,state\n{rows}")

    assert found.records[3] == {"id": "3", "state": "late, open"}


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        "\n".join(f"2025-03-01 09:0{n} INFO a, b" for n in range(9)),
        "\n".join('{"a": 1, "b": 2}' for _ in range(9)),
        "id,total\n1,2\n3,4",
        "",
    ],
)
def test_prose_a_log_and_json_are_no_tables(text: str) -> None:
    assert tables(text) == []

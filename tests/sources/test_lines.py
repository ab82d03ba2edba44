"""Lines of logs: torn, glued, empty, and whole."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ullage.sources.lines import read_lines


def read(data: bytes) -> list[tuple[int, list[Any], str | None]]:
    return [(one.number, list(one.values), one.fault) for one in read_lines(data)]


def test_whole_lines_are_read_and_blank_ones_passed_over() -> None:
    assert read(b'\xef\xbb\xbf{"a": 1}\r\n\n  \n[2]\n') == [
        (1, [{"a": 1}], None),
        (4, [[2]], None),
    ]


def test_the_tail_of_a_glued_line_is_saved() -> None:
    assert read(b'{"seq": 4, "text": "{"seq": 5, "text": "x"}\n') == [
        (1, [{"seq": 5, "text": "x"}], "more than one record")
    ]


def test_all_of_two_records_on_one_line_is_saved() -> None:
    assert read(b'{"a": 1}{"b": 2} {"c": 3}') == [
        (1, [{"a": 1}, {"b": 2}, {"c": 3}], "more than one record")
    ]


def test_what_stands_before_and_behind_a_tear_is_saved() -> None:
    assert read(b'{"a": 1}{"b": "{"c": 3}{"d": {"e": 4}}') == [
        (1, [{"a": 1}, {"c": 3}, {"d": {"e": 4}}], "more than one record")
    ]


def test_a_torn_line_and_a_line_of_nuls_are_told() -> None:
    assert read(b'\0\0\0\n{"a": 1, "b": "to') == [(1, [], "only NULs"), (2, [], "ends early")]


def test_what_stands_inside_a_torn_record_is_no_record() -> None:
    assert read(b'{"a": 1, "b": {"c": 2}') == [(1, [], "ends early")]


def test_a_line_that_is_no_json_is_told() -> None:
    assert read(b"hello\n{'a': 1}\n") == [(1, [], "not JSON"), (2, [], "not JSON")]


def test_a_line_separator_inside_a_string_ends_no_line() -> None:
    assert read('{"a": "x\u2028y"}\n'.encode()) == [(1, [{"a": "x\u2028y"}], None)]


RECORDS = st.lists(
    st.dictionaries(st.text(max_size=3), st.text(max_size=5) | st.integers(), max_size=3),
    max_size=8,
)


@given(records=RECORDS)
def test_every_record_of_a_whole_file_is_read(records: list[dict[str, Any]]) -> None:
    data = "\n".join(json.dumps(one, ensure_ascii=False) for one in records)

    assert [one for _, values, _ in read(data.encode("utf-8", "replace")) for one in values] == [
        json.loads(json.dumps(one, ensure_ascii=False).encode("utf-8", "replace"))
        for one in records
    ]


@given(records=RECORDS, at=st.integers(0, 200))
def test_a_file_that_was_cut_loses_its_last_line_only(
    records: list[dict[str, Any]], at: int
) -> None:
    data = "\n".join(json.dumps(one) for one in records).encode()[:at]

    faults = [number for number, _, fault in read(data) if fault is not None]
    assert faults in ([], [data.count(b"\n") + 1])


@given(st.binary(max_size=80) | st.text('{}[]",:\0 1ax\n', max_size=60).map(str.encode))
def test_no_bytes_raise(data: bytes) -> None:
    read(data)


def test_a_hostile_line_is_not_searched_for_ever() -> None:
    (line,) = read_lines(b'{"a":' * 20_000 + b"}x")

    assert (line.fault, line.values) == ("not JSON", ())

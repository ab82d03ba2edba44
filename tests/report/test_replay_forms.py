"""A replay in the forms that other tools and people read: CSV, Markdown, words."""

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from rich.console import Console
from tests.policies.recordings import Row, in_lines, rows

from ullage import Replayed, replay
from ullage.policies.field_diff import field_diff
from ullage.report.replay import markdown_replay, print_replay
from ullage.report.replay_csv import plain, write_csv
from ullage.report.replay_rows import MEASURES, rows_of
from ullage.report.spelled import spelled

HOSTILE = '=HYPERLINK("http://x")|<script>alert(1)</script>\n\x1b[31m'
POLICIES = ("prefix:6000", "records:6000")


def replayed(path: Path, **options: object) -> Replayed:
    return replay(path, policies=POLICIES, workers=1, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Replayed:
    path = in_lines(tmp_path_factory.mktemp("forms") / "results.jsonl", rows(3, 3))
    return replayed(path, second_path=True)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Replayed:
    text = json.dumps({HOSTILE: [{HOSTILE: n, "id": n} for n in range(900)]})
    made = iter([Row("one", HOSTILE, text), Row("two", HOSTILE, text)])
    return replayed(in_lines(tmp_path_factory.mktemp("hostile") / "results.jsonl", made))


def written(found: Replayed) -> list[dict[str, str]]:
    file = io.StringIO()
    write_csv(found, file)
    return list(csv.DictReader(io.StringIO(file.getvalue())))


def words(found: Replayed) -> str:
    file = io.StringIO()
    print_replay(Console(file=file, width=400, highlight=False), found)
    return file.getvalue()


def test_every_rate_of_the_document_is_a_row_of_the_csv(found: Replayed) -> None:
    document = found.to_dict()["policies"]
    assert isinstance(document, list)
    rates = {
        (policy["name"], one["tool"], one["path"], one["field"] or "", str(one.get("from", "")))
        for policy in document
        for kind in ("by_part", "by_field", "by_position")
        for one in policy["arrival"][kind]
    }
    of_records = {
        (one["policy"], one["tool"], one["path"], one["field"], one["tenth_from"])
        for one in written(found)
        if one["measure"] == "arrived_by_record"
    }

    assert rates == of_records


def test_a_row_has_what_the_document_says(found: Replayed) -> None:
    (row,) = (
        one
        for one in rows_of(found)
        if (one.policy, one.path, one.field, one.measure)
        == ("records:6000", "$.late_list", None, "arrived_by_record")
        and one.tenth_from is None
    )
    (part,) = (one for one in found.policies[1].produced.parts if one.path == "$.late_list")

    assert (row.numerator, row.denominator) == (part.by_record.part, part.by_record.of)
    assert row.rate == part.by_record.share
    assert part.by_record.interval is not None
    assert part.difference is not None
    assert (row.low, row.high) == (part.by_record.interval.low, part.by_record.interval.high)
    assert row.difference == part.difference.points
    assert row.sessions == 3


def test_the_measures_of_the_rows_are_those_that_are_explained(found: Replayed) -> None:
    assert {one.measure for one in rows_of(found)} == MEASURES.keys()


def test_what_was_not_looked_for_has_no_row(hostile: Replayed) -> None:
    assert not {"loud", "quiet", "untold"} & {one.measure for one in rows_of(hostile)}


def test_a_name_is_no_formula_in_a_spreadsheet(hostile: Replayed) -> None:
    tools = {one["tool"] for one in written(hostile)} - {""}

    assert len(tools) == 1
    assert all(tool.startswith("'=HYPERLINK") and "\x1b" not in tool for tool in tools)


@given(
    st.text(max_size=20)
    | st.sampled_from("=+-@\uff1d\uff0b\uff0d\uff20'\t\n ").flatmap(
        lambda first: st.text(max_size=8).map(lambda rest: first + rest)
    )
)
def test_no_text_begins_a_formula_and_an_apostrophe_taken_away_gives_it_back(text: str) -> None:
    shown, whole = plain(text), spelled(text, keep="\n\t")

    assert not shown.lstrip().startswith(
        ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
    )
    assert shown.removeprefix("'") == whole


def test_the_csv_is_the_same_for_the_same_replay(found: Replayed) -> None:
    assert written(found) == written(found)
    assert len(written(found)) == len(list(rows_of(found)))


def test_markdown_has_the_tables_and_obeys_no_name(hostile: Replayed) -> None:
    page = markdown_replay(hostile)
    html = MarkdownIt().enable("table").render(page)

    assert html.count("<table>") == 4  # policies, parts, positions, differences
    assert "<script>" not in html
    assert "2 of 2 JSON" in html


def test_words_say_what_arrives_in_which_tenth(found: Replayed) -> None:
    (line,) = (
        one
        for one in words(found).splitlines()
        if "$.early_list" in one and "prefix:6000" in one and one.split()[3] == "100"
    )

    assert line.split()[3:5] == ["100", "100"]
    assert line.split()[-1] == "0"


def test_the_parts_that_differ_are_furthest_apart_first(found: Replayed) -> None:
    first, other = found.policies
    differing = field_diff(first, other)
    points = [abs(one.points) for one in differing]

    assert points == sorted(points, reverse=True)
    assert {one.first.path for one in differing} >= {"$.early_list", "$.late_list"}
    late = next(one for one in differing if one.first.path == "$.late_list")
    assert late.points > 0
    assert late.difference.interval is not None
    assert late.difference.interval.n == 3


def listing(**parts: list[dict[str, object]]) -> str:
    return json.dumps(parts)


def test_the_result_to_open_is_one_that_differs(tmp_path: Path) -> None:
    both_lose_all = listing(rows=[{"id": n, "note": "z" * 9000} for n in range(2)])
    differs = listing(pad=[{"p": "p" * 90}] * 100, rows=[{"id": n, "n": n} for n in range(50)])
    made = iter([Row("one", "t", both_lose_all), Row("two", "t", differs)])
    found = replayed(in_lines(tmp_path / "results.jsonl", made))
    (line,) = (
        one
        for one in field_diff(*found.policies)
        if one.first.path == "$.rows" and one.first.field is None
    )
    place = (
        f"results.jsonl byte {len((tmp_path / 'results.jsonl').read_bytes().splitlines()[0]) + 1}"
    )

    assert line.first.example is not None
    assert line.first.example.place.endswith("results.jsonl byte 0")  # where both lose all
    assert line.other.apart is not None
    assert line.other.apart.example.place.endswith(place)
    assert line.other.apart.first == 0 < line.other.apart.other
    assert f"{place} (0 against {line.other.apart.other} of 50)" in words(found)


def test_the_document_has_the_differences_in_the_same_order(found: Replayed) -> None:
    first, other = found.to_dict()["policies"]  # type: ignore[misc]
    differing = field_diff(*found.policies)

    assert first["against_first"] == []  # type: ignore[has-type]
    assert [
        (one["tool"], one["path"], one["field"], one["points"])
        for one in other["against_first"]  # type: ignore[has-type]
    ] == [(one.first.tool, one.first.path, one.first.field, one.points) for one in differing]


def test_a_difference_in_one_session_is_known_and_has_no_interval(tmp_path: Path) -> None:
    text = listing(early=[{"n": n} for n in range(900)], late=[{"n": n} for n in range(900)])
    found = replayed(in_lines(tmp_path / "one.jsonl", iter([Row("only", "t", text)])))
    (late,) = (one for one in found.policies[1].produced.parts if one.path == "$.late")
    (row,) = (
        one
        for one in written(found)
        if (one["policy"], one["level"], one["path"], one["measure"])
        == ("records:6000", "part", "$.late", "arrived_by_record")
    )

    assert late.difference is not None
    assert late.difference.points == late.by_record.share
    assert late.difference.interval is None
    assert "one session: no interval" in words(found)
    assert float(row["difference"]) == late.difference.points
    assert row["difference_low"] == row["difference_high"] == ""


def test_what_stands_in_brackets_in_a_name_is_no_style(tmp_path: Path) -> None:
    text = json.dumps({"rows": [{"[/]": n} for n in range(2000)]})
    found = replayed(in_lines(tmp_path / "one.jsonl", iter([Row("a", "[red]tool[/blue]", text)])))

    assert words(found).count("[red]tool[/blue]") > 4


def test_a_field_without_a_name_is_told_from_its_part(tmp_path: Path) -> None:
    text = json.dumps({"rows": [{"": n, "id": n} for n in range(2000)]})
    found = replayed(in_lines(tmp_path / "one.jsonl", iter([Row("a", "t", text)])))
    levels = [
        one["level"]
        for one in written(found)
        if one["path"] == "$.rows" and not one["field"] and not one["tenth_from"]
    ]

    assert sorted(set(levels)) == ["field", "part"]


def test_a_policy_does_not_differ_from_itself(found: Replayed) -> None:
    assert field_diff(found.policies[0], found.policies[0]) == []


def test_policies_that_cut_nothing_arrive_alike(tmp_path: Path) -> None:
    path = in_lines(tmp_path / "small.jsonl", iter([Row("a", "few", '[{"n": 1}]')]))

    assert "every part and field arrives alike" in words(replayed(path))

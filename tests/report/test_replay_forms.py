"""A replay in the forms that other tools and people read: CSV, Markdown, words."""

import csv
import io
import json
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from rich.console import Console
from tests.policies.recordings import Row, in_lines, rows

from ullage import Replayed, replay
from ullage.policies.field_diff import field_diff
from ullage.report.replay import markdown_replay, print_replay
from ullage.report.replay_csv import write_csv
from ullage.report.replay_rows import MEASURES, rows_of

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
    assert row.difference == part.difference.estimate
    assert row.sessions == 3


def test_the_measures_of_the_rows_are_those_that_are_explained(found: Replayed) -> None:
    assert {one.measure for one in rows_of(found)} == MEASURES.keys()


def test_what_was_not_looked_for_has_no_row(hostile: Replayed) -> None:
    assert not {"loud", "quiet", "untold"} & {one.measure for one in rows_of(hostile)}


def test_a_name_is_no_formula_in_a_spreadsheet(hostile: Replayed) -> None:
    tools = {one["tool"] for one in written(hostile)} - {""}

    assert len(tools) == 1
    assert all(tool.startswith("'=HYPERLINK") and "\x1b" not in tool for tool in tools)


def test_the_csv_is_the_same_for_the_same_replay(found: Replayed) -> None:
    assert written(found) == written(found)
    assert len(written(found)) == len(list(rows_of(found)))


def test_markdown_has_the_tables_and_obeys_no_name(hostile: Replayed) -> None:
    page = markdown_replay(hostile)
    html = MarkdownIt().enable("table").render(page)

    assert html.count("<table>") == 3  # policies, parts, positions
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


def test_the_parts_that_differ_are_furthest_apart_first_with_a_result_to_open(
    found: Replayed,
) -> None:
    first, other = found.policies
    differing = field_diff(first, other)
    points = [abs(one.points) for one in differing]

    assert points == sorted(points, reverse=True)
    assert {one.first.path for one in differing} >= {"$.early_list", "$.late_list"}
    late = next(one for one in differing if one.first.path == "$.late_list")
    assert late.points > 0
    assert late.first.example is not None
    assert late.first.example.place.endswith("results.jsonl byte 0")
    assert f"look at {late.first.example.place} under prefix:6000" in words(found)


def test_a_policy_does_not_differ_from_itself(found: Replayed) -> None:
    assert field_diff(found.policies[0], found.policies[0]) == []


def test_policies_that_cut_nothing_arrive_alike(tmp_path: Path) -> None:
    path = in_lines(tmp_path / "small.jsonl", iter([Row("a", "few", '[{"n": 1}]')]))

    assert "every part and field arrives alike" in words(replayed(path))

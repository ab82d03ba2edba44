"""Frames of `ullage watch` at fixed widths, without colour."""

from collections import Counter
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from ullage.checks.live import View
from ullage.checks.live_figures import Fill, Noticed, ToolArrival
from ullage.checks.measured import Requests
from ullage.ledger.history import Shortened
from ullage.ledger.history_records import RecallUse
from ullage.report.watch import Screen, frame, members
from ullage.transcript.finding import Finding, Source

AT = 1_700_000_000.0  # 22:13:20 UTC


def fill(number: int, tokens: int | None, window: int | None) -> Fill:
    return Fill(
        number=number,
        run="monday",
        agent=None,
        ended=AT - 20 + number,
        model="gpt-4o" if window else "own-model",
        tokens=tokens,
        by="reported" if window else "estimate",
        window=window,
        failed=tokens is None,
    )


def noticed(check: str, exchange: int, tool: str | None = "list_orders") -> Noticed:
    one = Finding(
        check=check,
        severity="error",
        boundary="budget",
        evidence={"exchange": exchange},
        advice=f"Do something about {check}.",
        session="monday",
        source=Source(path="a.ledger"),
        tool=tool,
    )
    return Noticed(at=AT, finding=one)


VIEW = View(
    path="a.ledger",
    at=AT,
    runs=["monday"],
    older=3,
    gone=0,
    reading=False,
    left=0,
    there=12,
    behind=0.0,
    requests=Requests(
        all=12,
        to_model=11,
        to_model_failed=1,
        read=11,
        failed=1,
        unreadable=0,
        other_paths={},
        failures={"500": 1},
        conversations=2,
        cohorts=[],
    ),
    minute=6,
    newest=[fill(12, 120_000, 128_000), fill(11, 64_000, 128_000), fill(10, 900, None)],
    tools=[
        ToolArrival(tool="list_orders", calls=5, seen=5, cut=2, broken=1, records=300, arrived=180),
        ToolArrival(tool="search", calls=2, seen=2, records=40, arrived=40),
        ToolArrival(tool="late", calls=1),
    ],
    delivered_results=9,
    unknown=2,
    not_recorded=1,
    why_not="the disk was full",
    findings=[noticed("silent-cut", 12), noticed("silent-cut", 11), noticed("invalid-syntax", 9)],
    severities=Counter({"error": 4, "warning": 1}),
)


def drawn(view: View, width: int, height: int | None = None, *, chosen: int = 0) -> list[str]:
    out = StringIO()
    console = Console(file=out, width=width, highlight=False, color_system=None)
    console.print(frame(view, Screen(width=width, height=height, chosen=chosen)))
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_a_narrow_frame_is_sentences_and_figures() -> None:
    assert drawn(VIEW, 60) == [
        "a.ledger · run monday · 22:13:20 UTC",
        "12 requests · 6 in the last minute · 1 failed · 2",
        "conversations",
        "Not recorded: 1 record (the disk was full)",
        "Not shown: 3 older runs (--since all)",
        "",
        "Window fill of the newest requests",
        "  #12  22:13:12  120000 of 128000  93.8 %",
        "  #11  22:13:11  64000 of 128000   50.0 %",
        "  #10  22:13:10  ~900 of n/a       n/a",
        "",
        "Arrival by tool",
        "  tool         calls  cut  broken      records arrived",
        "  list_orders      5    2       1  180 of 300 (60.0 %)",
        "  search           2    0       0   40 of 40 (100.0 %)",
        "  late             1  n/a     n/a                  n/a",
        "  produced side unknown: 2 of 9 tool results",
        "",
        "Newest findings (4 errors, 1 warning)",
        "> error silent-cut · list_orders · boundary budget · 2",
        "  exchanges",
        "  a.ledger exchange 12, a.ledger exchange 11",
        "  Do something about silent-cut.",
        "  error invalid-syntax · list_orders · boundary budget",
        "  and 2 earlier findings",
    ]


def test_a_wide_frame_has_the_model_and_a_bar() -> None:
    lines = drawn(VIEW, 110)

    assert "  #12  22:13:12  gpt-4o     120000 of 128000  93.8 %  ███████████████████░" in lines
    assert "  #10  22:13:10  own-model  ~900 of n/a       n/a" in lines


def test_several_runs_are_named_beside_their_requests() -> None:
    lines = drawn(replace(VIEW, runs=["monday", "tuesday"]), 110)

    assert lines[0] == "a.ledger · 2 runs, newest monday · 22:13:20 UTC"
    assert any("gpt-4o     monday  120000" in line for line in lines)


@pytest.mark.parametrize(("width", "height"), [(60, 24), (80, 24), (110, 30), (200, 50)])
def test_a_frame_fits_its_screen_and_counts_what_it_leaves_out(width: int, height: int) -> None:
    crowded = replace(
        VIEW,
        newest=[fill(number, 1, 2) for number in range(20, 0, -1)],
        tools=[ToolArrival(tool=f"tool{n}", calls=1) for n in range(30)],
        findings=[noticed(f"check-{n}", n) for n in range(20)],
        severities=Counter({"error": 90}),
    )
    lines = drawn(crowded, width, height)

    assert len(lines) <= height
    assert max(map(len, lines)) <= width
    assert sum(line.startswith("  and ") for line in lines) == 3


def test_the_chosen_finding_has_its_advice_also_where_there_is_little_room() -> None:
    many_kinds = replace(VIEW, findings=[noticed(f"check-{n}", n) for n in range(20)])
    lines = drawn(many_kinds, 80, 24, chosen=15)

    assert "> error check-15 · list_orders · boundary budget" in lines
    assert "  Do something about check-15." in lines
    assert any("newer kind" in line for line in lines)


def test_a_failed_request_is_marked() -> None:
    lines = drawn(replace(VIEW, newest=[fill(3, None, None)]), 60)

    assert "  #3  22:13:03  n/a  n/a  failed" in lines


def test_an_empty_ledger_says_that_nothing_has_happened_yet() -> None:
    none = Requests(
        all=0,
        to_model=0,
        to_model_failed=0,
        read=0,
        failed=0,
        unreadable=0,
        other_paths={},
        failures={},
        conversations=0,
        cohorts=[],
    )
    empty = replace(
        VIEW,
        runs=[],
        older=0,
        requests=none,
        minute=0,
        newest=[],
        tools=[],
        delivered_results=0,
        unknown=0,
        not_recorded=0,
        findings=[],
        severities=Counter(),
    )
    lines = drawn(empty, 80)

    assert lines[0] == "a.ledger · no run yet · 22:13:20 UTC"
    assert "Not recorded: nothing" in lines
    assert "  no request to a model yet" in lines
    assert "  no tool result yet" in lines
    assert "Findings: none" in lines


def test_results_without_a_produced_side_say_how_to_record_it() -> None:
    lines = drawn(replace(VIEW, tools=[]), 110)

    assert (
        "  the produced side is unknown for 2 tool results: record it with @ullage.record_tool"
        in lines
    )


def test_reading_that_is_under_way_says_how_far_it_has_come() -> None:
    assert "Reading what is there: 8 of 12 requests" in drawn(replace(VIEW, left=4), 80)


def test_old_figures_of_arrival_say_their_age() -> None:
    assert "Arrival by tool (as of 40 s ago)" in drawn(replace(VIEW, behind=40.0), 80)


def test_a_name_cannot_command_the_terminal() -> None:
    hostile = replace(
        VIEW,
        runs=["\x1b]0;mine\x07"],
        tools=[ToolArrival(tool="\x1b[2Jx\n", calls=1)],
        findings=[noticed("silent-cut", 1, tool="\x1b[31mred\x9b1m")],
    )

    text = "\n".join(drawn(hostile, 110))
    assert not {one for one in text if one != "\n" and not one.isprintable()}


def test_the_document_has_the_figures_of_the_frame() -> None:
    document = members(VIEW)

    assert document["requests"] == {
        "all": 12,
        "last_minute": 6,
        "failed": 1,
        "to_model": 11,
        "conversations": 2,
    }
    assert document["summary"] == {"by_severity": {"error": 4, "warning": 1}, "findings": 5}
    window = document["window"]
    assert isinstance(window, list)
    assert [one["share"] for one in window] == [0.9375, 0.5, None]


def test_how_often_a_history_was_shortened_stands_in_the_header() -> None:
    shortened = Shortened(
        compactions=3,
        tier="T4",
        tokens_before=9100,
        tokens_after=4700,
        rules=("superseded", "listings"),
        recall=RecallUse(offered=12, used=1, pages=2),
    )

    (line,) = [
        line
        for line in drawn(replace(VIEW, shortened=shortened), 120)
        if line.startswith("Shortened")
    ]

    assert line == (
        "Shortened by Ullage: 3 times, last T4: 9100 → 4700 tokens by superseded, listings · "
        "1 of 12 handles used"
    )

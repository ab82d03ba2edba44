"""The report on a run, line by line."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from rich.console import Console

from ullage.checks.measured import Measurement, Requests
from ullage.report.loss import print_loss
from ullage.transcript.finding import Finding

REQUESTS = Requests(
    all=5,
    to_model=5,
    to_model_failed=0,
    read=5,
    failed=0,
    unreadable=0,
    other_paths={},
    failures={},
    conversations=1,
    cohorts=["external"],
)
NOTHING = Measurement(
    given={},
    given_unknown={},
    run="r",
    results=[],
    requests=REQUESTS,
    delivered_results=0,
    unknown=0,
    not_recorded=0,
    by_tool={},
)


def lines(measurement: Measurement, findings: Sequence[Finding] = ()) -> list[str]:
    console = Console(width=80, soft_wrap=True, highlight=False)
    with console.capture() as captured:
        print_loss(console, measurement, findings)
    return captured.get().splitlines()


def finding(check: str, advice: str, where: str = "tool") -> Finding:
    return Finding(
        check=check,
        severity="error",
        boundary="budget",
        evidence={"where": where},
        advice=advice,
        tool="fetch",
    )


def test_findings_that_differ_in_a_size_only_are_one_line_with_the_usual_size() -> None:
    found = [finding("silent-cut", f"cut to {size}") for size in (5999, 6000, 6000)]

    assert lines(NOTHING, found)[-2:] == [
        "error silent-cut · fetch · boundary budget · 3 results",
        "  cut to 6000",
    ]


def test_findings_of_different_places_are_not_put_together() -> None:
    found = [finding("silent-cut", "here"), finding("silent-cut", "there", where="harness")]

    assert len([line for line in lines(NOTHING, found) if "silent-cut" in line]) == 2


def test_advice_that_two_findings_share_stands_once_behind_them() -> None:
    found = [finding("invalid-syntax", "do this"), finding("silent-cut", "do this")]

    assert lines(NOTHING, found)[-3:] == [
        "error invalid-syntax · fetch · boundary budget",
        "error silent-cut · fetch · boundary budget",
        "  do this",
    ]


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ({"401 no such key": 2}, ["  2 x 401 no such key"]),
        (
            {"a": 1, "b": 3, "c": 1, "d": 1},
            ["  3 x b", "  1 x a", "  1 x c", "  and 1 other error"],
        ),
        ({"in\ntwo lines": 1}, ["  1 x in two lines"]),
    ],
)
def test_failed_requests_are_shown_with_their_errors(
    counts: Mapping[str, int], said: list[str]
) -> None:
    total = sum(counts.values())
    requests = replace(REQUESTS, failed=total, failures=counts)

    shown = lines(replace(NOTHING, requests=requests))

    at = shown.index(f"Failed, or answered with an error: {total} request{'s' * (total > 1)}.")
    assert shown[at + 1 :] == said


def test_paths_that_are_not_read_are_named_with_what_to_do() -> None:
    requests = replace(REQUESTS, read=0, other_paths={"POST /v1/audio": 4, "GET /v1/models": 1})

    assert lines(replace(NOTHING, requests=requests))[-4:-1] == [
        "Recorded, but on paths that are not read: 5 requests.",
        "  4 x POST /v1/audio",
        "  1 x GET /v1/models",
    ]

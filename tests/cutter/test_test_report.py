"""Cutting the reports of test runs."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.cutter import test_report as report
from ullage.cutter.blocks import cut_blocks
from ullage.cutter.budget import chars
from ullage.cutter.keep import Keep
from ullage.cutter.values import Cut

SHARED = Path(os.environ.get("ULLAGE_SHARED", "../shared"))
NOISE = "\n".join(f"INFO clock.py:{at} tick {'abcdefgh'[at % 8] * 30}" for at in range(60))

PYTEST = "\n".join(
    [
        "============ test session starts ============",
        "collected 301 items",
        *(f"tests/test_a.py::test_{at} PASSED [{at // 3:3d}%]" for at in range(300)),
        "tests/test_tide.py::test_rollover FAILED [100%]",
        "================ FAILURES ================",
        "____________ test_rollover ____________",
        "    def test_rollover():",
        ">       assert rollover(23, 59) == (0, 0)",
        "E       AssertionError: assert (24, 0) == (0, 0)",
        "tests/test_tide.py:88: AssertionError",
        "----------- Captured log call -----------",
        NOISE,
        "========= short test summary info =========",
        "FAILED tests/test_tide.py::test_rollover - assert (24, 0) == (0, 0)",
        "1 failed, 300 passed in 12.40s",
        "exit status 1",
    ]
)
UNITTEST = "\n".join(
    [
        *(f"test_{at} (test_a.T.test_{at}) ... ok" for at in range(300)),
        "test_c (test_a.T.test_c) ... ERROR",
        "",
        "=" * 70,
        "ERROR: test_c (test_a.T.test_c)",
        "-" * 70,
        "Traceback (most recent call last):",
        '  File "/t/test_a.py", line 5, in test_c',
        '    raise ValueError("boo")',
        "ValueError: boo",
        "",
        "-" * 70,
        "Ran 301 tests in 0.001s",
        "",
        "FAILED (errors=1)",
    ]
)
GO = "\n".join(
    [
        *(f"=== RUN   Test{at}\n--- PASS: Test{at} (0.00s)" for at in range(200)),
        "=== RUN   TestSum",
        "--- FAIL: TestSum (0.01s)",
        "    sum_test.go:12: got 3, want 4",
        "FAIL",
        "FAIL\texample.test/sum\t0.012s",
        "ok  \texample.test/other\t0.010s",
        "exit status 1",
    ]
)
CARGO = "\n".join(
    [
        "running 202 tests",
        *(f"test tests::case_{at} ... ok" for at in range(200)),
        "test tests::breaks ... FAILED",
        "",
        "failures:",
        "",
        "---- tests::breaks stdout ----",
        "",
        "thread 'tests::breaks' (26612) panicked at src/lib.rs:2:90:",
        "assertion `left == right` failed: sum is off",
        "  left: 2",
        " right: 3",
        "",
        "failures:",
        "    tests::breaks",
        "",
        "test result: FAILED. 200 passed; 1 failed; 0 ignored; finished in 0.09s",
    ]
)
JEST = "\n".join(
    [
        *(f"PASS src/file{at}.test.js" for at in range(150)),
        "FAIL src/sum.test.js",
        *(f"    ✓ adds {at} (1 ms)" for at in range(100)),
        "    ✕ sums (3 ms)",
        "",
        "  ● math › sums",
        "",
        "    expect(received).toBe(expected)",
        "",
        "    Expected: 4",
        "    Received: 3",
        "",
        "      at Object.<anonymous> (src/sum.test.js:5:3)",
        "",
        "Test Suites: 1 failed, 150 passed, 151 total",
        "Tests:       1 failed, 250 passed, 251 total",
    ]
)
TAP = "\n".join(
    [
        "TAP version 13",
        *(f"ok {at} - case {at}" for at in range(1, 300)),
        "not ok 300 - sums",
        "  ---",
        "  error: 'Expected 4, got 3'",
        "  location: '/t/sum.test.mjs:2:23'",
        "  ...",
        "1..300",
        "# tests 300",
        "# fail 1",
    ]
)
REPORTS = {
    "pytest": (
        PYTEST,
        ["E       AssertionError: assert (24, 0) == (0, 0)", "tests/test_tide.py:88"],
    ),
    "unittest": (UNITTEST, ["ERROR: test_c", "ValueError: boo", "line 5, in test_c", "errors=1"]),
    "go": (GO, ["--- FAIL: TestSum", "sum_test.go:12: got 3, want 4", "exit status 1"]),
    "cargo": (CARGO, ["tests::breaks", "sum is off", "right: 3", "200 passed; 1 failed"]),
    "jest": (JEST, ["● math › sums", "Received: 3", "src/sum.test.js:5:3", "1 failed, 250 passed"]),
    "tap": (TAP, ["not ok 300 - sums", "Expected 4, got 3", "sum.test.mjs:2:23", "# fail 1"]),
}


def cut_report(text: str, limit: int) -> Cut | None:
    """Cut a report as `cut` does; None where it fits or is no report."""
    layout = report.read(text) if len(text) > limit else None
    if layout is None:
        return None
    return cut_blocks(layout, text, chars(limit), keep=Keep(), inside=True)


@pytest.mark.parametrize("name", REPORTS)
def test_the_failure_and_the_summary_stay_and_what_passed_is_folded(name: str) -> None:
    text, wants = REPORTS[name]
    done = cut_report(text, 2000)
    assert done
    assert done.account.format == "test-report"
    assert len(done.text) <= 2000
    for want in wants:
        assert want in done.text
    assert "more lines like this]" in done.text


@pytest.mark.parametrize("name", REPORTS)
def test_each_runner_is_told_by_its_own_lines(name: str) -> None:
    runner = report.runner_of(REPORTS[name][0].split("\n"))
    assert runner
    assert runner.name == name


def test_the_summary_and_the_exit_status_stay_when_little_fits() -> None:
    done = cut_report(PYTEST, 500)
    assert done
    assert "1 failed, 300 passed in 12.40s" in done.text
    assert "exit status 1" in done.text


def test_of_many_failures_each_keeps_a_share() -> None:
    failures = "\n".join(
        f"______ test_{at} ______\n    def test_{at}():\n>       assert f({at})\n"
        f"E       assert {at} == 0\ntests/a.py:{at}: AssertionError\n{NOISE}"
        for at in range(3)
    )
    text = f"==== FAILURES ====\n{failures}\n==== 3 failed, 2 passed in 1.0s ===="
    done = cut_report(text, 3000)
    assert done
    for at in range(3):
        assert f"E       assert {at} == 0" in done.text


def test_a_second_smaller_cut_keeps_one_notice() -> None:
    once = cut_report(PYTEST, 3000)
    assert once
    twice = cut_report(once.text, 1500)
    assert twice
    assert twice.text.count("[Cut") == 1
    assert "exit status 1" in twice.text


LINES = st.sampled_from([line for text, _ in REPORTS.values() for line in text.split("\n")[-24:]])
MIXED = st.sampled_from([text for text, _ in REPORTS.values()]) | st.lists(
    LINES, min_size=3, max_size=40
).map("\n".join)


@given(text=MIXED, share=st.floats(0, 1))
def test_any_mix_of_lines_is_cut_within_budget_and_adds_up(text: str, share: float) -> None:
    limit = max(1, round(len(text) * share))
    done = cut_report(text, limit)
    if done is None:
        return
    assert len(done.text) <= limit
    for part in done.account.parts:
        left_out = sum(last - first + 1 for first, last in part.left_out)
        assert part.produced == part.delivered + left_out
    assert cut_report(done.text, limit) is None


@pytest.mark.parametrize(
    "text",
    [
        "We passed 3 tests and failed 1. It was fine.\nOK then.",
        "12:00:00 INFO ok\n12:00:01 ERROR failed\n12:00:02 INFO ok",
        '{"passed": 3, "failed": 1}',
        "id,result\n1,PASSED\n2,FAILED",
        "# Results\n\n- PASSED: 3\n- FAILED: 1",
        "",
    ],
)
def test_other_text_is_not_a_report(text: str) -> None:
    assert report.read(text) is None


def test_a_report_of_30000_tests_is_cut_in_bounded_time() -> None:
    text = "\n".join(f"tests/t.py::test_{at} PASSED [ {at % 100}%]" for at in range(30_000))
    done = cut_report(text + "\n30000 passed in 3.0s", 6000)
    assert done


def test_the_reported_test_log_keeps_its_failure() -> None:
    source = SHARED / "cases/21-head-only-test-log/input.log"
    if not source.exists():
        pytest.skip(f"{source} is not here")
    done = cut_report(source.read_text(encoding="utf-8"), 2000)
    assert done
    for want in ("assert (24, 0) == (0, 0)", "tests/test_tide.py:88", "1 failed, 420 passed"):
        assert want in done.text
    assert "exit status 1" in done.text

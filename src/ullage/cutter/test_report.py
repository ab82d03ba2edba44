"""Reports of test runs: failures, the summary and the exit status stay; what passed is filler."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ullage.cutter import plain
from ullage.cutter.blocks import Layout
from ullage.cutter.events import EXIT, Event
from ullage.cutter.log import layout
from ullage.cutter.signals import ERROR, SUMMARY, WORD, signal

# A report has a line that says how the run went, or at least this many results of tests.
RESULTS = 3
RESULT_SHARE = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """How one test runner writes: results, the summary, and where a failure begins and ends."""

    name: str
    passed: re.Pattern[str]
    failed: re.Pattern[str]
    summary: re.Pattern[str]
    begins: re.Pattern[str]
    ends: re.Pattern[str]


def runner(name: str, *, passed: str, failed: str, summary: str, begins: str, ends: str) -> Runner:
    """Compile the patterns of a runner."""
    return Runner(
        name=name,
        passed=re.compile(passed),
        failed=re.compile(failed),
        summary=re.compile(summary),
        begins=re.compile(begins),
        ends=re.compile(ends),
    )


RUNNERS = (
    runner(
        "pytest",
        passed=r"\S+::\S.* (?:PASSED|SKIPPED|XFAIL|XPASS)\b|(?:PASSED|SKIPPED) (?:\[\d+\] )?\S"
        r"|\S+\.py [.sxX]+ *(?:\[ *\d+%\])?\r?$",
        failed=r"\S+::\S.* (?:FAILED|ERROR)\b|(?:FAILED|ERROR) \S+(?:::|\.py)"
        r"|\S+\.py [.sxXFE]*[FE][.sxXFE]* *(?:\[ *\d+%\])?\r?$",
        summary=r"(?:=+ )?(?:\d+ (?:failed|passed|errors?|skipped|xfailed|xpassed|deselected"
        r"|warnings?|rerun)(?:, )?)+ in [\d.]+s|=+ no tests ran",
        begins=r"_{4,} .+ _{4,}\r?$",
        ends=r"_{4,} .+ _{4,}\r?$|={3,}",
    ),
    runner(
        "unittest",
        passed=r"test\w* \([\w.]+\).* \.\.\. (?:ok|skipped|expected failure)|[.sx]{3,}\r?$",
        failed=r"test\w* \([\w.]+\).* \.\.\. (?:FAIL|ERROR)|[.sxFE]*[FE][.sxFE]+\r?$",
        summary=r"Ran \d+ tests? in [\d.]+s|(?:FAILED|OK) \((?:\w+ ?\w*=\d+(?:, )?)+\)",
        begins=r"(?:FAIL|ERROR): \S+ \(",
        ends=r"={40,}\r?$|Ran \d+ tests?",
    ),
    runner(
        "go",
        passed=r"\s*--- (?:PASS|SKIP): |=== (?:RUN|PAUSE|CONT|NAME) "
        r"|ok\s+\S+\s+(?:[\d.]+s|\()|PASS\r?$|\?\s+\S+\s+\[no test files\]",
        failed=r"\s*--- FAIL: |FAIL\s+\S+\s+(?:[\d.]+s|\[)",
        summary=r"FAIL\r?$|FAIL\s+\S+\s+(?:[\d.]+s|\[)|ok\s+\S+\s+(?:[\d.]+s|\()",
        begins=r"--- FAIL: ",
        ends=r"--- (?:PASS|FAIL|SKIP): |=== |FAIL\b|ok  |PASS\r?$|exit status",
    ),
    runner(
        "cargo",
        passed=r"test \S.* \.\.\. (?:ok|ignored)",
        failed=r"test \S.* \.\.\. FAILED",
        summary=r"test result: (?:ok|FAILED)\. \d+ passed",
        begins=r"---- \S.* ----\r?$",
        ends=r"---- \S.* ----\r?$|failures:\r?$|test result: ",
    ),
    runner(
        "jest",
        passed=r"\s*(?:PASS|✓|√|○|↓) +\S",
        failed=r"\s*(?:FAIL|✕|✗|\u00d7|\u276f) +\S",
        summary=r"\s*(?:Tests|Test Suites|Test Files|Snapshots):? +\d+ \w+",
        begins=r"\s*● \S| FAIL  \S+ > ",
        ends=r"\s*● |(?:Tests|Test Suites|Snapshots): | FAIL  |\s*⎯{3,}|(?:PASS|FAIL) +\S"
        r"|\s*Test Files  ",
    ),
    runner(
        "tap",
        passed=r"\s*ok \d+\b",
        failed=r"\s*not ok \d+\b",
        summary=r"# (?:tests?|pass|fail|skip)\s+\d+|1\.\.\d+\r?$|TAP version \d+",
        begins=r"not ok \d+\b",
        ends=r"(?:not )?ok \d+\b|#|1\.\.\d+|Bail out!|TAP version",
    ),
)
# What any runner writes: most lines of most texts are none of it, and looked at once.
TELLING = re.compile(
    "|".join(
        pattern.pattern
        for one in RUNNERS
        for pattern in (one.passed, one.failed, one.summary, one.begins)
    )
)


def read(text: str) -> Layout | None:
    """Read the report of a test run; None for text without results and a summary of tests."""
    lines, prior = plain.read(text)
    found = runner_of(lines)
    if found is None:
        return None
    return layout(
        "test-report",
        list(split(lines, found)),
        text,
        prior,
        signal=lambda one, near: weight(one, near_end=near, runner=found),
        filler=lambda one: found.passed.match(one) is not None,
    )


def runner_of(lines: Sequence[str]) -> Runner | None:
    """Return whose report this is: the runner with most results, if they are enough."""
    best, most = None, 0
    telling = [line for line in lines if TELLING.match(line)]
    if not telling:
        return None
    size = sum(map(bool, lines))
    for one in RUNNERS:
        results = sum(1 for line in telling if one.passed.match(line) or one.failed.match(line))
        summary = any(one.summary.match(line) for line in telling)
        failures = sum(1 for line in telling if one.begins.match(line))
        enough = results >= RESULTS and results >= RESULT_SHARE * size
        if (enough or (summary and results + failures)) and results + failures > most:
            best, most = one, results + failures
    return best


def split(lines: Sequence[str], runner: Runner) -> Iterator[Event]:
    """Yield a report's events: each failure with all that is printed about it, else each line."""
    start = 0
    while start < len(lines):
        end = start + 1
        if runner.begins.match(lines[start]):
            while end < len(lines) and not stops(lines[end], runner):
                end += 1
        else:
            while end < len(lines) and continues(lines[end], runner):
                end += 1
        yield Event(lines=tuple(lines[start:end]), known=True)
        start = end


def stops(line: str, runner: Runner) -> bool:
    """Whether a failure is over."""
    return bool(runner.ends.match(line) or EXIT.match(line) or runner.summary.match(line))


def continues(line: str, runner: Runner) -> bool:
    """Whether a line outside of failures belongs to the one before."""
    if not line.strip():
        return True
    known = (runner.begins, runner.passed, runner.failed, runner.summary)
    return line[0].isspace() and not any(one.match(line) for one in known)


def weight(text: str, *, near_end: bool, runner: Runner) -> float:
    """Return how much an event of a report asks to be kept."""
    if runner.begins.match(text):
        return ERROR + 1
    if runner.summary.match(text) or EXIT.match(text.split("\n", 1)[0]):
        return ERROR + 2
    if runner.failed.match(text):
        return WORD
    if runner.passed.match(text):
        return 0.0
    return SUMMARY if near_end and signal(text, near_end=True) else signal(text, near_end=False) / 2

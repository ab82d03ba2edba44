"""Annotations: one line each, read back as GitHub reads them."""

import re

from hypothesis import given
from tests.checks.findings import finding
from tests.report.audits import AUDITS, audit

from ullage.checks.suppress import Suppression
from ullage.report.audit import Audit, sentence
from ullage.report.github import github_text
from ullage.report.spelled import spelled

COMMAND = re.compile(r"::(error|warning|notice) ([^:]*)::(.*)")
BACK = {"%25": "%", "%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ","}


def unescaped(text: str) -> str:
    return re.sub("|".join(BACK), lambda found: BACK[found[0]], text)


def commands(one: Audit) -> list[tuple[str, dict[str, str], str]]:
    """The commands as they are read: kind, properties, message."""
    *lines, _ = github_text(one).splitlines()
    found = []
    for line in lines:
        match = COMMAND.fullmatch(line)
        assert match, line
        pairs = [pair.split("=", 1) for pair in match[2].split(",")]
        found.append(
            (match[1], {key: unescaped(value) for key, value in pairs}, unescaped(match[3]))
        )
    return found


def test_a_finding_is_a_command_with_its_file_line_and_title() -> None:
    one = finding(severity="warning", advice="100 %, at last:\nnow")

    assert github_text(audit(one)).splitlines() == [
        "::warning file=sub/logs/a.jsonl,line=3,title=ullage%3A silent-cut · orders::A result was "
        "delivered shorter, and nothing tells the model. Tool: orders. 100 %25, at last:%0Anow",
        "ullage: new 1, known 0, suppressed 0",
    ]


@given(AUDITS)
def test_whatever_was_found_each_command_is_one_line_and_is_read_back(one: Audit) -> None:
    found = commands(one)

    new = one.gate.of("new")
    assert sorted(message for _, _, message in found) == sorted(
        spelled(sentence(each), keep="\r\n") for each in new
    )
    assert all(set(named) <= {"file", "line", "title"} for _, named, _ in found)


def test_the_worst_come_first() -> None:
    one = audit(finding(severity="note"), finding(severity="error"), finding(severity="warning"))

    assert [kind for kind, _, _ in commands(one)] == ["error", "warning", "notice"]


def test_known_and_suppressed_findings_are_counted_only() -> None:
    known = audit(finding()).gate.judged[0].fingerprint
    rule = Suppression(check="output-cut", reason="meant")

    text = github_text(
        audit(finding(), finding("output-cut"), baseline={known: 1}, suppressions=[rule])
    )

    assert text == "ullage: new 0, known 1, suppressed 1\n"


def test_a_file_outside_of_the_repository_keeps_its_path() -> None:
    ((_, named, _),) = commands(audit(finding(path="/else,where/a:b.jsonl", line=None)))

    assert named["file"] == "/else,where/a:b.jsonl"
    assert "line" not in named

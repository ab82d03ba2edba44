"""What makes findings equal, known, accepted, or new."""

import json
import random
from collections import Counter
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.checks.findings import PLACES, finding

from ullage.checks.baseline import read_baseline
from ullage.checks.gate import Gate, judge
from ullage.checks.places import Places
from ullage.checks.scan import NAMES
from ullage.checks.suppress import Suppression, read_suppression
from ullage.transcript.finding import Finding, Source

TODAY = date(2027, 1, 31)


def states(gate: Gate) -> list[str]:
    return [one.state for one in gate.judged]


def prints(*findings: Finding, places: Places = PLACES) -> list[str]:
    return [one.fingerprint for one in judge(findings, places, TODAY).judged]


def written(gate: Gate) -> Counter[str]:
    """A baseline as it is read again from its file."""
    text = json.dumps({"schema": "ullage.baseline/1", **gate.baseline()})
    return read_baseline(json.loads(text), PLACES)


def test_a_fingerprint_survives_a_moved_line_and_other_figures() -> None:
    one = finding(line=3, evidence={"id": "r1", "exchange": 3, "sent_tokens": 70})
    moved = finding(
        line=90, evidence={"id": "r1", "exchange": 88, "sent_tokens": 71}, advice="Other words."
    )

    assert prints(one) == prints(moved)


@pytest.mark.parametrize(
    "other",
    [
        finding("invalid-syntax"),
        finding(boundary="serialise"),
        finding(tool="pods"),
        finding(session="s2"),
        finding(call_id="c2"),
        finding(path="logs/b.jsonl"),
        finding(evidence={"id": "r2"}),
        finding(evidence={"field": "late"}),
    ],
)
def test_a_fingerprint_tells_other_findings_apart(other: Finding) -> None:
    assert prints(finding()) != prints(other)


def test_a_fingerprint_is_the_same_wherever_the_repository_lies() -> None:
    here, there = (
        Places(root="/home/one/repo", folder="/home/one/repo/logs"),
        Places(root="/build/7", folder="/build/7"),
    )

    assert (
        prints(finding(path="a.jsonl"), places=here)
        == prints(finding(path="/home/one/repo/logs/a.jsonl"), places=here)
        == prints(finding(path="logs/a.jsonl"), places=there)
    )


def test_a_file_outside_of_the_root_goes_by_its_name() -> None:
    assert PLACES.inside("../../elsewhere/a.jsonl") is None
    assert PLACES.name("../../elsewhere/a.jsonl") == "a.jsonl"
    assert PLACES.name("../logs/a.jsonl") == "logs/a.jsonl"


def test_a_file_outside_of_the_root_goes_by_its_path_from_the_folder_that_was_named() -> None:
    here = Places(root="/repo", folder="/repo", named=("/home/one/projects",))
    there = Places(root="/home/two", folder="/home/two", named=("../one/projects",))

    for places in (here, there):
        assert places.name("/home/one/projects/p/a.jsonl") == "p/a.jsonl"


def test_a_conversation_that_goes_by_its_file_is_the_same_however_the_file_was_named() -> None:
    one = finding(path="logs/a.jsonl", session="logs/a.jsonl#2")
    same = finding(path="/repo/sub/logs/a.jsonl", session="/repo/sub/logs/a.jsonl#2")
    other = finding(path="logs/a.jsonl", session="logs/a.jsonl#1")

    assert prints(one) == prints(same) != prints(other)
    assert judge([one], PLACES, TODAY).judged[0].session == "#2"


def test_a_second_equal_finding_in_a_session_is_new() -> None:
    baseline = written(judge([finding()], PLACES, TODAY))

    gate = judge([finding(line=3), finding(line=9)], PLACES, TODAY, baseline=baseline)

    assert states(gate) == ["known", "new"]
    assert [one.occurrence for one in gate.judged] == [1, 2]
    assert gate.gone == 0


def test_what_is_not_found_again_is_gone() -> None:
    before = [finding(), finding(), finding(tool="pods")]
    baseline = written(judge(before, PLACES, TODAY))

    gate = judge([finding()], PLACES, TODAY, baseline=baseline)

    assert (states(gate), gate.gone) == (["known"], 2)


def test_without_a_baseline_nothing_is_gone_and_all_is_new() -> None:
    gate = judge([finding()], PLACES, TODAY)

    assert (states(gate), gate.gone) == (["new"], None)


KINDS = st.builds(
    finding,
    st.sampled_from(["silent-cut", "output-cut"]),
    tool=st.sampled_from([None, "orders", "\ud83d"]),
    session=st.sampled_from([None, "s1"]),
    path=st.sampled_from([None, "a.jsonl", "b.jsonl"]),
)


@given(st.lists(KINDS), st.randoms(use_true_random=False))
def test_a_baseline_knows_all_that_it_was_written_from_in_any_order(
    findings: list[Finding], chance: random.Random
) -> None:
    baseline = written(judge(findings, PLACES, TODAY))
    moved = [
        replace(one, source=replace(one.source, line=chance.randint(1, 99))) for one in findings
    ]
    chance.shuffle(moved)

    gate = judge(moved, PLACES, TODAY, baseline=baseline)

    assert (set(states(gate)) <= {"known"}, gate.gone) == (True, 0)


@given(st.lists(KINDS, min_size=1), st.data())
def test_a_baseline_knows_no_more_than_it_was_written_from(
    findings: list[Finding], data: st.DataObject
) -> None:
    baseline = written(judge(findings, PLACES, TODAY))
    extra = data.draw(KINDS)

    gate = judge([*findings, extra], PLACES, TODAY, baseline=baseline)

    assert Counter(states(gate))["new"] == 1


def test_the_document_of_a_scan_is_a_baseline_with_fingerprints_or_without() -> None:
    judged = judge([finding(evidence={"id": "r1", "exchange": 4})], PLACES, TODAY).judged[0]
    members = judged.to_dict()
    bare = {key: value for key, value in members.items() if key not in ("fingerprint", "state")}

    for one in (members, bare):
        document = {"schema": "ullage.scan/1", "findings": [json.loads(json.dumps(one))]}
        assert read_baseline(document, PLACES) == {judged.fingerprint: 1}


def test_what_was_suppressed_is_not_known_once_it_no_longer_is() -> None:
    rule = Suppression(check="silent-cut", reason="later")
    gate = judge([finding()], PLACES, TODAY, suppressions=[rule])
    document = {"schema": "ullage.scan/1", "findings": [one.to_dict() for one in gate.judged]}

    assert written(gate) == read_baseline(document, PLACES) == {}


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ([], "its schema is None"),
        ({"schema": "ullage.cut/1"}, "its schema is 'ullage.cut/1'"),
        ({"schema": "ullage.scan/1"}, "no list of objects"),
        ({"schema": "ullage.scan/1", "findings": [3]}, "no list of objects"),
        ({"schema": "ullage.baseline/1", "findings": [{"check": "a"}]}, "'a' has no fingerprint"),
        (
            {
                "schema": "ullage.baseline/1",
                "findings": [{"check": "a", "fingerprint": "f", "count": 0}],
            },
            "count = 0 of 'a' is no number above 0",
        ),
    ],
)
def test_what_is_no_baseline_is_said(document: object, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_baseline(document, PLACES)


@pytest.mark.parametrize(
    ("keys", "accepted"),
    [
        ({}, True),
        ({"tool": "orders"}, True),
        ({"tool": "pods"}, False),
        ({"path": "sub/logs/*.jsonl"}, True),
        ({"path": "logs/*.jsonl"}, False),
        ({"session": "s1"}, True),
        ({"session": "s2"}, False),
    ],
)
def test_a_suppression_covers_what_all_its_keys_name(keys: dict[str, str], accepted: bool) -> None:
    rule = read_suppression({"check": "silent-cut", "reason": "known", **keys}, NAMES)

    gate = judge([finding(session="s1")], PLACES, TODAY, suppressions=[rule])

    assert states(gate) == ["suppressed" if accepted else "new"]
    assert gate.judged[0].reason == ("known" if accepted else None)
    assert list(gate.idle) == ([] if accepted else [rule])


def test_a_path_covers_no_finding_without_a_file() -> None:
    rule = Suppression(check="silent-cut", reason="known", path="**")
    bare = replace(finding(), source=Source())

    assert states(judge([bare], PLACES, TODAY, suppressions=[rule])) == ["new"]


@pytest.mark.parametrize(("until", "state"), [(31, "suppressed"), (30, "new")])
def test_a_suppression_holds_through_its_last_day(until: int, state: str) -> None:
    rule = Suppression(check="silent-cut", reason="known", until=date(2027, 1, until))

    gate = judge([finding()], PLACES, TODAY, suppressions=[rule])

    assert states(gate) == [state]
    assert list(gate.lapsed) == ([rule] if state == "new" else [])
    assert gate.idle == []


def test_a_suppression_goes_before_the_baseline_and_empties_nothing_of_it() -> None:
    baseline = written(judge([finding()], PLACES, TODAY))
    rule = Suppression(check="silent-cut", reason="known")

    gate = judge([finding()], PLACES, TODAY, baseline=baseline, suppressions=[rule])

    assert (states(gate), gate.gone) == (["suppressed"], 0)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"check": "silent-cut"}, "no reason to accept silent-cut"),
        ({"check": "silent-cut", "reason": "  "}, "no reason to accept"),
        ({"reason": "a"}, "no check"),
        ({"check": "silentcut", "reason": "a"}, "'silentcut' is none: choose"),
        ({"check": "silent-cut", "reason": "a", "tools": "x"}, "unknown tools: choose check"),
        ({"check": "silent-cut", "reason": "a", "tool": 3}, "tool = 3 is not text"),
        ({"check": "silent-cut", "reason": "a", "until": "2027-01-31"}, "without quotes"),
    ],
)
def test_a_mistake_in_a_suppression_is_said(entry: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_suppression(entry, NAMES)

"""The checks of results over transcripts that others recorded, read from outside the repository."""

import ast
import json
import tarfile
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
from tests.shared import shared

from ullage.checks.result_checks import CHECKS, GATHERERS
from ullage.checks.session import Session
from ullage.checks.transcripts import session_of
from ullage.transcript.finding import Finding
from ullage.transcript.message import Message, ToolCall
from ullage.transcript.transcript import Entry, Transcript

pytestmark = pytest.mark.slow


def members(folder: str) -> list[Any]:
    """The JSON files of a folder of the archive, decoded."""
    with tarfile.open(shared("corpora/permissive.tgz")) as archive:
        found = [
            archive.extractfile(one)
            for one in sorted(archive.getmembers(), key=lambda one: one.name)
            if f"{folder}/" in one.name and one.name.endswith(".json")
        ]
        return [json.load(one) for one in found if one is not None]


def calls_of(raw: Any) -> tuple[ToolCall, ...]:
    calls = ast.literal_eval(raw) if isinstance(raw, str) and raw not in ("", "None") else raw or ()
    return tuple(
        ToolCall(
            call_id=one["id"],
            name=one["function"]["name"],
            arguments=one["function"]["arguments"],
        )
        for one in (calls if not isinstance(calls, str) else ())
    )


def chat(messages: Iterable[dict[str, Any]], name: str) -> Session:
    entries = [
        Entry(
            message=Message(
                role=one["role"],
                text=one.get("content") or "",
                calls=calls_of(one.get("tool_calls")),
                answers=one.get("tool_call_id"),
                name=one.get("name"),
            )
        )
        for one in messages
    ]
    return session_of(Transcript(session=name, form="chat", entries=entries))


def found(sessions: Iterable[Session]) -> list[Finding]:
    gatherers = [make() for make in GATHERERS.values()]
    findings: list[Finding] = []
    for one in sessions:
        findings += [each for check in CHECKS.values() for each in check(one)]
        for gatherer in gatherers:
            gatherer.add(one)
    return [*findings, *(each for gatherer in gatherers for each in gatherer.findings())]


def test_sixty_results_of_a_benchmark_are_cut_at_one_length_and_most_of_them_broken() -> None:
    (rows,) = members("livemcpbench")

    findings = found(chat(row["messages"], f"s{at}") for at, row in enumerate(rows))

    names = Counter(one.check for one in findings)
    assert (names["silent-cut"], names["invalid-syntax"]) == (60, 57)
    cut = [one for one in findings if one.check == "silent-cut"]
    assert len({one.session for one in cut}) == 35
    assert {(one.evidence["cap"], one.evidence["distinct"]) for one in cut} == {(10_000, 57)}


def test_equal_records_of_another_benchmark_are_no_cut() -> None:
    (rows,) = members("tau-bench")

    findings = found(chat(row["traj"], f"s{at}") for at, row in enumerate(rows))

    assert findings == []


def observed(node: dict[str, Any], name: str, entries: list[Entry]) -> None:
    """Add the calls of a tree of tries, with what each gave."""
    name = node["description"] if node.get("node_type") == "Action" else name
    if node.get("node_type") == "Action Input" and node.get("observation"):
        call_id = f"c{len(entries)}"
        call = ToolCall(call_id=call_id, name=name, arguments=node["description"])
        entries.append(Entry(message=Message(role="assistant", text="", calls=(call,))))
        result = Message(role="tool", text=node["observation"], answers=call_id)
        entries.append(Entry(message=result))
    for child in node.get("children") or []:
        observed(child, name, entries)


def test_five_results_of_a_third_end_in_dots_at_one_length() -> None:
    sessions = []
    for at, document in enumerate(members("stabletoolbench/answer")):
        entries: list[Entry] = []
        nodes = [document["tree"]["tree"]] if "tree" in document else []
        nodes += [node for one in document.get("trys", []) for node in one["chain"]]
        name = ""
        for node in nodes:
            name = node["description"] if node.get("node_type") == "Action" else name
            observed(node, name, entries)
        sessions.append(session_of(Transcript(session=f"s{at}", form="toolbench", entries=entries)))

    names = Counter(one.check for one in found(sessions))
    assert (names["silent-cut"], names["invalid-syntax"]) == (5, 5)

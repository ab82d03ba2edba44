"""ATIF trajectories: steps, observations, copies, summaries and sub-agents."""

import json
from copy import deepcopy
from typing import Any

import pytest
from tests.sources.documents import ATIF, ROWS
from tests.sources.read import texts, transcripts

from ullage.errors import LoadError
from ullage.sources.files import read_bytes
from ullage.transcript.served import Usage


def test_steps_are_messages_and_observations_are_results() -> None:
    parent, _ = transcripts(ATIF)

    assert [one.message.role for one in parent.entries] == [
        "system",
        "user",
        "assistant",
        "tool",
        "user",
        "assistant",
    ]
    assert parent.entries[3].message.text == ROWS
    assert parent.entries[3].message.answers == "c1"
    assert parent.entries[2].usage == Usage(input=900, output=20, cached=100)
    assert parent.entries[2].at == 1776679201.0
    assert (parent.session, parent.agent, parent.model) == ("run-1", "worker", "m")
    assert parent.tools == ("orders",)


def test_a_context_that_was_replaced_is_the_system_prompt_and_the_summary() -> None:
    parent, _ = transcripts(ATIF)

    (one,) = parent.compactions
    assert (one.at, one.act, one.after, one.summary) == (4, "summarise", (0, 4), (4,))
    assert parent.pre(0) == [0, 1, 2, 3]
    assert texts(parent, parent.post(0)) == ["Be brief.", "Thirty orders were listed."]


def test_a_summary_in_other_trajectories_is_a_compaction_of_unknown_outcome() -> None:
    changed: dict[str, Any] = deepcopy(ATIF)
    del changed["steps"][3]["extra"]
    refs = [{"session_id": "run-1-summary", "trajectory_path": "summary.json"}]
    changed["steps"][3]["observation"] = {"results": [{"subagent_trajectory_ref": refs}]}

    parent, _ = transcripts(changed)

    (one,) = parent.compactions
    assert (one.at, one.act, one.after) == (4, "summarise", None)
    assert len(parent.entries) == 5


def test_a_sub_agent_has_its_parent_and_its_call() -> None:
    _, child = transcripts(ATIF)

    assert (child.session, child.parent, child.parent_call) == ("run-1/child", "run-1", "c1")


def test_copied_steps_are_counted_in_the_trajectory_that_they_are_from() -> None:
    _, child = transcripts(ATIF)

    assert (child.shared, len(child.entries)) == (1, 2)


def test_an_observation_without_an_id_is_of_the_only_call() -> None:
    changed: dict[str, Any] = deepcopy(ATIF)
    results = changed["steps"][2]["observation"]["results"]
    del results[0]["source_call_id"]

    assert transcripts(changed)[0].entries[3].message.answers == "c1"

    changed["steps"][2]["tool_calls"] *= 2
    assert transcripts(changed)[0].entries[3].message.answers is None


def test_a_step_of_another_kind_is_counted() -> None:
    changed: dict[str, Any] = deepcopy(ATIF)
    changed["steps"].append({"step_id": 6, "source": "critic", "message": "good"})

    assert transcripts(changed)[0].unread == {"step of critic": 1}


def test_lines_may_hold_a_trajectory_each() -> None:
    data = "\n".join([json.dumps(ATIF)] * 2).encode()

    assert [one.source.line for one in transcripts(data)] == [1, 1, 2, 2]


def test_each_step_of_a_document_has_its_line() -> None:
    data = json.dumps(ATIF, indent=2).encode()
    lines = data.decode().split("\n")

    for one in transcripts(data)[0].entries:
        assert one.source.line is not None
        assert any(
            '"source"' in line or '"step_id"' in line
            for line in lines[one.source.line : one.source.line + 3]
        )


def test_a_document_without_steps_is_refused() -> None:
    with pytest.raises(LoadError, match="no steps"):
        list(read_bytes(b'{"schema_version": "ATIF-v1.9"}', "x").records)

"""Trees and chains of ToolBench, and the labelled histories of Who&When."""

import json
from copy import deepcopy
from typing import Any

import pytest
from tests.sources.documents import ROWS, TOOLBENCH, WHO_WHEN
from tests.sources.read import transcripts

from ullage.errors import LoadError
from ullage.sources.files import read_bytes


def roles(one: Any) -> list[str]:
    return [entry.message.role for entry in one.entries]


def test_each_way_to_a_leaf_is_a_session_that_shares_what_it_begins_with() -> None:
    first, second = transcripts(TOOLBENCH)

    assert roles(first) == ["user", "assistant", "tool", "assistant", "tool"]
    assert roles(second) == ["user", "assistant", "tool", "assistant"]
    assert (first.session, second.session) == ("log", "log#2")
    assert (first.shared, second.shared) == (0, 3)
    assert first.entries[2].message.text == second.entries[2].message.text == ROWS


def test_a_thought_is_part_of_the_call_that_follows_it() -> None:
    first, _ = transcripts(TOOLBENCH)

    said = first.entries[3].message
    assert (said.text, said.calls[0].name) == ("Look again.", "order")
    assert first.entries[4].message.answers == said.calls[0].call_id
    assert first.entries[4].failed


def test_finish_is_the_answer_and_no_tool() -> None:
    _, second = transcripts(TOOLBENCH)

    assert second.entries[3].message.text == "Thirty."
    assert second.entries[3].message.calls == ()
    assert second.outcome == 1.0


def test_chains_are_read_like_branches() -> None:
    nodes = [
        {"node_type": "Action", "description": "orders"},
        {"node_type": "Action Input", "description": "{}", "observation": ROWS},
    ]
    document = {"win": False, "trys": [{"chain": nodes}, {"chain": nodes}]}

    first, second = transcripts(document)

    assert roles(first) == roles(second) == ["user", "assistant", "tool"]
    assert second.shared == 1
    assert first.outcome == 0.0


def test_each_observation_has_its_line() -> None:
    data = json.dumps(TOOLBENCH, indent=1).encode()
    lines = data.decode().split("\n")

    for one in transcripts(data):
        for entry in one.entries:
            if entry.message.role == "tool":
                assert entry.source.line is not None
                assert '"observation"' in lines[entry.source.line - 1]


def test_a_document_without_nodes_is_refused() -> None:
    with pytest.raises(LoadError, match="no tree"):
        list(read_bytes(b'{"tree": {"a": 1}}', "x", "toolbench").records)


def test_who_runs_programs_for_the_others_returns_results() -> None:
    (one,) = transcripts(WHO_WHEN)

    assert roles(one) == ["user", "assistant", "tool", "assistant"]
    assert one.entries[2].message.name == "Computer_terminal"
    assert (one.session, one.outcome) == ("folder/log", 0.0)


@pytest.mark.parametrize(
    ("step", "mistake"), [("1", 1), (2, 2), ("4", None), ("no", None), (None, None), (-1, None)]
)
def test_the_labelled_step_is_the_mistake(step: Any, mistake: int | None) -> None:
    (one,) = transcripts({**deepcopy(WHO_WHEN), "mistake_step": step})

    assert one.mistake == mistake


def test_a_history_without_messages_is_refused() -> None:
    with pytest.raises(LoadError, match="no history"):
        list(read_bytes(b'{"history": []}', "x", "who-when").records)

"""What hooks of Claude Code are told, as records."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.errors import LoadError
from ullage.tap.hooks.claude_code import missing, read_event, record_of, response_text, session


def used(response: object, **members: object) -> dict[str, Any]:
    return {
        "session_id": "s1",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "tool_response": response,
        "tool_use_id": "toolu_01",
        **members,
    }


@pytest.mark.parametrize(
    ("response", "text"),
    [
        ({"stdout": "out", "stderr": "", "interrupted": False, "isImage": False}, "out"),
        ({"stdout": "out", "stderr": "bad", "interrupted": False}, "out\nbad"),
        (
            {"type": "text", "file": {"filePath": "/a", "content": "one\ntwo", "numLines": 2}},
            "one\ntwo",
        ),
        ({"filenames": ["/a", "/b"], "numFiles": 2, "truncated": False}, "/a\n/b"),
        ({"mode": "content", "numFiles": 0, "filenames": [], "content": "a:1:x"}, "a:1:x"),
        ({"bytes": 9, "code": 200, "result": "a page", "url": "u"}, "a page"),
        ([{"type": "text", "text": "from a server"}], "from a server"),
        ({"content": [{"type": "text", "text": "from an agent"}]}, "from an agent"),
        ("plain", "plain"),
        ({"oldTodos": [], "newTodos": [1]}, '{"oldTodos":[],"newTodos":[1]}'),
        (None, "null"),
    ],
)
def test_every_tool_has_a_text(response: object, text: str) -> None:
    assert response_text(response) == text


def test_a_tool_that_was_used_is_a_produced_result() -> None:
    record = record_of(used({"stdout": "rows", "stderr": ""}), "r1", 7.0)

    assert (record.run, record.tool, record.kind) == ("r1", "Bash", "tool")
    assert record.call_id == "toolu_01"
    assert (record.arguments, record.text, record.at) == ('{"command": "ls"}', "rows", 7.0)


def test_of_a_long_output_the_file_with_all_of_it_is_what_was_produced(tmp_path: Path) -> None:
    path = tmp_path / "whole.txt"
    path.write_text("x" * 50_000, encoding="utf-8")
    event = used(
        {"stdout": "x" * 30_000, "persistedOutputPath": str(path), "persistedOutputSize": 50_000}
    )

    record = record_of(event, "r1", 7.0)

    assert len(record.text) == 50_000
    assert missing(event, record) is None


def test_of_a_long_output_whose_file_is_gone_the_rest_is_said_to_be_missing(tmp_path: Path) -> None:
    event = used(
        {
            "stdout": "x" * 30_000,
            "persistedOutputPath": str(tmp_path / "gone"),
            "persistedOutputSize": 50_000,
        }
    )

    record = record_of(event, "r1", 7.0)

    assert len(record.text) == 30_000
    assert "30000 of 50000 bytes" in (missing(event, record) or "")


def test_before_a_compaction_the_session_is_kept_under_a_name_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b'{"type": "user"}\n\xff\n')
    event = {
        "hook_event_name": "PreCompact",
        "session_id": "s1",
        "trigger": "auto",
        "transcript_path": str(path),
    }

    record = record_of(event, "r1", 7.0)

    assert (record.run, record.kind) == ("r1.pre", "data")
    assert record.text == '{"type": "user"}\n\\xff\n'
    assert json.loads(record.arguments) == {"session_id": "s1", "trigger": "auto"}


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"hook_event_name": "Stop"},
        {"hook_event_name": "PreCompact", "transcript_path": "/no/such/file"},
        {"hook_event_name": "PreCompact"},
    ],
)
def test_what_cannot_be_recorded_says_why(event: dict[str, Any]) -> None:
    with pytest.raises(LoadError):
        record_of(event, "r1", 7.0)


@pytest.mark.parametrize("text", ["", "{", "[]", "3"])
def test_an_input_that_is_no_event_says_so(text: str) -> None:
    with pytest.raises(LoadError, match="the hook's input"):
        read_event(text)


def test_a_session_names_the_run_that_has_no_name() -> None:
    assert session({"session_id": "ab12"}) == "claude-ab12"


NAMES = ["stdout", "stderr", "file", "content", "result", "filenames", "persistedOutputPath"]
VALUES = st.none() | st.integers() | st.text(max_size=4) | st.lists(st.integers(), max_size=2)


@given(response=VALUES | st.dictionaries(st.sampled_from(NAMES), VALUES))
def test_no_shape_of_a_response_is_fatal(response: object) -> None:
    record_of(used(response), "r1", 7.0)

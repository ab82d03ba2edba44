"""The state database of Hermes."""

from pathlib import Path

import pytest
from tests.sources.agent_files import calls, only, post, pre, sessions, texts
from tests.sources.hermes_db import FIRST, NEW, State

SUMMARY = "[CONTEXT COMPACTION] Earlier turns were compacted: two files."


@pytest.fixture(params=[NEW, FIRST], ids=["new", "first"])
def state(tmp_path: Path, request: pytest.FixtureRequest) -> State:
    found = State(tmp_path / "state.db", request.param)
    found.session("s-1", system_prompt="You help.")
    return found


@pytest.fixture
def newer(tmp_path: Path) -> State:
    found = State(tmp_path / "state.db")
    found.session("s-1", system_prompt="You help.")
    return found


def begun(state: State, session: str = "s-1") -> None:
    state.said(session, "user", "first")
    state.called(session, "c1", "a long listing")
    state.said(session, "assistant", "1.", finish_reason="stop")
    state.said(session, "user", "second")
    state.said(session, "assistant", "2.", finish_reason="stop")


BEGUN = ["You help.", "first", "terminal", "a long listing", "1.", "second", "2."]


def test_a_session_is_its_rows_behind_its_system_prompt(state: State) -> None:
    begun(state)

    one = only(state.path)

    assert texts(one, range(7)) == BEGUN
    assert calls(one) == [("terminal", "a long listing", '{"command": "c1"}')]
    assert (one.session, one.agent, one.model) == ("s-1", "hermes", "gpt-4o")
    assert one.entries[4].label == "complete"
    assert one.entries[1].at == 1_760_000_002.0


def test_a_compression_that_splits_a_session_is_one_point_in_one_transcript(state: State) -> None:
    begun(state)
    state.end("s-1")
    state.session("s-2", parent="s-1", system_prompt="You help.")
    state.said("s-2", "user", "first")
    state.said("s-2", "user", SUMMARY)
    state.said("s-2", "user", "second")
    state.said("s-2", "assistant", "2.")
    state.said("s-2", "user", "third")

    one = only(state.path)

    assert pre(one) == BEGUN
    assert post(one) == ["You help.", "first", SUMMARY, "second", "2."]
    (compaction,) = one.compactions
    assert (compaction.act, compaction.summary) == ("summarise", (7,))
    assert [entry.message.text for entry in one.entries].count("second") == 1
    assert texts(one, one.context(len(one.entries)))[-1] == "third"


def test_a_result_pruned_by_it_is_cleared_and_counted_once(state: State) -> None:
    begun(state)
    state.end("s-1")
    state.session("s-2", parent="s-1", system_prompt="You help. [Note: compacted]")
    state.said("s-2", "user", SUMMARY)
    state.called("s-2", "c1", "[Old tool output cleared to save context space]")

    one = only(state.path)

    assert len(calls(one)) == 1
    assert [one.entries[at].message.text for at in one.compactions[0].cleared] == ["a long listing"]
    assert post(one) == ["You help. [Note: compacted]", SUMMARY, "terminal", "a long listing"]


def test_a_chain_of_compressions_is_one_transcript(state: State) -> None:
    begun(state)
    state.end("s-1")
    state.session("s-2", parent="s-1", system_prompt="You help.")
    state.said("s-2", "user", SUMMARY)
    state.said("s-2", "assistant", "2.")
    state.said("s-2", "user", "third")
    state.end("s-2")
    state.session("s-3", parent="s-2", system_prompt="You help.")
    state.said("s-3", "user", SUMMARY + " And more.")
    state.said("s-3", "user", "third")

    one = only(state.path)

    assert pre(one, 1) == ["You help.", SUMMARY, "2.", "third"]
    assert post(one, 1) == ["You help.", SUMMARY + " And more.", "third"]
    assert one.session == "s-1"


def test_a_compression_in_place_is_found_by_its_archived_rows(newer: State) -> None:
    begun(newer)
    newer.archive("s-1")
    newer.said("s-1", "user", "first")
    newer.said("s-1", "user", "Two files were listed.", _compressed_summary=1)
    newer.said("s-1", "assistant", "2.")
    newer.said("s-1", "user", "third")

    one = only(newer.path)

    assert pre(one) == BEGUN
    assert post(one) == ["You help.", "first", "Two files were listed.", "2."]
    assert texts(one, one.context(len(one.entries)))[-1] == "third"


def test_two_compressions_in_place_are_told_apart(newer: State) -> None:
    begun(newer)
    newer.archive("s-1")
    newer.said("s-1", "user", "first")
    newer.said("s-1", "user", "Sum 1.", _compressed_summary=1)
    newer.said("s-1", "assistant", "2.")
    newer.said("s-1", "user", "third")
    newer.said("s-1", "assistant", "3.")
    newer.archive("s-1")
    newer.said("s-1", "user", "first")
    newer.said("s-1", "user", "Sum 2.", _compressed_summary=1)
    newer.said("s-1", "user", "third")
    newer.said("s-1", "assistant", "3.")

    one = only(newer.path)

    assert pre(one, 0) == BEGUN
    assert post(one, 0) == ["You help.", "first", "Sum 1.", "2."]
    assert pre(one, 1) == ["You help.", "first", "Sum 1.", "2.", "third", "3."]
    assert post(one, 1) == ["You help.", "first", "Sum 2.", "third", "3."]


def test_a_sub_agent_is_its_own_session(state: State) -> None:
    begun(state)
    state.end("s-1")
    state.session("s-2", parent="s-1", model_config='{"_delegate_from": "s-1"}')
    state.said("s-2", "user", "look")

    parent, child = sessions(state.path)

    assert (parent.parent, child.parent, child.session) == (None, "s-1", "s-2")
    assert parent.compactions == []


def test_what_a_branch_copied_is_counted_with_its_origin(state: State) -> None:
    begun(state)
    state.session("s-2", parent="s-1", model_config='{"_branched_from": "s-1"}')
    state.said("s-2", "user", "first")
    state.called("s-2", "c1", "a long listing")
    state.called("s-2", "c2", "another")

    origin, branch = sessions(state.path)

    assert [text for one in (origin, branch) for _, text, _ in calls(one)] == [
        "a long listing",
        "another",
    ]
    assert branch.shared == 3


def test_what_a_person_took_back_is_counted_and_not_told(newer: State) -> None:
    begun(newer)
    newer.said("s-1", "user", "no, wait", active=0)

    one = only(newer.path)

    assert texts(one, range(len(one.entries))) == BEGUN
    assert one.records == 1 + 7


def test_what_was_sent_is_what_was_delivered(newer: State) -> None:
    newer.insert("system_prompts", hash="h", prompt="From the table.")
    newer.session("s-2", system_prompt_hash="h")
    newer.said("s-2", "user", "hi", api_content="hi, with what is remembered")
    newer.said("s-2", "user", '\0json:[{"type":"text","text":"see"},{"type":"image_url"}]')

    (one,) = sessions(newer.path)

    assert texts(one, range(3)) == ["From the table.", "hi, with what is remembered", "see"]


def test_a_compression_in_place_that_kept_nothing_is_read_to_its_end(newer: State) -> None:
    begun(newer)
    newer.archive("s-1")
    newer.said("s-1", "user", "and now the folders")
    newer.said("s-1", "assistant", "There are two.")

    one = only(newer.path)

    assert [entry.message.text for entry in one.entries][-2:] == [
        "and now the folders",
        "There are two.",
    ]

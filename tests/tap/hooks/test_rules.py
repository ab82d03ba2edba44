"""Rules that a compaction may lose are given to the model again, word for word."""

import json

from hypothesis import given
from hypothesis import strategies as st
from tests.sources.claude_sessions import Claude, call

from ullage.tap.hooks.rules import Rules, is_after_compaction, output, restated, said_in

NEVER = "Never push to the main branch."


def compacted() -> Claude:
    """A session with a rule of its user, compacted to a summary without it."""
    talk = Claude()
    talk.user(f"Fix the parser in src/parse.py. {NEVER}")
    talk.says(call("c1", "Bash", command="ls"))
    talk.result("c1", "You must never read this line as a rule.")
    talk.says("I must not forget the tests.")
    talk.boundary(trigger="auto", preTokens=150000)
    talk.summary("This session is being continued: you must always answer in French.")
    return talk


def test_what_the_user_said_as_a_rule_is_found_behind_the_compaction() -> None:
    talk = compacted()

    assert said_in(talk.data(), "s.jsonl") == [NEVER]


def test_a_rule_said_after_the_compaction_counts_too() -> None:
    talk = compacted()
    talk.user("Go on. Do not touch the generated files.")

    assert said_in(talk.data(), "s.jsonl") == [NEVER, "Do not touch the generated files."]


def test_a_rule_that_is_said_twice_is_put_back_once() -> None:
    talk = compacted()
    talk.user(f"Again: go on with the parser. {NEVER}")

    assert said_in(talk.data(), "s.jsonl") == [NEVER]


def test_what_an_agent_was_told_is_not_what_the_user_said() -> None:
    talk = Claude(agent="a1")
    talk.user("Look for the parser. Never write a file.")
    talk.says("done")

    assert said_in(talk.data(), "s.jsonl") == []


def test_what_a_harness_put_into_a_message_is_not_what_the_user_said() -> None:
    talk = Claude()
    talk.user("<system-reminder>You must never say this.</system-reminder>Fix the parser, please.")
    talk.says("done")

    assert said_in(talk.data(), "s.jsonl") == []


def test_the_rules_are_given_word_for_word() -> None:
    found = restated(Rules(pinned={"From .ullage/rules.md": "1. Ask first.\n"}, said=[NEVER]))

    assert found.text.split("\n\n")[1:] == [
        "From .ullage/rules.md:\n1. Ask first.",
        f"What the user said in this session:\n- {NEVER}",
    ]
    assert found.left_out == 0


def test_what_there_is_no_room_for_is_counted() -> None:
    said = [f"Never change file number {number} of the project." for number in range(400)]

    found = restated(Rules(pinned={}, said=said))

    assert len(found.text) <= 9_500
    assert said[-1] in found.text
    assert found.left_out > 0
    assert f"({found.left_out} more rules of the user did not fit" in found.text


@given(
    pinned=st.text(max_size=400),
    said=st.lists(st.text(min_size=1, max_size=300), max_size=60),
)
def test_every_rule_is_in_the_text_or_counted_as_missing(pinned: str, said: list[str]) -> None:
    found = restated(Rules(pinned={"Pinned": pinned}, said=said))

    assert pinned.strip() in found.text
    there = said[found.left_out :]
    assert all(f"- {one}" in found.text for one in there)
    assert len(found.text) <= 9_500


def test_only_a_session_behind_a_compaction_gets_its_rules_again() -> None:
    event = {"hook_event_name": "SessionStart", "source": "compact"}

    assert is_after_compaction(event)
    assert not is_after_compaction({**event, "source": "startup"})
    assert not is_after_compaction({"hook_event_name": "PreCompact"})


def test_the_model_is_given_the_text_in_the_hooks_own_form() -> None:
    assert json.loads(output("rules", "one is missing")) == {
        "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "rules"},
        "systemMessage": "one is missing",
    }

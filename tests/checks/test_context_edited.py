"""What a server does to a history that the request still shows, or does not show."""

from typing import Any

import pytest
from tests.checks.exchanges import (
    MESSAGES,
    RESPONSES,
    TEXT,
    asked,
    edited,
    exchange,
    judged,
    names,
    prompt,
)
from tests.wire.bodies import response, said

PASSES = [{"type": "compaction", "input_tokens": 55_000}, {"type": "message", "input_tokens": 9}]
CLEARED = {"type": "clear_tool_uses_20250919", "cleared_tool_uses": 8, "cleared_input_tokens": 900}


@pytest.mark.parametrize(
    "reply",
    [
        edited(context_management={"applied_edits": [CLEARED]}),
        edited(usage={"iterations": PASSES}, context_management={"applied_edits": []}),
        edited(content=[{"type": "compaction", "content": "S"}, TEXT]),
    ],
)
def test_an_edit_on_the_server_is_reported_by_whatever_shows_it(reply: Any) -> None:
    (found,) = judged(exchange(MESSAGES, asked(), reply))

    assert (found.check, found.severity, found.boundary) == ("context-edited", "warning", "serve")


def test_an_edit_that_was_asked_for_is_a_note() -> None:
    request = asked(context_management={"edits": [{"type": "clear_tool_uses_20250919"}]})
    reply = edited(context_management={"applied_edits": [CLEARED]})

    (found,) = judged(exchange(MESSAGES, request, reply))

    assert found.severity == "note"
    assert (found.evidence["cleared_tool_uses"], found.evidence["cleared_input_tokens"]) == (8, 900)


def test_a_prompt_that_the_server_edited_is_not_held_against_what_was_sent() -> None:
    reply = edited(context_management={"applied_edits": [CLEARED]}, usage={"input_tokens": 100})

    assert names(exchange(MESSAGES, prompt(9_000), reply)) == ["context-edited"]


def test_no_edits_are_none() -> None:
    assert (
        names(exchange(MESSAGES, asked(), edited(context_management={"applied_edits": []}))) == []
    )


def test_an_unknown_prefix_is_noted_once_a_conversation() -> None:
    first = exchange(RESPONSES, {"input": "x"}, response(output=[said("a")]))
    then = {"input": "go on", "previous_response_id": "resp_1"}
    second = exchange(RESPONSES, then, response(output=[said("b")], id="resp_2"), 2)
    elsewhere = {"input": "other", "previous_response_id": "resp_9"}
    third = exchange(RESPONSES, elsewhere, response(output=[said("c")], id="resp_3"), 3)

    (found,) = judged(first, second, third)

    assert (found.check, found.severity, found.source.line) == ("prefix-unknown", "note", 3)

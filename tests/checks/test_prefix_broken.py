"""Requests that do not begin as the one before."""

import json
from dataclasses import replace
from typing import Any

import pytest
from tests.checks.exchanges import (
    CHAT,
    MESSAGES,
    asked,
    chat,
    edited,
    exchange,
    judged,
    names,
    system,
    turns,
    user,
)

from ullage.wire.exchange import Exchange

A = [system("s"), user("task"), {"role": "assistant", "content": "one"}, user("two")]
B = [*A, {"role": "assistant", "content": "three"}, user("four")]


def test_a_request_that_only_adds_keeps_its_prefix() -> None:
    assert names(*turns(A, B)) == []


def test_a_rewritten_message_breaks_the_prefix_there() -> None:
    rewritten = [*B[:2], {"role": "assistant", "content": "ONE"}, *B[3:]]

    (found,) = judged(*turns(A, rewritten))

    assert (found.check, found.boundary) == ("prefix-broken", "retain")
    assert (found.evidence["first_diff"], found.evidence["where"]) == (2, "messages")
    assert found.evidence["before"] == {"exchange": 1, "line": 1}
    kept = sum(len(json.dumps(one, separators=(",", ":"))) for one in A[:2])
    assert found.evidence["prefix_chars_kept"] == kept


def test_tools_that_change_break_all_of_it() -> None:
    tools = [{"type": "function", "function": {"name": "f"}}]
    first = exchange(CHAT, asked(*A, tools=tools), chat(content="a"))
    second = exchange(CHAT, asked(*B, tools=[*tools, *tools]), chat(content="a"), 2)

    (found,) = judged(first, second)

    assert (found.evidence["first_diff"], found.evidence["where"]) == (0, "system text or tools")


def test_a_mark_for_the_cache_that_moves_breaks_nothing() -> None:
    def block(text: str, **more: Any) -> dict[str, Any]:
        return {"role": "user", "content": [{"type": "text", "text": text, **more}]}

    marked = block("task", cache_control={"type": "ephemeral"})
    first = exchange(MESSAGES, asked(marked), edited())
    more = [block("task"), {"role": "assistant", "content": "a"}, block("two")]

    assert names(first, exchange(MESSAGES, asked(*more), edited(), 2)) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (turns(A), turns([*A[:3], user("another")])),  # the same beginning, another question
        (turns(A, model="m1"), turns([*B[:2], user("ONE"), *B[3:]], model="m2")),
        (turns(A), turns([system("title"), *B[1:]], tools=[{"name": "f"}])),
        (turns(A), turns(A[:2])),
    ],
)
def test_another_request_is_not_a_broken_prefix(
    first: list[Exchange], second: list[Exchange]
) -> None:
    assert names(*first, *second) == []


def test_a_request_that_failed_left_no_prefix() -> None:
    failed = replace(turns([user("task"), user("x")])[0], reply=None, failure="429 slow")
    again = exchange(CHAT, asked(user("task"), user("y"), user("z")), chat(content="a"), 2)

    assert names(failed, again) == []

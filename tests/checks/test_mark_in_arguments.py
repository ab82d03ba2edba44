"""Truncation marks in the arguments of calls."""

import json

import pytest
from tests.checks.exchanges import CHAT, asked, call, chat, exchange, judged, names, turns, user


@pytest.mark.parametrize(
    "text",
    [
        "the beginning...[truncated]",
        "head … 2000 characters omitted … tail",
        "head\n[output truncated: 4000 of 9000]\ntail",
        "head\n[4096 characters omitted]\ntail",
        "head\n<12 lines truncated, see the log>",
        "the beginning… [200 of 19013 characters]",
        "Cut to 6000 characters: $.rows 14 of 118 records",
    ],
)
def test_a_truncation_mark_in_arguments_is_reported_with_its_call(text: str) -> None:
    arguments = json.dumps({"path": "a.md", "content": [text]})

    (found,) = judged(exchange(CHAT, asked(), chat(tool_calls=[call(arguments, "w2")])))

    assert (found.check, found.boundary) == ("mark-in-arguments", "retain")
    assert (found.tool, found.call_id) == ("f", "w2")


@pytest.mark.parametrize(
    "text", ["... and so on", "see [1] of 3", "the list was truncated by hand", "a[omitted_rows]"]
)
def test_ordinary_words_are_no_mark(text: str) -> None:
    arguments = json.dumps({"content": text})

    assert names(exchange(CHAT, asked(), chat(tool_calls=[call(arguments)]))) == []


def test_a_call_that_every_request_repeats_is_reported_once() -> None:
    calls = {"role": "assistant", "content": None, "tool_calls": [call('{"a": "x...[truncated]"}')]}
    done = {"role": "tool", "tool_call_id": "c1", "content": "ok"}
    first = [user("task"), calls, done]

    found = names(*turns(first, [*first, {"role": "assistant", "content": "a"}, user("b")]))

    assert found == ["mark-in-arguments"]


def test_arguments_that_do_not_parse_are_looked_into_as_they_are() -> None:
    reply = chat("tool_calls", tool_calls=[call('{"a": "x...[truncated]')])

    assert names(exchange(CHAT, asked(), reply)) == ["arguments-malformed", "mark-in-arguments"]

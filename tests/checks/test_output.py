"""How an answer ended."""

from dataclasses import replace
from typing import Any

import pytest
from tests.checks.exchanges import (
    CHAT,
    GEMINI,
    MESSAGES,
    RESPONSES,
    TEXT,
    asked,
    call,
    chat,
    exchange,
    judged,
    names,
)
from tests.wire.bodies import (
    ANTHROPIC_STREAM,
    CHAT_STREAM,
    candidate,
    chunk,
    piece,
    response,
    said,
    stream,
)

from ullage.wire.failures import NOT_WAITED_FOR

LIMIT: dict[str, Any] = {"incomplete_details": {"reason": "max_output_tokens"}}


@pytest.mark.parametrize(
    ("url", "reply", "check"),
    [
        (CHAT, chat("length", content="half a"), "output-cut"),
        (CHAT, chat("length", content=None, tool_calls=[call('{"a')]), "output-cut"),
        (CHAT, chat("length", content=None), "output-cut-empty"),
        (CHAT, stream(chunk(content="half a"), chunk("length"), done=True), "output-cut"),
        (RESPONSES, response("incomplete", output=[said("half a")], **LIMIT), "output-cut"),
        (RESPONSES, response("incomplete", **LIMIT), "output-cut-empty"),
        (
            MESSAGES,
            {"type": "message", "content": [TEXT], "stop_reason": "max_tokens"},
            "output-cut",
        ),
        (
            MESSAGES,
            {"type": "message", "content": [], "stop_reason": "max_tokens"},
            "output-cut-empty",
        ),
        (GEMINI, candidate({"text": "half a"}, finish="MAX_TOKENS"), "output-cut"),
        (GEMINI, candidate(finish="MAX_TOKENS"), "output-cut-empty"),
        (CHAT, chat(content=" "), "output-empty"),
        (RESPONSES, response(output=[{"type": "reasoning", "summary": []}]), "output-empty"),
        (CHAT, chat("content_filter", content="half a"), "output-stopped"),
        (GEMINI, candidate(finish="SAFETY"), "output-stopped"),
        (CHAT, chat("tool_calls", tool_calls=[call('{"a": two"}')]), "arguments-malformed"),
        (GEMINI, candidate(finish="MALFORMED_FUNCTION_CALL"), "arguments-malformed"),
        (CHAT, CHAT_STREAM[:-200], "stream-incomplete"),
        (MESSAGES, ANTHROPIC_STREAM[:-60], "stream-incomplete"),
        (CHAT, b'{"choices": [{"mess', "stream-incomplete"),
    ],
)
def test_an_answer_that_did_not_end_well_is_one_finding(url: str, reply: Any, check: str) -> None:
    request = {"input": "x"} if url == RESPONSES else asked()
    request = {"contents": [{"parts": [{"text": "x"}]}]} if url == GEMINI else request

    (found,) = judged(exchange(url, request, reply))

    assert (found.check, found.boundary) == (check, "serve")


@pytest.mark.parametrize(
    "reply",
    [
        chat(content="a"),
        chat("tool_calls", content=None, tool_calls=[call("{}")]),
        CHAT_STREAM,
    ],
)
def test_an_answer_that_ended_well_is_none(reply: Any) -> None:
    assert names(exchange(CHAT, asked(), reply)) == []


def test_a_call_that_a_limit_cut_may_not_be_carried_out() -> None:
    (found,) = judged(
        exchange(CHAT, asked(), chat("length", content=None, tool_calls=[call('{"a": "b')]))
    )

    assert (found.check, found.severity) == ("output-cut", "error")
    assert found.evidence["tool_call_usable"] is False


def test_a_call_in_a_broken_stream_may_not_be_carried_out_even_if_it_parses() -> None:
    whole = stream(chunk(tool_calls=[piece("{}", id="c9", function={"name": "drop"})]))

    (found,) = judged(exchange(CHAT, asked(), whole))

    assert found.evidence["tool_call_usable"] is False
    assert found.evidence["calls"] == 1


def test_the_call_of_malformed_arguments_is_named() -> None:
    (found,) = judged(
        exchange(CHAT, asked(), chat("tool_calls", tool_calls=[call("{}"), call("{x", "c2")]))
    )

    assert (found.tool, found.call_id, found.evidence["arguments"]) == ("f", "c2", "{x")


def test_a_background_reply_is_not_empty_and_not_broken() -> None:
    assert names(exchange(RESPONSES, {"input": "x", "background": True}, response("queued"))) == []


def test_a_pause_is_a_note_and_a_refusal_a_warning() -> None:
    def of(stop: str) -> str:
        reply = {"type": "message", "content": [TEXT], "stop_reason": stop}
        (found,) = judged(exchange(MESSAGES, asked(), reply))
        return found.severity

    assert (of("pause_turn"), of("refusal")) == ("note", "warning")


@pytest.mark.parametrize("said", NOT_WAITED_FOR)
def test_a_client_that_did_not_wait_is_a_note(said: str) -> None:
    one = exchange(CHAT, asked(), CHAT_STREAM[:-200])

    (found,) = judged(replace(one, failure=said))

    assert (found.check, found.severity) == ("stream-incomplete", "note")

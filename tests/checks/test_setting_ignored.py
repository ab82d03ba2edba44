"""Settings that had no effect."""

from typing import Any

import pytest
from tests.checks.exchanges import CHAT, RESPONSES, asked, call, chat, exchange, judged, names
from tests.wire.bodies import CALLED, CHAT_STREAM, response, said


@pytest.mark.parametrize(
    ("url", "request_", "reply", "setting"),
    [
        (CHAT, asked(max_tokens=5), chat(content="a", usage=9), "output limit"),
        (CHAT, asked(stream=True), chat(content="a"), "stream"),
        (CHAT, asked(tool_choice="none"), chat(tool_calls=[call("{}")]), "tool_choice"),
        (CHAT, asked(tool_choice="required"), chat(content="a"), "tool_choice"),
        (
            CHAT,
            asked(parallel_tool_calls=False),
            chat(tool_calls=[call("{}"), call("{}", "c2")]),
            "parallel calls",
        ),
        (
            CHAT,
            asked(response_format={"type": "json_object"}),
            chat(content="Sure! {}"),
            "response format",
        ),
        (
            RESPONSES,
            {"input": "x", "truncation": "auto"},
            response(output=[said("a")]),
            "truncation",
        ),
        (
            RESPONSES,
            {"input": "x", "reasoning": {"effort": "high"}},
            response(output=[said("a")], reasoning={"effort": "low"}),
            "reasoning.effort",
        ),
    ],
)
def test_a_setting_that_the_reply_contradicts_is_reported(
    url: str, request_: Any, reply: Any, setting: str
) -> None:
    (found,) = judged(exchange(url, request_, reply))

    assert (found.check, found.evidence["setting"]) == ("setting-ignored", setting)


@pytest.mark.parametrize(
    ("url", "request_", "reply"),
    [
        (CHAT, asked(max_tokens=9), chat(content="a", usage=9)),
        (CHAT, asked(stream=True), CHAT_STREAM),
        (CHAT, asked(tool_choice="required"), chat(tool_calls=[call("{}")])),
        (CHAT, asked(tool_choice="auto"), chat(content="a")),
        (CHAT, asked(response_format={"type": "json_object"}), chat(content="{}")),
        (
            RESPONSES,
            {"input": "x", "truncation": "disabled", "store": None},
            response(output=[said("a")], store=True),
        ),
        (RESPONSES, {"input": "x", "parallel_tool_calls": False}, response(output=[CALLED])),
    ],
)
def test_a_setting_in_force_is_none(url: str, request_: Any, reply: Any) -> None:
    assert names(exchange(url, request_, reply)) == []

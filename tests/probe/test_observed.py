"""Requests of every protocol as the verdict reads them, made by the scripted server's own class."""

import json

import pytest

from ullage.probe.asked import Asked
from ullage.probe.canary import payload
from ullage.probe.case import Case
from ullage.probe.observed import Observed, seen
from ullage.probe.script import Call, Turn
from ullage.probe.target import target_of
from ullage.probe.verdict.judge import judge

CASE = Case(tag="t", kind="result", size=9_000)
MADE = payload(CASE, 0)
CHAT = {
    "tools": [{"type": "function", "function": {"name": "fetch_rows"}}],
    "messages": [
        {"role": "user", "content": "go"},
        {
            "role": "assistant",
            "tool_calls": [
                {"id": "c", "type": "function", "function": {"name": "fetch_rows", "arguments": ""}}
            ],
        },
        {"role": "tool", "tool_call_id": "c", "content": MADE.text},
    ],
}
RESPONSES = {
    "tools": [{"type": "function", "name": "fetch_rows"}],
    "input": [
        {"role": "user", "content": "go"},
        {"type": "function_call", "call_id": "c", "name": "fetch_rows", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c", "output": MADE.text},
    ],
}
ANTHROPIC = {
    "max_tokens": 9,
    "tools": [{"name": "fetch_rows", "input_schema": {}}],
    "messages": [
        {"role": "user", "content": "go"},
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "c", "name": "fetch_rows", "input": {}}],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "c", "content": MADE.text}],
        },
    ],
}
GEMINI = {
    "tools": [{"functionDeclarations": [{"name": "fetch_rows"}]}],
    "contents": [
        {"role": "user", "parts": [{"text": "go"}]},
        {"role": "model", "parts": [{"functionCall": {"name": "fetch_rows", "args": {}}}]},
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"name": "fetch_rows", "response": {"result": MADE.text}}}
            ],
        },
    ],
}
FETCH = Turn(calls=(Call(name="fetch_rows"),))


def asked(number: int, path: str, body: dict[str, object], turn: Turn) -> Asked:
    return Asked(
        number=number,
        target=target_of(path, {}, {}),
        body=body,
        size=len(json.dumps(body)),
        request=None,
        turn=turn,
    )


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/run/t/v1/chat/completions", CHAT),
        ("/run/t/v1/responses", RESPONSES),
        ("/run/t/v1/messages", ANTHROPIC),
        ("/run/t/v1beta/models/gemini-2.0-flash:generateContent", GEMINI),
    ],
)
def test_a_result_is_found_in_every_protocol(path: str, body: dict[str, object]) -> None:
    requests = [asked(1, path, {}, FETCH), asked(2, path, body, Turn(text="done"))]
    worst = judge(Observed(case=CASE, asked=requests, payloads=[MADE])).worst

    read = seen(requests[1])
    assert read is not None
    assert read.tools == ("fetch_rows",)
    assert worst is not None
    assert (worst.role, worst.request, worst.syntax, worst.lost) == ("tool", 2, "valid", False)


def test_a_count_of_tokens_is_no_request_to_the_model() -> None:
    one = asked(1, "/run/t/v1/messages/count_tokens", ANTHROPIC, Turn())

    assert Observed(case=CASE, asked=[one]).seen == ()

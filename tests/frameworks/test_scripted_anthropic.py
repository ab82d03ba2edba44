"""The scripted model, asked by Anthropic's own client."""

from typing import Any

import pytest
from tests.frameworks.harness import Server, module

from ullage.probe.script import Call, Plan, Refusal, Script, Turn

pytestmark = [pytest.mark.slow]

SAYS: Any = [{"role": "user", "content": "list them"}]
TOOLS: Any = [{"name": "fetch", "input_schema": {"type": "object"}}]
ASK: Any = {"model": "claude-x", "max_tokens": 99, "messages": SAYS}
PARALLEL = Turn(
    text="I look.",
    calls=(
        Call(name="fetch", arguments={"page": 1}),
        Call(name="fetch", arguments={"page": 2, "note": "ä🙂" * 9}),
    ),
)
ANSWER = Turn(text="There are 50 invoices. Fünfzig 🙂.")
CUT = Turn(text="There are fif", finish_reason="length")


def client(server: Server, script: Script, *, retries: int = 0) -> Any:
    server.model._default = script
    return module("anthropic").Anthropic(
        base_url=f"{server.url}/run/r", api_key="none", max_retries=retries
    )


def one(turn: Turn, **options: Any) -> Plan:
    return Plan(turns=(turn,), **options)


def inputs(message: Any) -> list[Any]:
    return [block.input for block in message.content if block.type == "tool_use"]


def test_a_conversation(server: Server) -> None:
    with client(server, Plan(turns=(PARALLEL, ANSWER))) as chat:
        first = chat.messages.create(**ASK, tools=TOOLS)
        results = [
            {"type": "tool_result", "tool_use_id": block.id, "content": "[]"}
            for block in first.content
            if block.type == "tool_use"
        ]
        messages = [
            *SAYS,
            {"role": "assistant", "content": first.content},
            {"role": "user", "content": results},
        ]
        last = chat.messages.create(**ASK | {"messages": messages}, tools=TOOLS)

    assert (first.stop_reason, last.stop_reason) == ("tool_use", "end_turn")
    assert first.content[0].text == "I look."
    assert inputs(first) == [call.arguments for call in PARALLEL.calls]
    assert (last.content[0].text, last.model) == (ANSWER.text, "claude-x")
    assert last.usage.input_tokens > first.usage.input_tokens > 0


def test_a_stream_is_put_together_by_the_client(server: Server) -> None:
    with client(server, one(PARALLEL)) as chat:
        with chat.messages.stream(**ASK, tools=TOOLS) as stream:
            pieces = list(stream.text_stream)
            message = stream.get_final_message()
        whole = chat.messages.create(**ASK, tools=TOOLS)

    assert "".join(pieces) == "I look."
    assert inputs(message) == [call.arguments for call in PARALLEL.calls]
    assert message.stop_reason == "tool_use"
    assert (message.usage.input_tokens, message.usage.output_tokens) == (
        whole.usage.input_tokens,
        whole.usage.output_tokens,
    )


def test_a_text_and_a_call_cut_by_length(server: Server) -> None:
    broken = Turn(calls=(Call(name="fetch", arguments='{"page": 1'),), finish_reason="length")
    with client(server, one(CUT)) as chat:
        text = chat.messages.create(**ASK)
    with client(server, one(broken)) as chat:
        whole = chat.messages.create(**ASK, tools=TOOLS)
        with chat.messages.create(**ASK, tools=TOOLS, stream=True) as stream:
            deltas = [event.delta for event in stream if event.type == "content_block_delta"]

    assert (text.stop_reason, text.content[0].text) == ("max_tokens", CUT.text)
    assert (whole.stop_reason, inputs(whole)) == ("max_tokens", [{}])
    assert "".join(delta.partial_json for delta in deltas) == '{"page": 1'


def test_an_overflow_is_the_clients_own_error(server: Server) -> None:
    with (
        client(server, one(ANSWER, window=2)) as chat,
        pytest.raises(module("anthropic").BadRequestError, match="too long: 3 tokens > 2 maximum"),
    ):
        chat.messages.create(**ASK)


@pytest.mark.parametrize(
    ("status", "error"),
    [(429, "RateLimitError"), (500, "InternalServerError"), (529, "OverloadedError")],
)
def test_a_failure_is_raised_and_a_client_that_tries_again_is_answered(
    server: Server, status: int, error: str
) -> None:
    refused = Turn(refused=Refusal(status=status, kind="planned", message="scripted"))
    plan = Plan(turns=(refused, ANSWER))
    kind = getattr(module("anthropic"), error)
    with client(server, plan) as chat, pytest.raises(kind) as failed:
        chat.messages.create(**ASK)
    server.model.failed.clear()
    with client(server, plan, retries=1) as chat:
        answer = chat.messages.create(**ASK)

    assert failed.value.status_code == status
    assert answer.content[0].text == ANSWER.text


def test_a_prompt_is_counted(server: Server) -> None:
    with client(server, one(ANSWER)) as chat:
        counted = chat.messages.count_tokens(model="claude-x", messages=SAYS)

    assert counted.input_tokens == 3


def test_the_models_are_listed_and_any_name_is_one(server: Server) -> None:
    with client(server, one(ANSWER)) as chat:
        assert [model.id for model in chat.models.list()] == ["scripted"]
        assert chat.models.retrieve("claude-x").display_name == "claude-x"

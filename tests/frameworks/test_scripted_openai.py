"""The scripted model, asked by OpenAI's own client: chat completions and Responses."""

import json
from typing import Any

import openai
import pytest
from openai import OpenAI
from tests.frameworks.harness import Server

from ullage.probe.script import Call, Plan, Refusal, Script, Turn, first_tool_each_turn

pytestmark = [pytest.mark.slow]

SAYS: Any = [{"role": "user", "content": "list them"}]
SCHEMA = {"type": "object", "properties": {"page": {"type": "integer"}}}
CHAT_TOOLS: Any = [{"type": "function", "function": {"name": "fetch", "parameters": SCHEMA}}]
TOOLS: Any = [{"type": "function", "name": "fetch", "parameters": SCHEMA, "strict": False}]
PARALLEL = Turn(
    calls=(
        Call(name="fetch", arguments={"page": 1}),
        Call(name="fetch", arguments={"page": 2, "note": "ä🙂" * 9}),
    )
)
ANSWER = Turn(text="There are 50 invoices. Fünfzig 🙂.")
CUT = Turn(text="There are fif", finish_reason="length")
CUT_CALL = Turn(calls=(Call(name="fetch", arguments='{"page": 1'),), finish_reason="length")
PLAN = Plan(turns=(PARALLEL, ANSWER))


def client(server: Server, script: Script, *, path: str = "/v1", retries: int = 0) -> OpenAI:
    server.model._default = script
    return OpenAI(base_url=f"{server.url}/run/r{path}", api_key="none", max_retries=retries)


def one(turn: Turn, **options: Any) -> Plan:
    return Plan(turns=(turn,), **options)


@pytest.mark.parametrize("path", ["/v1", ""])
def test_a_conversation_of_chat_completions(server: Server, path: str) -> None:
    with client(server, PLAN, path=path) as chat:
        first = chat.chat.completions.create(model="gpt-x", messages=SAYS, tools=CHAT_TOOLS)
        message = first.choices[0].message
        called = message.tool_calls or []
        results = [{"role": "tool", "tool_call_id": one.id, "content": "[]"} for one in called]
        messages: Any = [*SAYS, message.model_dump(exclude_none=True), *results]
        last = chat.chat.completions.create(model="gpt-x", messages=messages, tools=CHAT_TOOLS)

    assert first.choices[0].finish_reason == "tool_calls"
    assert arguments(called) == [call.arguments for call in PARALLEL.calls]
    assert (last.choices[0].message.content, last.model) == (ANSWER.text, "gpt-x")
    assert [asked.run for asked in server.model.asked] == ["r", "r"]


def arguments(called: Any) -> list[Any]:
    return [json.loads(one.function.arguments) for one in called]


def test_a_stream_of_chat_completions_is_put_together_by_the_client(server: Server) -> None:
    with client(server, one(PARALLEL)) as chat:
        options: Any = {"stream_options": {"include_usage": True}}
        with chat.chat.completions.stream(
            model="gpt-x", messages=SAYS, tools=CHAT_TOOLS, **options
        ) as stream:
            found = stream.get_final_completion()
    with (
        client(server, one(ANSWER)) as chat,
        chat.chat.completions.stream(model="gpt-x", messages=SAYS) as stream,
    ):
        text = stream.get_final_completion().choices[0].message.content

    assert arguments(found.choices[0].message.tool_calls) == [
        call.arguments for call in PARALLEL.calls
    ]
    assert found.usage is not None
    assert text == ANSWER.text


def test_chat_completions_cut_by_length(server: Server) -> None:
    with client(server, one(CUT)) as chat:
        text = chat.chat.completions.create(model="m", messages=SAYS).choices[0]
    with client(server, one(CUT_CALL)) as chat:
        call = chat.chat.completions.create(model="m", messages=SAYS, tools=CHAT_TOOLS).choices[0]

    assert (text.finish_reason, text.message.content) == ("length", CUT.text)
    assert call.finish_reason == "length"
    found: Any = call.message.tool_calls
    assert [one.function.arguments for one in found] == ['{"page": 1']


def test_an_overflow_of_chat_is_the_clients_own_error(server: Server) -> None:
    with (
        client(server, one(ANSWER, window=2)) as chat,
        pytest.raises(openai.BadRequestError, match="maximum context length is 2") as failed,
    ):
        chat.chat.completions.create(model="m", messages=SAYS)

    assert (failed.value.code, failed.value.param) == ("context_length_exceeded", "messages")


@pytest.mark.parametrize(
    ("status", "error"),
    [(429, openai.RateLimitError), (500, openai.InternalServerError)],
)
def test_a_failure_is_raised_and_a_client_that_tries_again_is_answered(
    server: Server, status: int, error: type[Exception]
) -> None:
    refused = Turn(refused=Refusal(status=status, kind="planned", message="scripted"))
    with client(server, Plan(turns=(refused, ANSWER))) as chat, pytest.raises(error):
        chat.chat.completions.create(model="m", messages=SAYS)
    server.model.failed.clear()
    with client(server, Plan(turns=(refused, ANSWER)), retries=1) as chat:
        answer = chat.chat.completions.create(model="m", messages=SAYS)

    assert answer.choices[0].message.content == ANSWER.text
    asked = [one.turn.refused is not None for one in server.model.asked if one.turn]
    assert asked == [True, True, False]


@pytest.mark.parametrize("path", ["/v1", ""])
def test_a_conversation_of_responses(server: Server, path: str) -> None:
    with client(server, PLAN, path=path) as chat:
        first = chat.responses.create(model="gpt-x", input=SAYS, tools=TOOLS)
        called = [item for item in first.output if item.type == "function_call"]
        items: Any = [*SAYS, *first.output, *results(called)]
        last = chat.responses.create(model="gpt-x", input=items, tools=TOOLS)

    assert [json.loads(one.arguments) for one in called] == [
        call.arguments for call in PARALLEL.calls
    ]
    assert (first.status, last.status) == ("completed", "completed")
    assert (last.output_text, last.model) == (ANSWER.text, "gpt-x")
    assert last.usage is not None
    assert last.usage.total_tokens > last.usage.input_tokens > 0


def results(called: Any) -> list[Any]:
    return [
        {"type": "function_call_output", "call_id": one.call_id, "output": "[]"} for one in called
    ]


def test_responses_that_go_on_by_the_id_of_the_last_one(server: Server) -> None:
    said: list[str] = []
    with client(server, first_tool_each_turn) as chat:
        previous: Any = openai.omit
        for question in ("list them", "and more"):
            items: Any = question
            for _ in range(2):
                reply = chat.responses.create(
                    model="m", input=items, tools=TOOLS, previous_response_id=previous
                )
                called = [item for item in reply.output if item.type == "function_call"]
                said.append("fetch" if called else reply.output_text)
                previous, items = reply.id, results(called)

    assert said == ["fetch", "done"] * 2
    requests = [one.request for one in server.model.asked]
    assert [one.assistant_messages for one in requests if one] == [0, 1, 2, 3]


def test_a_response_that_is_not_held_is_the_clients_own_error(server: Server) -> None:
    with (
        client(server, one(ANSWER)) as chat,
        pytest.raises(openai.BadRequestError, match="'resp_x' not found") as failed,
    ):
        chat.responses.create(model="m", input="more", previous_response_id="resp_x")

    assert failed.value.code == "previous_response_not_found"


def test_a_stream_of_responses_is_put_together_by_the_client(server: Server) -> None:
    with (
        client(server, one(PARALLEL)) as chat,
        chat.responses.stream(model="gpt-x", input=SAYS, tools=TOOLS) as stream,
    ):
        kinds = [event.type for event in stream]
        found = stream.get_final_response()
    with (
        client(server, one(ANSWER)) as chat,
        chat.responses.stream(model="gpt-x", input=SAYS) as stream,
    ):
        deltas = [one.delta for one in stream if one.type == "response.output_text.delta"]
        text = stream.get_final_response().output_text

    called = [item for item in found.output if item.type == "function_call"]
    assert [json.loads(one.arguments) for one in called] == [
        call.arguments for call in PARALLEL.calls
    ]
    assert kinds.count("response.function_call_arguments.delta") > 4
    assert ("".join(deltas), text) == (ANSWER.text, ANSWER.text)


@pytest.mark.parametrize("turn", [CUT, CUT_CALL])
def test_responses_cut_by_length(server: Server, turn: Turn) -> None:
    with client(server, one(turn)) as chat:
        whole = chat.responses.create(model="m", input=SAYS, tools=TOOLS)
        with chat.responses.stream(model="m", input=SAYS, tools=TOOLS) as stream:
            last = list(stream)[-1]

    assert last.type == "response.incomplete"
    for reply in (whole, last.response):
        assert reply.status == "incomplete"
        assert reply.incomplete_details is not None
        assert reply.incomplete_details.reason == "max_output_tokens"


def test_an_overflow_of_responses_is_the_clients_own_error(server: Server) -> None:
    with (
        client(server, one(ANSWER, window=2)) as chat,
        pytest.raises(openai.BadRequestError, match="context window") as failed,
    ):
        chat.responses.create(model="m", input=SAYS, stream=True)

    assert failed.value.code == "context_length_exceeded"


def test_a_history_of_responses_is_compacted_and_counted(server: Server) -> None:
    with client(server, one(ANSWER)) as chat:
        compacted = chat.responses.compact(model="gpt-x", input=SAYS)
        counted = chat.responses.input_tokens.count(model="gpt-x", input=SAYS)
        items: Any = [
            item.model_dump(exclude_none=True, warnings=False) for item in compacted.output
        ]
        after = chat.responses.create(model="gpt-x", input=items)

    assert [item["type"] for item in items] == ["message", "compaction"]
    assert counted.input_tokens == compacted.usage.input_tokens == 3
    assert after.output_text == ANSWER.text
    assert [one.target.kind for one in server.model.asked] == ["compact", "count", "turn"]


def test_openais_models_are_listed_and_any_name_is_one(server: Server) -> None:
    with client(server, PLAN) as chat:
        assert [model.id for model in chat.models.list()] == ["scripted"]
        assert chat.models.retrieve("gpt-x").id == "gpt-x"

"""The scripted model, asked by Google's own client."""

import json
import urllib.request
from typing import Any

import pytest
from tests.frameworks.harness import Server, module

from ullage.probe.script import Call, Plan, Refusal, Script, Turn

pytestmark = [pytest.mark.slow]

SCHEMA = {"type": "object", "properties": {"page": {"type": "integer"}}}
TOOLS: Any = {
    "tools": [{"function_declarations": [{"name": "fetch", "parameters_json_schema": SCHEMA}]}]
}
PARALLEL = Turn(
    calls=(
        Call(name="fetch", arguments={"page": 1}),
        Call(name="fetch", arguments={"page": 2, "note": "ä🙂" * 9}),
    )
)
ANSWER = Turn(text="There are 50 invoices. Fünfzig 🙂.")


def client(server: Server, script: Script) -> Any:
    server.model._default = script
    options = {"base_url": f"{server.url}/run/r"}
    return module("google.genai").Client(api_key="none", http_options=options)


def one(turn: Turn, **options: Any) -> Plan:
    return Plan(turns=(turn,), **options)


def ask(chat: Any, contents: Any = "list them", **config: Any) -> Any:
    return chat.models.generate_content(model="gemini-x", contents=contents, config=config or None)


def streaming(chat: Any, **config: Any) -> Any:
    return chat.models.generate_content_stream(
        model="gemini-x", contents="list them", config=config or None
    )


def test_a_conversation(server: Server) -> None:
    chat = client(server, Plan(turns=(PARALLEL, ANSWER)))
    types = module("google.genai").types
    first = ask(chat, **TOOLS)
    results = [
        types.Part(
            function_response=types.FunctionResponse(
                id=call.id, name=call.name, response={"result": "[]"}
            )
        )
        for call in first.function_calls
    ]
    said = types.Content(role="user", parts=[types.Part(text="list them")])
    history = [said, first.candidates[0].content, types.Content(role="user", parts=results)]
    last = ask(chat, history, **TOOLS)

    assert [call.args for call in first.function_calls] == [
        call.arguments for call in PARALLEL.calls
    ]
    assert (last.text, last.model_version) == (ANSWER.text, "gemini-x")
    assert last.candidates[0].finish_reason == "STOP"
    assert last.usage_metadata.total_token_count > last.usage_metadata.prompt_token_count > 0
    asked = [one.request for one in server.model.asked if one.request]
    assert [(one.assistant_messages, one.answered) for one in asked] == [(0, False), (1, True)]


def test_a_stream_is_put_together_by_the_client(server: Server) -> None:
    chat = client(server, one(ANSWER))
    texts = list(streaming(chat))
    server.model._default = one(PARALLEL)
    calls = list(streaming(chat, **TOOLS))

    assert "".join(chunk.text for chunk in texts) == ANSWER.text
    assert len(texts) > 3
    assert texts[-1].usage_metadata.candidates_token_count == (len(ANSWER.text) + 3) // 4
    found = [call.args for chunk in calls for call in chunk.function_calls or []]
    assert found == [call.arguments for call in PARALLEL.calls]


def test_a_chat_that_streams_counts_each_reply_once(server: Server) -> None:
    opened = client(server, Plan(turns=(ANSWER, Turn(text="second"))))
    chat = opened.chats.create(model="gemini-x")

    for _ in chat.send_message_stream("hello"):
        pass

    assert chat.send_message("more").text == "second"


def test_the_client_calls_a_function_of_its_own_accord(server: Server) -> None:
    def fetch(page: int) -> str:
        """Fetch a page."""
        return f"page {page}"

    chat = client(server, Plan(turns=(Turn(calls=PARALLEL.calls[:1]), ANSWER)))

    assert ask(chat, tools=[fetch]).text == ANSWER.text
    assert "page 1" in json.dumps(server.model.asked[-1].body)


def test_a_text_cut_by_length(server: Server) -> None:
    reply = ask(client(server, one(Turn(text="There are fif", finish_reason="length"))))

    assert (reply.text, reply.candidates[0].finish_reason) == ("There are fif", "MAX_TOKENS")


@pytest.mark.parametrize("streamed", [False, True])
def test_an_overflow_is_the_clients_own_error(server: Server, streamed: bool) -> None:
    chat = client(server, one(ANSWER, window=2))
    errors = module("google.genai").errors

    with pytest.raises(errors.ClientError, match=r"input token count \(3\) exceeds") as failed:
        list(streaming(chat)) if streamed else ask(chat)

    assert (failed.value.code, failed.value.status) == (400, "INVALID_ARGUMENT")


@pytest.mark.parametrize(
    ("status", "error", "word"),
    [(429, "ClientError", "RESOURCE_EXHAUSTED"), (500, "ServerError", "INTERNAL")],
)
def test_a_failure_is_the_clients_own_error(
    server: Server, status: int, error: str, word: str
) -> None:
    refused = Turn(refused=Refusal(status=status, kind="planned", message="scripted"))
    chat = client(server, Plan(turns=(refused, ANSWER)))

    with pytest.raises(getattr(module("google.genai").errors, error)) as failed:
        ask(chat)

    assert (failed.value.code, failed.value.status) == (status, word)
    assert ask(chat).text == ANSWER.text


def test_a_prompt_is_counted(server: Server) -> None:
    chat = client(server, one(ANSWER))

    assert chat.models.count_tokens(model="gemini-x", contents="list them").total_tokens == 3


def test_the_models_are_listed_and_any_name_is_one(server: Server) -> None:
    chat = client(server, one(ANSWER))

    assert [model.name for model in chat.models.list()] == ["models/scripted"]
    assert chat.models.get(model="gemini-x").name == "models/gemini-x"


def test_a_stream_without_events_is_one_list(server: Server) -> None:
    server.model._default = one(ANSWER)
    body = json.dumps({"contents": [{"parts": [{"text": "hello"}]}]}).encode()
    url = f"{server.url}/v1/models/gemini-x:streamGenerateContent"
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})

    with urllib.request.urlopen(request, timeout=10) as answer:
        documents = json.load(answer)

    parts = [one["candidates"][0]["content"]["parts"][0]["text"] for one in documents]
    assert "".join(parts) == ANSWER.text

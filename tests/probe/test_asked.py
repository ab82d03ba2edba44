"""What was asked and answered, as exchanges that every check can read."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.probe.protocol_bodies import ANTHROPIC, CHAT, CLIENTS, GEMINI, RESPONSES, Client

from ullage.probe.asked import answer_of, exchange_of
from ullage.probe.held import HeldReplies
from ullage.probe.script import Call, Plan, Turn
from ullage.probe.server import ScriptedModel
from ullage.probe.target import target_of
from ullage.transcript.message import Message

each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda one: str(one.protocol))
DONE = Turn(text="done")


def raw(client: Client, *said: str, **members: Any) -> bytes:
    items = [client.says(one) for one in said]
    return json.dumps(client.asked(items, ("fetch",)) | members).encode()


@each_client
@pytest.mark.parametrize("stream", [False, True])
def test_a_request_and_its_reply_are_an_exchange(client: Client, stream: bool) -> None:
    model = ScriptedModel()
    body = raw(client, "list them", stream=stream)
    path = f"/run/a%20b{client.path}"
    if stream and client is GEMINI:
        path = path.replace(":generate", ":streamGenerate")

    asked = model.ask(target_of(path, {}, {}), body)
    one = exchange_of(asked)

    assert (one.session, one.number, one.kind, one.cohort) == ("a b", 1, "turn", "scripted")
    assert one.request is not None
    assert [message.text for message in one.request.messages] == ["list them"]
    assert one.request.model == json.loads(body).get("model", "gemini-x")
    assert one.reply is not None
    assert [call.name for call in one.reply.message.calls] == ["fetch"]
    assert one.reply.streamed == stream
    assert (one.failure, asked.status, asked.size) == (None, 200, len(body))
    assert list(model.asked) == [asked]


@each_client
def test_an_error_is_a_failure_with_the_words_that_the_client_got(client: Client) -> None:
    model = ScriptedModel(default=Plan(turns=(DONE,), window=1))

    one = exchange_of(model.ask(client.target, raw(client, "x" * 400)))

    assert one.reply is None
    assert one.request is not None
    assert one.failure is not None
    assert one.failure.startswith("400 ")
    assert len(one.failure) > 40


@each_client
@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"{", "is not JSON"),
        (b"\xff", "is not JSON"),
        (b"[]", "is not an object"),
        (b'{"a": ' + b"[" * 200_000, "nested too deeply"),
    ],
)
def test_a_body_that_cannot_be_read_is_kept_with_its_size(
    client: Client, body: bytes, says: str
) -> None:
    model = ScriptedModel()

    asked = model.ask(client.target, body)

    assert (asked.size, asked.body, asked.request) == (len(body), {}, None)
    assert (asked.status, answer_of(asked).status) == (400, 400)
    assert says in str(exchange_of(asked).failure)


# fmt: off
NAMES = st.sampled_from([
    "model", "messages", "input", "contents", "tools", "functionDeclarations", "function",
    "name", "parameters", "role", "parts", "content", "text", "type", "stream",
    "stream_options", "include_usage", "instructions", "previous_response_id", "tool_calls",
    "arguments", "call_id", "output", "functionCall", "args", "system", "user", "assistant",
    "tool"
])
# fmt: on
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | NAMES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=20,
)


@each_client
@given(body=st.dictionaries(NAMES, ODD, max_size=6))
def test_any_object_is_answered_and_is_an_exchange(client: Client, body: dict[str, Any]) -> None:
    asked = ScriptedModel().ask(client.target, json.dumps(body).encode())

    one = exchange_of(asked)

    assert asked.status in (200, 400)
    assert (one.reply is None) == (asked.status == 400)
    assert one.reply is None or one.reply.not_understood == 0


def test_a_path_that_no_protocol_has_is_kept_as_well() -> None:
    model = ScriptedModel()

    asked = model.ask(target_of("/run/r/v1/embeddings", {}, {}), b'{"input": "x"}')

    one = exchange_of(asked)
    assert (one.session, one.kind, one.path) == ("r", None, "/v1/embeddings")
    assert "404 scripted model server: POST /v1/embeddings" in str(one.failure)


def test_a_count_and_a_compaction_ask_no_script() -> None:
    model = ScriptedModel(default=Plan(turns=(Turn(calls=(Call(name="fetch"),)),)))
    paths = ("/v1/responses/input_tokens", "/v1/responses/compact")

    kept = [model.ask(target_of(path, {}, {}), raw(RESPONSES, "hello")) for path in paths]

    assert [one.turn for one in kept] == [None, None]
    assert model.tool_calls == {}
    counted, compacted = map(exchange_of, kept)
    assert (counted.kind, compacted.kind) == ("count", "compact")
    assert counted.reply is not None
    assert counted.reply.usage is not None
    assert counted.reply.usage.input == kept[0].request.tokens  # type: ignore[union-attr]  # read
    assert compacted.reply is not None
    assert compacted.reply.compaction is not None


def test_gemini_counts_a_whole_request_that_is_wrapped() -> None:
    model = ScriptedModel()
    target = target_of("/v1beta/models/gemini-x:countTokens", {}, {})
    wrapped = json.dumps({"generateContentRequest": json.loads(raw(GEMINI, "x" * 400))}).encode()

    request = model.ask(target, wrapped).request

    assert request is not None
    assert request.tokens > 100


def follow(model: ScriptedModel, run: str, previous: str | None, **members: Any) -> Any:
    target = target_of(f"/run/{run}/v1/responses", {}, {})
    if previous is not None:
        members["previous_response_id"] = previous
    asked = model.ask(target, raw(RESPONSES, "more", **members))
    return asked, json.loads(b"".join(answer_of(asked).pieces))


def test_what_a_response_stands_for_is_counted_in() -> None:
    model = ScriptedModel(default=Plan(turns=(DONE,)))

    _, first = follow(model, "r", None, instructions="Be short.")
    asked, _ = follow(model, "r", first["id"], instructions="Be long.")

    said = [(one.role, one.text) for one in asked.request.messages]
    assert said == [
        ("system", "Be long."),
        ("user", "more"),
        ("assistant", "done"),
        ("user", "more"),
    ]


def test_a_response_of_another_run_or_one_that_is_not_stored_is_not_held() -> None:
    model = ScriptedModel(default=Plan(turns=(DONE,)))
    _, stored = follow(model, "r", None)
    _, other = follow(model, "r", None, store=False, user="other")

    for run, previous in (("other", stored["id"]), ("r", other["id"])):
        asked, answer = follow(model, run, previous)
        assert answer["error"]["code"] == "previous_response_not_found"
        assert "the last 1000 stored responses" in answer["error"]["message"]
        assert asked.turn.refused.status == 400


def test_the_oldest_replies_are_held_no_longer() -> None:
    held = HeldReplies(most=2)
    for name in ("a", "b", "a", "c"):
        held.hold("r", name, [Message(role="user", text=name)])

    assert [held.before("r", name) is not None for name in "abc"] == [True, False, True]
    assert held.before("other", "a") is None


def test_failures_are_counted_by_the_plan_alone() -> None:
    model = ScriptedModel(default=Plan(turns=(DONE,), window=1))
    model.ask(CHAT.target, raw(CHAT, "x" * 99))
    model.ask(CHAT.target, b"{")
    model.ask(ANTHROPIC.target, raw(ANTHROPIC, "x" * 99))

    assert model.failed == {}

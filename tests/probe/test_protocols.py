"""In every protocol: what a turn says is what our own readers find, streamed or not."""

import json
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.probe.protocol_bodies import ANTHROPIC, CHAT, CLIENTS, GEMINI, RESPONSES, Client

from ullage.probe.protocols import PROTOCOLS
from ullage.probe.request import Tool, read_request
from ullage.probe.script import Call, FinishReason, Plan, Refusal, Turn, first_tool_each_turn
from ullage.wire.events import events
from ullage.wire.readers import reader_of
from ullage.wire.reply import Reply

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
CALLS = st.builds(
    Call,
    name=TEXTS.filter(bool),
    arguments=st.dictionaries(TEXTS, VALUES, max_size=3),
)
TURNS = st.one_of(
    st.builds(Turn, text=TEXTS),
    st.builds(Turn, text=TEXTS, calls=st.lists(CALLS, min_size=1, max_size=3).map(tuple)),
)
each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda one: str(one.protocol))


def read(client: Client, body: bytes) -> Reply:
    reader = reader_of(client.path)
    assert reader is not None
    return reader.read_reply(body)


def whole(client: Client, turn: Turn, items: list[Any] | None = None) -> Reply:
    request = client.request(items or [client.says("hello")])
    return read(client, json.dumps(PROTOCOLS[client.protocol].whole(turn, request)).encode())


def streamed(client: Client, turn: Turn) -> Reply:
    return read(client, client.streamed(turn, client.request([client.says("hello")])))


def calls_in(reply: Reply) -> list[tuple[str, Any]]:
    return [(one.name, json.loads(one.arguments)) for one in reply.message.calls]


@each_client
@given(turn=TURNS)
def test_what_a_turn_says_is_what_our_reader_finds(client: Client, turn: Turn) -> None:
    reply = whole(client, turn)

    assert reply.message.text == turn.text
    assert calls_in(reply) == [(one.name, one.arguments) for one in turn.calls]
    assert reply.label == ("complete" if turn.text.strip() or turn.calls else "empty")
    assert reply.not_understood == 0


@each_client
@given(turn=TURNS)
def test_a_stream_says_what_the_whole_reply_says(client: Client, turn: Turn) -> None:
    once, streaming = whole(client, turn), streamed(client, turn)

    assert streaming.message.text == once.message.text
    assert calls_in(streaming) == calls_in(once)
    assert [one.call_id for one in streaming.message.calls] == [
        one.call_id for one in once.message.calls
    ]
    assert streaming.usage == once.usage
    assert (streaming.finish_reason, streaming.label) == (once.finish_reason, once.label)
    assert (streaming.streamed, once.streamed) == (True, False)
    assert streaming.not_understood == 0


@given(turn=TURNS)
def test_geminis_stream_as_one_list_says_what_its_events_say(turn: Turn) -> None:
    request = GEMINI.request([GEMINI.says("hello")])
    listed = replace(request, stream=True, listed=True)

    body = b"".join(PROTOCOLS["gemini"].events(turn, listed))

    documents = [json.loads(one.data) for one in events(GEMINI.streamed(turn, request))]
    assert json.loads(body) == documents
    assert read(GEMINI, body).message == streamed(GEMINI, turn).message


@each_client
def test_a_long_text_and_long_arguments_come_in_several_pieces(client: Client) -> None:
    text = streamed(client, Turn(text="x" * 70))
    body = client.streamed(Turn(text="x" * 70), client.request([client.says("hello")]))

    assert text.message.text == "x" * 70
    assert len([one for one in events(body) if '"xxxxxxx"' in one.data]) == 10


@each_client
def test_usage_is_a_quarter_of_the_characters(client: Client) -> None:
    usage = whole(client, Turn(text="y" * 9), [client.says("x" * 4001)]).usage

    assert usage is not None
    assert (usage.input, usage.output) == (math.ceil(4001 / 4), 3)


WORDS: list[tuple[Client, FinishReason, str, str]] = [
    (CHAT, "length", "length", "cut-by-limit"),
    (RESPONSES, "length", "max_output_tokens", "cut-by-limit"),
    (ANTHROPIC, "length", "max_tokens", "cut-by-limit"),
    (GEMINI, "length", "MAX_TOKENS", "cut-by-limit"),
    (CHAT, "content_filter", "content_filter", "cut-by-server"),
    (RESPONSES, "content_filter", "content_filter", "cut-by-server"),
    (ANTHROPIC, "content_filter", "refusal", "cut-by-server"),
    (GEMINI, "content_filter", "SAFETY", "cut-by-server"),
]


@pytest.mark.parametrize(("client", "reason", "word", "label"), WORDS)
def test_an_end_has_the_word_of_its_protocol(
    client: Client, reason: FinishReason, word: str, label: str
) -> None:
    turn = Turn(text="There are fif", finish_reason=reason)

    for reply in (whole(client, turn), streamed(client, turn)):
        assert (reply.finish_reason, reply.label) == (word, label)
        assert reply.message.text == "There are fif"


CUT = Turn(calls=(Call(name="f", arguments='{"query": "inv'),), finish_reason="length")


@each_client
def test_a_call_that_is_cut_short_is_a_reply_cut_by_the_limit(client: Client) -> None:
    assert {whole(client, CUT).label, streamed(client, CUT).label} == {"cut-by-limit"}


@pytest.mark.parametrize("client", [CHAT, RESPONSES, ANTHROPIC], ids=lambda one: str(one.protocol))
def test_a_stream_holds_the_pieces_of_a_call_that_is_cut_short(client: Client) -> None:
    assert [one.arguments for one in streamed(client, CUT).message.calls] == ['{"query": "inv']


def test_gemini_gives_no_call_that_is_not_whole_and_says_why() -> None:
    broken = replace(CUT, finish_reason=None)

    for reply in (whole(GEMINI, broken), streamed(GEMINI, broken)):
        assert reply.message.calls == ()
        assert reply.finish_reason == "MALFORMED_FUNCTION_CALL"
    assert whole(GEMINI, CUT).finish_reason == "MAX_TOKENS"


TOOLS = ("fetch", "search")
FETCHES, DONE = Turn(calls=(Call(name="fetch"),)), Turn(text="done")


def after(client: Client, items: list[Any], turn: Turn) -> list[Any]:
    """A history after our reply to it, and the results of its calls."""
    request = client.request(items, TOOLS)
    called = [
        client.result(f"call_{request.assistant_messages}_{request.fingerprint}_{n}", "[]")
        for n, _ in enumerate(turn.calls)
    ]
    return [*items, *client.answered(turn, request), *called]


@each_client
def test_the_tools_are_read_with_their_parameters(client: Client) -> None:
    request = client.request([client.says("list them")], TOOLS)

    schema = {"type": "object", "properties": {"page": {"type": "integer"}}}
    assert request.definitions == tuple(Tool(name=one, parameters=schema) for one in TOOLS)
    assert request.tools == TOOLS
    assert client.request([client.says("hello")]).tools is None


@each_client
def test_parallel_calls_are_one_reply_and_their_results_answer_it(client: Client) -> None:
    twice = Turn(text="I look.", calls=(Call(name="fetch"), Call(name="search")))
    items = after(client, [client.says("list them")], twice)

    request = client.request(items, TOOLS)

    assert (request.assistant_messages, request.turn_messages, request.answered) == (1, 1, True)
    assert request.last_user == "list them"
    assert [one.text for one in request.messages if one.role == "tool"] == ["[]", "[]"]


@each_client
def test_a_tool_is_called_once_a_turn_in_every_protocol(client: Client) -> None:
    items, said = [client.says("list them")], []
    for question in ("and then", "at last"):
        for _ in range(2):
            turn = first_tool_each_turn(client.request(items, TOOLS))
            said.append(turn)
            items = after(client, items, turn)
        items.append(client.says(question))

    assert said == [FETCHES, DONE] * 2
    assert not client.request(items, TOOLS).answered


@each_client
def test_a_plan_may_start_anew_with_each_thing_that_the_user_says(client: Client) -> None:
    plan = Plan(turns=(FETCHES, FETCHES, Turn(text="listed")), each_user_turn=True)
    items, said = [], []
    for question in ("one", "two"):
        items.append(client.says(question))
        for _ in range(3):
            said.append(plan(client.request(items, TOOLS)))
            items = after(client, items, said[-1])

    assert said == [*plan.turns] * 2


@each_client
def test_a_result_in_the_users_words_answers_a_call_of_ours(client: Client) -> None:
    history = after(client, [client.says("list them")], FETCHES)[:-1]

    request = client.request([*history, client.says("Observation: []")], TOOLS)

    assert request.answered
    assert request.turn_messages == 1


@each_client
def test_the_model_that_was_asked_for_answers(client: Client) -> None:
    name = whole(client, DONE).model

    assert name in ("gpt-x", "claude-x", "gemini-x")


OVERFLOWS = {
    "openai-chat": "maximum context length is 1000 tokens",
    "openai-responses": "exceeds the context window",
    "anthropic": "prompt is too long: 1250 tokens > 1000 maximum",
    "gemini": "input token count (1250) exceeds the maximum number of tokens allowed (1000)",
}


@each_client
def test_a_prompt_above_the_window_is_refused_in_the_providers_words(client: Client) -> None:
    plan = Plan(turns=(DONE,), window=1000)

    assert plan(client.request([client.says("x" * 4000)])) == DONE
    refused = plan(client.request([client.says("x" * 5000)])).refused

    assert refused == Refusal(status=400, kind="overflow", tokens=1250, window=1000)
    assert OVERFLOWS[client.protocol] in json.dumps(PROTOCOLS[client.protocol].error(refused))


RATE_LIMITS = {
    "openai-chat": "rate_limit_exceeded",
    "openai-responses": "rate_limit_exceeded",
    "anthropic": "rate_limit_error",
    "gemini": "RESOURCE_EXHAUSTED",
}


@each_client
def test_too_many_requests_have_the_providers_word(client: Client) -> None:
    error = PROTOCOLS[client.protocol].error(Refusal(status=429, kind="planned", message="x"))

    assert f'"{RATE_LIMITS[client.protocol]}"' in json.dumps(error)


def test_the_events_of_responses_are_numbered_and_named() -> None:
    body = RESPONSES.streamed(FETCHES, RESPONSES.request([RESPONSES.says("hello")]))
    found = [(one.name, json.loads(one.data)) for one in events(body)]

    assert [data["sequence_number"] for _, data in found] == list(range(len(found)))
    assert all(name == data["type"] for name, data in found)
    assert [name for name, _ in found][:3] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
    ]
    assert found[-1][0] == "response.completed"


def test_the_pieces_of_responses_add_up_to_what_its_last_event_says() -> None:
    turn = Turn(text="There are 50.", calls=(Call(name="fetch", arguments={"page": "one" * 9}),))
    body = RESPONSES.streamed(turn, RESPONSES.request([RESPONSES.says("hello")]))
    found = [json.loads(one.data) for one in events(body)]

    def said(kind: str) -> str:
        return "".join(one["delta"] for one in found if one["type"] == kind)

    assert said("response.output_text.delta") == turn.text
    assert said("response.function_call_arguments.delta") == turn.calls[0].arguments_text
    ended = [one["item"] for one in found if one["type"] == "response.output_item.done"]
    assert ended == found[-1]["response"]["output"]


def test_the_events_of_anthropic_come_in_order() -> None:
    body = ANTHROPIC.streamed(Turn(text="x"), ANTHROPIC.request([ANTHROPIC.says("hello")]))

    assert [one.name for one in events(body)] == [
        "message_start",
        "ping",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]


def test_responses_repeats_the_settings_that_it_was_asked_for() -> None:
    request = RESPONSES.body([RESPONSES.says("hello")])
    given = {"temperature": 0.2, "truncation": "auto", "max_output_tokens": 77, "store": False}

    reply = PROTOCOLS["openai-responses"].whole(
        DONE, read_request(request | given, RESPONSES.target)
    )

    assert {name: reply[name] for name in given} == given

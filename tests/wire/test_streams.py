"""Streams of every shape: rebuilt into their message, and never taken for whole too soon."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wire import bodies

from ullage.transcript.message import Message, ToolCall
from ullage.transcript.served import Usage
from ullage.wire.readers import ANTHROPIC, CHAT, GEMINI, RESPONSES
from ullage.wire.reply import Reply

Read = Callable[[bytes], Reply]

# Each with the bytes that end it: only when they are there may the reply count as whole.
STREAMS = {
    "chat": (CHAT.read_reply, bodies.CHAT_STREAM, b'"finish_reason": "tool_calls"}]}'),
    "responses": (
        RESPONSES.read_reply,
        bodies.RESPONSES_STREAM,
        bodies.RESPONSES_STREAM[-40:].rstrip(b"\n"),
    ),
    "anthropic": (ANTHROPIC.read_reply, bodies.ANTHROPIC_STREAM, b'{"type": "message_stop"}'),
    "gemini": (GEMINI.read_reply, bodies.GEMINI_STREAM, bodies.GEMINI_STREAM[-40:].rstrip(b"\n")),
    "gemini list": (GEMINI.read_reply, bodies.GEMINI_LIST, b"]"),
}


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_is_rebuilt_into_its_message(name: str) -> None:
    read, body, _ = STREAMS[name]

    reply = read(body)

    (call,) = reply.message.calls
    assert (call.call_id, call.name) == ("call_1", "find")
    assert call.arguments == '{"name":"é"}'
    assert reply.message.text == "I will look."
    assert (reply.label, reply.streamed, reply.not_understood) == ("complete", True, 0)
    assert reply.usage is not None
    assert (reply.usage.input, reply.usage.output) == (90, 12)


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_that_is_cut_at_any_byte_is_broken_until_its_end_is_there(name: str) -> None:
    read, body, end = STREAMS[name]
    whole = body.rindex(end) + len(end)

    labels = [read(body[:at]).label for at in range(len(body) + 1)]

    assert set(labels[:whole]) <= {"broken-stream", "malformed"}
    assert set(labels[whole:]) == {"complete"}
    assert set(labels[len("event: m") : whole]) == {"broken-stream"}


@pytest.mark.parametrize("name", STREAMS)
def test_what_came_before_the_break_is_kept(name: str) -> None:
    read, body, end = STREAMS[name]

    reply = read(body[: body.rindex(end)])

    assert reply.message.text == "I will look."
    assert not reply.calls_usable


@pytest.mark.parametrize("name", STREAMS)
@given(data=st.data())
def test_no_change_of_a_stream_raises(name: str, data: st.DataObject) -> None:
    read, body, _ = STREAMS[name]
    at = data.draw(st.integers(0, len(body)))
    length = data.draw(st.integers(0, 40))

    read(body[:at] + data.draw(st.binary(max_size=9)) + body[at + length :])


def test_a_reply_to_nothing_is_broken() -> None:
    for read, _, _ in STREAMS.values():
        assert read(b"").label == "broken-stream"


def test_json_that_ends_early_is_broken_and_other_text_malformed() -> None:
    for read, _, _ in STREAMS.values():
        assert read(b'{"id": "x", "choi').label == "broken-stream"
        assert read(b"<html>bad gateway</html>").label == "malformed"


def test_a_chat_stream_without_its_done_is_whole_once_it_has_a_finish_reason() -> None:
    reply = CHAT.read_reply(bodies.stream(bodies.chunk(content="a", finish="stop")))

    assert (reply.label, reply.message.text) == ("complete", "a")


def test_a_chunk_of_another_choice_is_not_mixed_in() -> None:
    other = {"choices": [{"index": 1, "delta": {"content": "other"}, "finish_reason": "stop"}]}
    one = bodies.chunk(content="a")

    reply = CHAT.read_reply(bodies.stream(one, other, bodies.chunk(content="b")))

    assert (reply.message.text, reply.label) == ("ab", "broken-stream")


def test_two_calls_at_once_are_told_by_their_index() -> None:
    first = {"index": 0, "id": "a", "function": {"name": "f", "arguments": "{"}}
    second = {"index": 1, "id": "b", "function": {"name": "g", "arguments": "{}"}}
    rest = {"index": 0, "function": {"arguments": "}"}}

    reply = CHAT.read_reply(
        bodies.stream(
            bodies.chunk(tool_calls=[first, second]),
            bodies.chunk(tool_calls=[rest], finish="tool_calls"),
        )
    )

    assert reply.message.calls == (
        ToolCall(call_id="a", name="f", arguments="{}"),
        ToolCall(call_id="b", name="g", arguments="{}"),
    )


def test_an_error_in_a_stream_is_the_server_s() -> None:
    chat = bodies.stream(bodies.chunk(content="a"), {"error": {"message": "overloaded"}})
    messages = bodies.stream({"type": "error", "error": {"message": "overloaded"}}, named=True)
    responses = bodies.stream(
        *bodies.RESPONSES_PIECES[:3], {"type": "error", "message": "overloaded"}
    )

    for reply in (
        CHAT.read_reply(chat),
        ANTHROPIC.read_reply(messages),
        RESPONSES.read_reply(responses),
    ):
        assert (reply.label, reply.error) == ("cut-by-server", "overloaded")


def test_the_pieces_of_a_broken_responses_stream_give_what_was_said() -> None:
    reply = RESPONSES.read_reply(bodies.stream(*bodies.RESPONSES_PIECES[:4]))

    assert reply.message == Message(role="assistant", text="I will look.")
    assert (reply.label, reply.ids) == ("broken-stream", ("resp_1",))


def test_a_compaction_is_rebuilt_from_its_pieces() -> None:
    start = {"type": "content_block_start", "index": 0, "content_block": {"type": "compaction"}}
    pieces = [
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "compaction_delta", "content": content},
        }
        for content in ("The user ", None, "asked.")
    ]

    reply = ANTHROPIC.read_reply(bodies.stream(start, *pieces, {"type": "message_stop"}))

    assert reply.compaction is not None
    assert (reply.compaction.blocks, reply.compaction.text) == (1, "The user asked.")
    assert reply.label == "complete"


@pytest.mark.parametrize(
    "last",
    [
        {"output_tokens": 12},
        {"input_tokens": 30, "output_tokens": 12},
        {**bodies.ANTHROPIC_USAGE, "output_tokens": 12},
    ],
)
def test_what_the_last_event_leaves_out_was_said_by_the_first(last: dict[str, int]) -> None:
    reply = ANTHROPIC.read_reply(
        bodies.stream(
            {"type": "message_start", "message": {"usage": bodies.ANTHROPIC_USAGE}},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": last},
            {"type": "message_stop"},
        )
    )

    assert reply.usage == Usage(input=90, output=12, cached=40, cache_written=20)

"""Reading chat completions, streamed or not."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ullage.transcript.message import Message, ToolCall
from ullage.wire.openai_chat import is_chat
from ullage.wire.readers import CHAT
from ullage.wire.results import is_result


def body(*messages: Any) -> bytes:
    return json.dumps({"model": "m", "messages": list(messages)}).encode()


def stream(*chunks: Any, done: bool = True) -> bytes:
    lines = [f"data: {json.dumps(one)}\n\n" for one in chunks]
    return ("".join(lines) + ("data: [DONE]\n\n" if done else "")).encode()


def delta(**members: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": members, "finish_reason": None}]}


def test_roles_texts_and_the_call_that_a_result_answers_are_read() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a":1}'}}
    request = CHAT.read_request(
        body(
            {"role": "developer", "content": "be brief"},
            {
                "role": "user",
                "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
            },
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": "r"},
        )
    )

    assert list(request.messages) == [
        Message(role="system", text="be brief"),
        Message(role="user", text="ab"),
        Message(
            role="assistant",
            text="",
            calls=(ToolCall(call_id="c1", name="f", arguments='{"a":1}'),),
        ),
        Message(role="tool", text="r", answers="c1"),
    ]


def test_what_has_an_unknown_shape_is_counted() -> None:
    request = CHAT.read_request(body({"role": "narrator", "content": "x"}, 7, {"role": "user"}))

    assert (len(request.messages), request.not_understood) == (1, 2)


def test_a_streamed_message_is_put_together_from_its_deltas() -> None:
    first = {"index": 0, "id": "c1", "function": {"name": "f", "arguments": ""}}
    reply = CHAT.read_reply(
        stream(
            delta(role="assistant", content=""),
            delta(content="he"),
            delta(content="llo"),
            delta(tool_calls=[first]),
            delta(tool_calls=[{"index": 0, "function": {"arguments": '{"a"'}}]),
            delta(tool_calls=[{"index": 0, "function": {"arguments": ":1}"}}]),
            {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]},
            {"choices": [], "usage": {"prompt_tokens": 1}},
        )
    )

    assert reply.message.text == "hello"
    assert reply.message.calls == (ToolCall(call_id="c1", name="f", arguments='{"a":1}'),)
    assert (reply.finish_reason, reply.label) == ("tool_calls", "complete")


def test_a_stream_without_its_end_is_not_complete() -> None:
    assert CHAT.read_reply(stream(delta(content="he"), done=False)).label == "broken-stream"


def test_a_line_separator_inside_a_streamed_text_does_not_break_it() -> None:
    text = json.dumps(delta(content="a\u2028b"), ensure_ascii=False)

    assert CHAT.read_reply(f"data: {text}\r\n\r\n".encode()).message.text == "a\u2028b"


def test_a_reply_in_one_piece_is_read() -> None:
    reply = CHAT.read_reply(
        json.dumps(
            {
                "choices": [
                    {"message": {"role": "assistant", "content": "hi"}, "finish_reason": "stop"}
                ]
            }
        ).encode()
    )

    assert (reply.message.text, reply.finish_reason, reply.label) == ("hi", "stop", "complete")


@given(data=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_no_body_raises(data: bytes) -> None:
    CHAT.read_request(data)
    CHAT.read_reply(data)
    CHAT.read_reply(b"data: " + data)


@given(
    messages=st.recursive(
        st.none() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["role", "content", "tool_calls", "function", "index", "text"]),
                inner,
            )
        ),
        max_leaves=12,
    )
)
def test_no_json_of_a_strange_shape_raises(messages: Any) -> None:
    CHAT.read_request(json.dumps({"messages": messages}).encode())
    CHAT.read_request(json.dumps({"messages": [{"role": "user", "content": messages}]}).encode())
    CHAT.read_reply(json.dumps({"choices": [{"message": messages}]}).encode())
    CHAT.read_reply(stream({"choices": [{"delta": messages}]}, {"choices": messages}))


def test_chat_paths_are_told_from_others() -> None:
    assert is_chat("/v1/chat/completions")
    assert is_chat("/openai/deployments/x/chat/completions?api-version=1")
    assert not is_chat("/v1/models")


def test_a_result_is_told_by_its_role_or_its_first_word() -> None:
    assert is_result(Message(role="tool", text="x"))
    assert is_result(Message(role="user", text="Observation:\n{}"))
    assert not is_result(Message(role="user", text="My observation: it rains"))

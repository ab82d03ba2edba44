"""Reading requests of the Responses API."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ullage.transcript.message import Message, ToolCall
from ullage.wire.openai_responses import is_responses
from ullage.wire.readers import RESPONSES, reader_of


def read(**members: Any) -> list[Message]:
    return list(RESPONSES.read_request(json.dumps(members).encode()).messages)


def test_an_input_that_is_a_text_is_the_user_s() -> None:
    assert read(instructions="be brief", input="hello") == [
        Message(role="system", text="be brief"),
        Message(role="user", text="hello"),
    ]


def test_messages_calls_and_results_are_read() -> None:
    items = [
        {"role": "user", "content": "list"},
        {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "x"}]},
        {"type": "reasoning", "summary": []},
        {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "[1, 2]"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a"}]},
    ]

    assert read(input=items) == [
        Message(role="user", text="list"),
        Message(role="system", text="x"),
        Message(
            role="assistant", text="", calls=(ToolCall(call_id="c1", name="f", arguments="{}"),)
        ),
        Message(role="tool", text="[1, 2]", answers="c1"),
        Message(role="assistant", text="a"),
    ]


def test_a_result_may_be_made_of_parts_or_be_what_a_shell_printed() -> None:
    parts = [{"type": "input_text", "text": "a"}, {"type": "input_image"}, {"text": "b"}]
    shell = [{"stdout": "out", "stderr": "err"}]
    items = [
        {"type": "function_call_output", "call_id": "c1", "output": parts},
        {"type": "shell_call_output", "call_id": "c2", "output": shell},
        {"type": "custom_tool_call_output", "call_id": "c3", "output": "text"},
    ]

    assert [one.text for one in read(input=items)] == ["ab", "outerr", "text"]


def test_what_has_an_unknown_shape_is_counted_and_what_says_nothing_is_not() -> None:
    items = [7, {"type": "news"}, {"role": "narrator"}, {"type": "reasoning"}, {"type": "mcp_call"}]

    assert RESPONSES.read_request(json.dumps({"input": items}).encode()).not_understood == 3


def test_a_request_says_which_reply_or_conversation_it_goes_on_from() -> None:
    def follows(**members: Any) -> str | None:
        return RESPONSES.read_request(json.dumps({"input": "x", **members}).encode()).follows

    assert follows() is None
    assert follows(previous_response_id="resp_1") == "resp_1"
    assert follows(conversation="conv_1") == follows(conversation={"id": "conv_1"}) == "conv_1"


def test_a_reply_is_known_by_its_ids_streamed_or_not() -> None:
    response = {"id": "resp_1", "object": "response", "conversation": {"id": "conv_1"}}
    created = {"type": "response.created", "response": response}
    stream = f"event: response.created\ndata: {json.dumps(created)}\n\n".encode()

    assert RESPONSES.read_reply(json.dumps(response).encode()).ids == ("resp_1", "conv_1")
    assert RESPONSES.read_reply(stream).ids == ("resp_1", "conv_1")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "role", "content", "output", "call_id", "text", "id", "response"]
            ),
            inner | st.sampled_from(["message", "function_call", "function_call_output", "user"]),
        )
    ),
    max_leaves=12,
)


@given(given=JSON, previous=JSON)
def test_no_json_of_a_strange_shape_raises(given: Any, previous: Any) -> None:
    body = {"input": given, "instructions": previous, "previous_response_id": previous}
    request = RESPONSES.read_request(json.dumps({**body, "conversation": previous}).encode())
    RESPONSES.read_reply(json.dumps(given).encode())
    RESPONSES.read_reply(b"data: " + json.dumps(given).encode() + b"\n\n")

    items = given if isinstance(given, list) else []
    assert request.not_understood <= len(items)


@given(data=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_no_body_raises(data: bytes) -> None:
    RESPONSES.read_request(data)
    RESPONSES.read_reply(data)
    RESPONSES.read_reply(b"data: " + data)


@given(texts=st.lists(st.text(min_size=1, max_size=20), max_size=8))
def test_every_result_is_read_in_order(texts: list[str]) -> None:
    items = [
        {"type": "function_call_output", "call_id": str(number), "output": text}
        for number, text in enumerate(texts)
    ]

    assert [(one.answers, one.text) for one in read(input=items)] == [
        (str(number), text) for number, text in enumerate(texts)
    ]


def test_a_path_has_the_reader_of_its_api() -> None:
    assert is_responses("/v1/responses?stream=true")
    assert not is_responses("/v1/responses/compact")
    reader = reader_of("/v1/responses")
    assert reader is not None
    assert (reader.provider, reader.kind) == ("openai-responses", "turn")

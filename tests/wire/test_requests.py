"""Requests to Anthropic and Gemini, settings in every spelling, and the table of paths."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wire.bodies import body

from ullage.transcript.message import Message, ToolCall
from ullage.wire import counted
from ullage.wire.readers import (
    ANTHROPIC,
    GEMINI,
    READERS,
    SHAPES,
    model_in,
    reader_of,
    reply_shape,
    request_shape,
)
from ullage.wire.request import Request
from ullage.wire.settings import settings_of
from ullage.wire.unfinished import body_of


def messages(*given: Any, **more: Any) -> Request:
    return ANTHROPIC.read_request(body({"model": "m", "messages": list(given), **more}))


def gem(*contents: Any, **more: Any) -> Request:
    return GEMINI.read_request(body({"contents": list(contents), **more}))


RESULT = {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "r"}]}


def test_blocks_of_a_message_become_results_texts_and_calls() -> None:
    request = messages(
        {"role": "user", "content": "list"},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "not said"},
                {"type": "text", "text": "I look"},
                {"type": "tool_use", "id": "c1", "name": "f", "input": {"a": 1}},
            ],
        },
        {"role": "user", "content": [RESULT, {"type": "text", "text": "go on"}]},
        system=[{"type": "text", "text": "be "}, {"type": "text", "text": "brief"}],
    )

    assert list(request.messages) == [
        Message(role="system", text="be brief"),
        Message(role="user", text="list"),
        Message(
            role="assistant",
            text="I look",
            calls=(ToolCall(call_id="c1", name="f", arguments='{"a":1}'),),
        ),
        Message(role="tool", text="r", answers="c1"),
        Message(role="user", text="go on"),
    ]
    assert request.not_understood == 0


def test_a_document_and_a_compacted_history_are_read_as_text() -> None:
    request = messages(
        {
            "role": "user",
            "content": [{"type": "document", "source": {"type": "text", "data": "page"}}],
        },
        {"role": "assistant", "content": [{"type": "compaction", "content": "summary"}]},
    )

    assert [one.text for one in request.messages] == ["page", "summary"]
    assert request.compactions == 1


def test_what_the_server_compacts_is_read_from_a_responses_request_too() -> None:
    reader = reader_of("/v1/responses/compact")
    assert reader is not None

    request = reader.read_request(body({"input": [{"type": "compaction"}, {"role": "user"}]}))

    assert (reader.kind, request.compactions) == ("compact", 1)


def test_parts_of_a_content_become_results_texts_and_calls() -> None:
    request = gem(
        {"parts": [{"text": "list"}]},
        {
            "role": "model",
            "parts": [
                {"text": "not said", "thought": True},
                {"functionCall": {"name": "f", "args": {"a": 1}}},
            ],
        },
        {
            "role": "function",
            "parts": [
                {"functionResponse": {"id": "c1", "name": "f", "response": {"output": "r"}}},
                {"functionResponse": {"name": "g", "response": {"rows": [1], "n": 1}}},
            ],
        },
        systemInstruction={"parts": [{"text": "be brief"}]},
    )

    assert list(request.messages) == [
        Message(role="system", text="be brief"),
        Message(role="user", text="list"),
        Message(
            role="assistant",
            text="",
            calls=(ToolCall(call_id=None, name="f", arguments='{"a":1}'),),
        ),
        Message(role="tool", text="r", answers="c1", name="f"),
        Message(role="tool", text='{"rows":[1],"n":1}', name="g"),
    ]


def test_contents_may_be_a_text_or_one_object() -> None:
    one = GEMINI.read_request(body({"contents": {"parts": [{"text": "a"}]}}))
    other = GEMINI.read_request(body({"contents": "a"}))

    assert list(one.messages) == list(other.messages) == [Message(role="user", text="a")]


def test_unknown_messages_blocks_and_parts_are_counted() -> None:
    strange = messages(
        7, {"role": "narrator"}, {"role": "user", "content": [{"type": "song"}, RESULT]}
    )
    other = gem(7, {"role": "narrator"}, {"parts": [{"song": 1}, {"text": "a"}]})

    assert (strange.not_understood, other.not_understood) == (3, 3)


SETTINGS: list[tuple[dict[str, Any], str, object]] = [
    ({"max_tokens": 9}, "output_limit", 9),
    ({"max_completion_tokens": 9}, "output_limit", 9),
    ({"max_output_tokens": 9}, "output_limit", 9),
    ({"generationConfig": {"maxOutputTokens": 9}}, "output_limit", 9),
    ({"max_tokens": True}, "output_limit", None),
    ({"options": {"num_ctx": 4096}}, "window", 4096),
    ({"truncation": "auto"}, "truncation", "auto"),
    ({"context_management": {"edits": [{"type": "clear"}]}}, "context_edits", ("clear",)),
    ({"context_management": [{"type": "compaction"}]}, "context_edits", ("compaction",)),
    ({"stream": True}, "stream", True),
    ({"tool_choice": "required"}, "tool_choice", "required"),
    ({"tool_choice": {"type": "any"}}, "tool_choice", "required"),
    ({"tool_choice": {"type": "function", "function": {}}}, "tool_choice", "required"),
    ({"tool_choice": {"type": "none"}}, "tool_choice", "none"),
    ({"toolConfig": {"functionCallingConfig": {"mode": "ANY"}}}, "tool_choice", "required"),
    ({"tool_choice": "strange"}, "tool_choice", None),
    ({"parallel_tool_calls": False}, "parallel_calls", False),
    (
        {"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}},
        "parallel_calls",
        False,
    ),
    ({"response_format": {"type": "json_schema"}}, "json_answer", True),
    ({"text": {"format": {"type": "json_object"}}}, "json_answer", True),
    ({"output_config": {"format": {"type": "json_schema"}}}, "json_answer", True),
    ({"generationConfig": {"responseMimeType": "application/json"}}, "json_answer", True),
]


@pytest.mark.parametrize(("document", "name", "value"), SETTINGS)
def test_settings_are_read_in_every_spelling(
    document: dict[str, Any], name: str, value: object
) -> None:
    assert getattr(settings_of(document), name) == value
    assert getattr(settings_of({}), name) in (None, False, ())


def test_what_the_server_adds_and_no_request_shows_is_named() -> None:
    def unseen(**members: Any) -> tuple[str, ...]:
        found = request_shape({"input": "x", **members})
        assert found is not None
        return found.request({"input": "x", **members}).unseen

    assert unseen() == unseen(prompt="a text") == ()
    assert unseen(previous_response_id="resp_1") == ("previous_response_id",)
    assert unseen(prompt={"id": "p"}) == ("prompt",)
    assert unseen(input=[{"type": "item_reference", "id": "i"}]) == ("item_reference",)
    assert gem("a", cachedContent="cachedContents/1").unseen == ("cachedContent",)


def test_tools_are_counted_one_by_one() -> None:
    assert messages(tools=[{"name": "f"}, {"name": "g"}]).tools == 2
    assert gem("a", tools=[{"functionDeclarations": [{"name": "f"}, {"name": "g"}]}]).tools == 2


def test_equal_messages_have_equal_marks_wherever_the_cache_is_asked_to_stop() -> None:
    text: dict[str, Any] = {"type": "text", "text": "a"}
    marked = {**text, "cache_control": {"type": "ephemeral"}}
    one = messages({"role": "user", "content": [text]}, {"role": "user", "content": "b"})
    other = messages({"role": "user", "content": [marked]}, {"role": "user", "content": "c"})

    assert one.marks[0] == other.marks[0]
    assert one.marks[1] != other.marks[1]
    assert one.head == other.head != messages(system="s").head


PATHS = [
    ("/v1/chat/completions", "openai-chat", "turn"),
    ("/openai/deployments/x/chat/completions?api-version=1", "openai-chat", "turn"),
    ("/v1beta/openai/chat/completions", "openai-chat", "turn"),
    ("/v1/responses", "openai-responses", "turn"),
    ("/openai/v1/responses?api-version=preview", "openai-responses", "turn"),
    ("/v1/responses/compact", "openai-responses", "compact"),
    ("/v1/responses/input_tokens", "openai-responses", "count"),
    ("/v1/responses/resp_12?stream=true", "openai-responses", "fetch"),
    ("/v1/messages?beta=true", "anthropic", "turn"),
    ("/v1/messages/count_tokens", "anthropic", "count"),
    ("/v1/projects/p/publishers/anthropic/models/m:streamRawPredict", "anthropic", "turn"),
    ("/v1beta/models/gemini-2.5-flash:generateContent", "gemini", "turn"),
    ("/v1beta/models/m:streamGenerateContent?alt=sse", "gemini", "turn"),
    ("/v1/projects/p/publishers/google/models/m:generateContent", "gemini", "turn"),
    ("/v1beta/models/m:countTokens", "gemini", "count"),
]


@pytest.mark.parametrize(("path", "provider", "kind"), PATHS)
def test_a_path_has_the_reader_of_its_api(path: str, provider: str, kind: str) -> None:
    reader = reader_of(path)

    assert reader is not None
    assert (reader.provider, reader.kind) == (provider, kind)
    assert sum(one.is_path(path) for one in READERS) == 1


@pytest.mark.parametrize(
    "path", ["/v1/models", "/v1/embeddings", "/v1/messages/batches", "/v1/files", "/"]
)
def test_other_paths_are_not_read(path: str) -> None:
    assert reader_of(path) is None


def test_a_path_may_name_the_model() -> None:
    assert model_in("/v1beta/models/gemini-2.5-flash:generateContent") == "gemini-2.5-flash"
    assert model_in("/v1/messages") is None


def test_a_request_without_a_body_has_no_messages() -> None:
    reader = reader_of("/v1/responses/resp_12")
    assert reader is not None

    assert list(reader.read_request(b"").messages) == []


@pytest.mark.parametrize(
    ("document", "provider"),
    [
        ({"messages": [{"role": "user", "content": "a"}]}, "openai-chat"),
        ({"messages": [{"role": "user", "content": [RESULT]}]}, "anthropic"),
        ({"messages": [], "system": "s"}, "anthropic"),
        ({"input": "a"}, "openai-responses"),
        ({"contents": []}, "gemini"),
        ({"seq": 1}, None),
    ],
)
def test_a_request_is_told_by_its_members(document: Any, provider: str | None) -> None:
    shape = request_shape(document)

    assert (shape.provider if shape else None) == provider


@pytest.mark.parametrize(
    ("document", "provider"),
    [
        ({"choices": []}, "openai-chat"),
        ({"type": "message", "content": [], "stop_reason": None}, "anthropic"),
        ({"type": "message_start"}, "anthropic"),
        ({"object": "response", "output": []}, "openai-responses"),
        ({"type": "response.created"}, "openai-responses"),
        ({"candidates": []}, "gemini"),
        ({"type": "message", "role": "user", "content": "a"}, None),
        ({"id": "u1", "usage": {}}, None),
    ],
)
def test_a_reply_is_told_by_its_members(document: Any, provider: str | None) -> None:
    shape = reply_shape(document)

    assert (shape.provider if shape else None) == provider


NAMES = [
    *("type", "role", "content", "parts", "text", "input", "output", "call_id", "name", "id"),
    *("response", "message", "messages", "delta", "choices", "candidates", "usage", "iterations"),
    *("usageMetadata", "tools", "tool_calls", "function", "arguments", "error", "index", "item"),
    *("context_management", "edits", "applied_edits", "finish_reason", "stop_reason", "status"),
    *("output_index", "functionCall", "functionResponse", "contents", "system", "content_block"),
]
WORDS = [
    *("message", "user", "assistant", "tool_use", "tool_result", "compaction", "function_call"),
    *("response.completed", "response.output_item.done", "content_block_start", "text", "error"),
    *("content_block_delta", "message_delta", "input_json_delta"),
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.sampled_from(WORDS),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5)
    ),
    max_leaves=20,
)


@given(document=JSON)
def test_no_json_of_a_strange_shape_raises(document: Any) -> None:
    said = body(document)
    for reader in READERS:
        reader.read_request(said)
        reader.read_reply(said)
        reader.read_reply(b"data: " + said + b"\n\n")
        reader.read_reply(b"[" + said + b"]")
    for shape in SHAPES:
        if isinstance(document, dict):
            shape.is_request(document)
            shape.is_reply(document)
        shape.reply(body_of(said))


@given(data=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_no_bytes_raise(data: bytes) -> None:
    for reader in READERS:
        reader.read_request(data)
        reader.read_reply(data)
        reader.read_reply(b"data: " + data)
    counted.read_reply(data)


@pytest.mark.parametrize("depth", [200, 900, 10_000])
def test_no_depth_raises(depth: int) -> None:
    deep = "[" * depth + "]" * depth
    nested = '{"content":' * depth + "1" + "}" * depth
    for inner in (deep, nested):
        for member in ("messages", "input", "contents", "choices", "output", "content", "tools"):
            said = f'{{"{member}": [{inner}], "type": "message"}}'.encode()
            for reader in READERS:
                reader.read_request(said)
                reader.read_reply(said)


def test_a_whole_reply_of_many_pieces_is_read_in_one_go() -> None:
    pieces = [{"choices": [{"index": 0, "delta": {"content": "é"}}]}] * 5_000
    said = "".join(f"data: {json.dumps(one)}\n\n" for one in pieces).encode()
    reader = reader_of("/v1/chat/completions")
    assert reader is not None

    assert reader.read_reply(said).message.text == "é" * 5_000

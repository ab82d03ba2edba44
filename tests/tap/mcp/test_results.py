"""What the reply to a call gives to a model."""

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.tap.mcp.results import ToolCall, call_of, produced, text_of

CALL = ToolCall(tool="list", arguments="{}")
TEXTS = st.lists(st.text(), min_size=1)


def reply(**result: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "result": result}


def text(words: str) -> dict[str, object]:
    return {"type": "text", "text": words}


@given(texts=TEXTS)
def test_the_text_is_the_text_blocks_one_under_the_other(texts: list[str]) -> None:
    assert text_of({"content": [text(one) for one in texts]}) == "\n".join(texts)


@given(structured=st.dictionaries(st.text(), st.integers() | st.text()))
def test_structured_content_counts_where_there_is_no_text(structured: dict[str, object]) -> None:
    found = text_of({"content": [], "structuredContent": structured})

    assert json.loads(found) == structured


def test_structured_content_beside_its_text_is_not_given_twice() -> None:
    result = {"content": [text('{"a": 1}')], "structuredContent": {"a": 1}}

    assert text_of(result) == '{"a": 1}'


def test_a_picture_is_described_and_not_kept() -> None:
    data = base64.b64encode(bytes(1000)).decode()
    image = {"type": "image", "mimeType": "image/png", "data": data}

    assert text_of({"content": [image]}) == "[image: image/png, 1000 bytes]"


def test_a_picture_beside_a_text_adds_nothing_that_a_model_is_never_given() -> None:
    image = {"type": "image", "mimeType": "image/png", "data": "AAAA"}

    assert text_of({"content": [text("a chart"), image]}) == "a chart"


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ({"type": "resource", "resource": {"uri": "a:b", "text": "rows"}}, "rows"),
        (
            {
                "type": "resource",
                "resource": {"uri": "a:b", "mimeType": "x/y", "blob": "AAA="},
            },
            "[resource a:b: x/y, 2 bytes]",
        ),
        ({"type": "resource_link", "uri": "a:b", "name": "n"}, "[resource link a:b: n]"),
        ({"type": "audio", "mimeType": "audio/wav", "data": ""}, "[audio: audio/wav, 0 bytes]"),
        ({"type": "hologram", "depth": 3}, '{"type":"hologram","depth":3}'),
        ({"type": "text", "text": 3}, '{"type":"text","text":3}'),
        ("bare", '"bare"'),
    ],
)
def test_every_kind_of_block_has_a_text(block: object, said: str) -> None:
    assert text_of({"content": [block]}) == said


def test_an_error_of_the_tool_is_a_result_that_says_so() -> None:
    found = produced(CALL, reply(content=[text("no such order")], isError=True))

    assert found is not None
    assert (found.text, found.is_error) == ("no such order", True)


def test_an_error_of_the_protocol_gives_its_message() -> None:
    found = produced(CALL, {"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "no"}})

    assert found is not None
    assert (found.text, found.is_error) == ("no", True)


@pytest.mark.parametrize(
    "result",
    [
        {"resultType": "input_required", "requestState": "x"},
        {"task": {"taskId": "t1", "status": "working"}},
        {},
    ],
)
def test_an_answer_without_a_result_is_none_yet(result: dict[str, Any]) -> None:
    assert produced(CALL, reply(**result)) is None


def test_arguments_are_written_the_same_in_whatever_order_they_come() -> None:
    one = call_of({"name": "t", "arguments": {"b": 1, "a": "é"}})
    other = call_of({"name": "t", "arguments": {"a": "é", "b": 1}})

    assert one == other == ToolCall(tool="t", arguments='{"a": "é", "b": 1}')


def test_a_call_keeps_the_models_name_for_it_where_the_client_says_it() -> None:
    call = call_of({"name": "t", "_meta": {"claudecode/toolUseId": "toolu_01"}})

    assert call is not None
    found = produced(call, reply(content=[]))
    assert found is not None
    assert found.call_id == "toolu_01"


@pytest.mark.parametrize("params", [None, [], {}, {"name": 3}])
def test_a_call_that_names_no_tool_is_none(params: object) -> None:
    assert call_of(params) is None


KEYS = ["type", "text", "content", "resource", "data", "uri", "structuredContent", "isError"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
    ),
)


@given(result=st.dictionaries(st.sampled_from(KEYS), JSON))
def test_no_shape_of_a_result_is_fatal(result: dict[str, Any]) -> None:
    produced(CALL, reply(**result))

"""The budget table of request bodies of every shape."""

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.counting.test_images import png

from ullage.counting.count import count
from ullage.counting.exact import exact
from ullage.wire.budget_table import BudgetTable, budget_table, is_body

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}
PICTURE = base64.b64encode(png(1024, 1024) + b"\0" * 30_000).decode()
DATA_URL = f"data:image/png;base64,{PICTURE}"


def rows(table: BudgetTable) -> dict[str, int]:
    return {row.part: row.tokens for row in table.rows}


def tokens(*texts: str) -> int:
    return sum(count(text).tokens for text in texts)


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def checks(table: BudgetTable) -> list[str]:
    return [one.check for one in table.findings]


def text_of(size: int) -> str:
    """A text of exactly `size` tokens."""
    text = " item" * size
    assert exact(text, "o200k_base") == size
    return text


def tool_of(size: int) -> dict[str, Any]:
    """A tool whose definition is exactly `size` tokens."""
    tool: dict[str, Any] = {"type": "function", "function": {"name": "list", "parameters": SCHEMA}}
    function = tool["function"]
    function["description"] = "item"
    function["description"] += " item" * (size - tokens(compact(tool)))
    assert tokens(compact(tool)) == size
    return tool


def test_the_table_of_the_field_guide_adds_up() -> None:
    body = {
        "messages": [
            {"role": "system", "content": text_of(2_100)},
            {"role": "user", "content": text_of(1_800)},
            {"role": "tool", "tool_call_id": "a", "content": text_of(4_500)},
            {"role": "tool", "tool_call_id": "b", "content": text_of(3_200)},
        ],
        "tools": [tool_of(3_400)],
        "max_tokens": 1_024,
    }

    table = budget_table(body, window=16_000)

    assert rows(table) == {
        "system": 2_100,
        "tools": 3_400,
        "data": 4_500 + 3_200,
        "history": 1_800,
        "images": 0,
        "reserve": 1_024,
    }
    assert table.count.tokens == 15_000
    assert sum(row.tokens for row in table.rows) == 16_024
    assert "over-window" in checks(table)  # 16,000 is not 16,384
    assert "over-window" not in checks(budget_table(body, window=16_384))


def test_openai_chat_with_calls_and_results() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": '{"q":1}'}}
    body = {
        "model": "gpt-4o",
        "messages": [
            {"role": "developer", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "Where is it?"}]},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": "In the cellar."},
            {"role": "user", "content": "Observation:\nthe lights are off"},
        ],
        "max_completion_tokens": 500,
    }

    table = budget_table(body)

    assert rows(table) == {
        "system": tokens("Be brief."),
        "tools": 0,
        "data": tokens("In the cellar.", "Observation:\nthe lights are off"),
        "history": tokens("Where is it?", "find", '{"q":1}'),
        "images": 0,
        "reserve": 500,
    }
    assert (table.count.method, table.count.window) == ("exact", 128_000)
    assert table.findings == []


def test_openai_responses_items() -> None:
    body = {
        "model": "gpt-5",
        "instructions": "Be brief.",
        "input": [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]},
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Look it up."}]},
            {"type": "function_call", "call_id": "c", "name": "find", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c", "output": "In the cellar."},
            {
                "type": "function_call_output",
                "call_id": "d",
                "output": [{"type": "input_image", "image_url": DATA_URL}],
            },
        ],
        "tools": [{"type": "function", "name": "find", "parameters": SCHEMA}],
        "max_output_tokens": 2_000,
    }

    table = budget_table(body)

    assert rows(table) == {
        "system": tokens("Be brief."),
        "tools": tokens(compact(body["tools"][0])),  # type: ignore[index]  # a literal above
        "data": tokens("In the cellar."),
        "history": tokens("Hi", "Look it up.", "find", "{}"),
        "images": 765,
        "reserve": 2_000,
    }


def test_responses_with_a_plain_input() -> None:
    assert rows(budget_table({"input": "How are you?"}))["history"] == tokens("How are you?")


def test_anthropic_blocks() -> None:
    source = {"type": "base64", "media_type": "image/png", "data": PICTURE}
    result = [{"type": "text", "text": "In the cellar."}, {"type": "image", "source": source}]
    body = {
        "system": [{"type": "text", "text": "Be brief."}],
        "messages": [
            {"role": "user", "content": "Where is it?"},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "Look it up.", "signature": "x" * 900},
                    {"type": "tool_use", "id": "t", "name": "find", "input": {"q": 1}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "t", "content": result},
                    {"type": "tool_result", "tool_use_id": "u", "content": "Not found."},
                    {"type": "text", "text": "Go on."},
                ],
            },
        ],
        "tools": [{"name": "find", "input_schema": SCHEMA}],
        "max_tokens": 4_096,
    }

    table = budget_table(body)

    assert rows(table) == {
        "system": tokens("Be brief."),
        "tools": tokens(compact({"name": "find", "input_schema": SCHEMA})),
        "data": tokens("In the cellar.", "Not found."),
        "history": tokens("Where is it?", "Look it up.", "find", '{"q":1}', "Go on."),
        "images": 1_399,  # 1024 x 1024 / 750
        "reserve": 4_096,
    }


def test_gemini_contents() -> None:
    find = {"name": "find", "parameters": SCHEMA}
    look = {"name": "look", "parameters": SCHEMA}
    body = {
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "Where is it?"}]},
            {"role": "model", "parts": [{"functionCall": {"name": "find", "args": {"q": 1}}}]},
            {
                "role": "user",
                "parts": [
                    {"functionResponse": {"name": "find", "response": {"output": "cellar"}}},
                    {"inlineData": {"mimeType": "image/png", "data": PICTURE}},
                ],
            },
        ],
        "tools": [{"functionDeclarations": [find, look]}],
        "generationConfig": {"maxOutputTokens": 800},
    }

    table = budget_table(body)

    assert rows(table) == {
        "system": tokens("Be brief."),
        "tools": tokens(compact(find), compact(look)),
        "data": tokens('{"output":"cellar"}'),
        "history": tokens("Where is it?", "find", '{"q":1}'),
        "images": 1_032,
        "reserve": 800,
    }
    assert [one.name for one in table.tools] == ["find", "look"]


@pytest.mark.parametrize(
    "part",
    [
        {"type": "image_url", "image_url": {"url": DATA_URL}},
        {"type": "image_url", "image_url": DATA_URL},
        {"type": "input_image", "image_url": DATA_URL},
        {"type": "image_url", "image_url": {"url": "https://pictures.test/a.png"}},
        {"type": "input_image", "file_id": "file-1"},
        {"type": "image", "source": {"type": "url", "url": "https://pictures.test/a.png"}},
        {"type": "image", "data": PICTURE, "mimeType": "image/png"},
        {"inline_data": {"mime_type": "image/png", "data": "damaged"}},
        {"fileData": {"mimeType": "image/jpeg", "fileUri": "gs://bucket/a.jpg"}},
    ],
)
def test_an_image_is_never_free_and_never_its_base64(part: dict[str, object]) -> None:
    body = {"model": "gpt-4o", "messages": [{"role": "user", "content": [part]}]}

    table = budget_table(body)

    assert 85 <= rows(table)["images"] <= 1_600
    assert table.count.tokens == rows(table)["images"]
    assert (table.count.method, table.count.calibrated) == ("estimate", False)
    assert table.count.low <= table.count.tokens <= table.count.high


def test_a_result_that_is_an_image_is_counted_as_one() -> None:
    part = {"type": "image_url", "image_url": {"url": DATA_URL, "detail": "low"}}
    body = {"messages": [{"role": "tool", "tool_call_id": "a", "content": [part]}]}

    assert rows(budget_table(body)) | {"images": 85, "data": 0} == rows(budget_table(body))


def test_without_an_output_limit_the_missing_reserve_is_said() -> None:
    table = budget_table({"messages": []})

    assert checks(table) == ["no-reserve"]
    assert table.to_dict()["findings"][0]["severity"] == "warning"  # type: ignore[index]  # a list


@pytest.mark.parametrize("limit", [None, True, "many", 0, -5, 2.5])
def test_an_output_limit_that_is_no_number_keeps_nothing_free(limit: object) -> None:
    assert budget_table({"messages": [], "max_tokens": limit}).reserve == 0


def test_tools_that_are_most_of_the_request_are_named_one_by_one() -> None:
    small = {"name": "small", "description": "x"}
    large = {"name": "large", "description": "word " * 500}
    table = budget_table({"messages": [], "tools": [small, large], "max_tokens": 9})

    assert checks(table) == ["tools-dominate"]
    assert [one.name for one in table.tools] == ["large", "small"]
    assert sum(one.tokens for one in table.tools) == rows(table)["tools"]


def test_what_is_neither_text_nor_image_is_said_and_not_guessed() -> None:
    pdf = {"type": "document", "source": {"type": "base64", "data": PICTURE}}
    sound = {"type": "input_audio", "input_audio": {"data": PICTURE}}
    hidden = {"type": "reasoning", "summary": [], "encrypted_content": PICTURE}
    body = {"messages": [{"role": "user", "content": [pdf, sound, hidden]}], "max_tokens": 9}

    table = budget_table(body)

    assert table.count.tokens == 0
    (finding,) = table.findings
    assert finding.check == "not-counted"
    assert finding.evidence == {"document": 1, "input_audio": 1, "reasoning": 1}


def test_a_document_of_text_is_text() -> None:
    plain = {"type": "document", "source": {"type": "text", "data": "A long story."}}
    table = budget_table({"messages": [{"role": "user", "content": [plain]}]})

    assert rows(table)["history"] == tokens("A long story.")


@pytest.mark.parametrize(
    ("message", "part", "text"),
    [
        ({"role": "assistant", "function_call": {"name": "f", "arguments": "{}"}}, "history", "{}"),
        ({"role": "function", "name": "f", "content": "In the cellar."}, "data", "In the cellar."),
        ({"type": "custom_tool_call", "input": "ls -l"}, "history", "ls -l"),
        ({"type": "custom_tool_call_output", "output": "a b c"}, "data", "a b c"),
        (
            {"type": "local_shell_call", "action": {"command": ["ls"]}},
            "history",
            '{"command":["ls"]}',
        ),
        ({"role": "model", "parts": [{"executableCode": {"code": "1 + 1"}}]}, "history", "1 + 1"),
        ({"parts": [{"codeExecutionResult": {"output": "2 of 2"}}]}, "data", "2 of 2"),
    ],
)
def test_older_and_rarer_forms_are_read(message: object, part: str, text: str) -> None:
    table = budget_table({"messages": [message], "max_tokens": 9})

    extra = tokens("f") if part == "history" and text == "{}" else 0
    assert rows(table)[part] == tokens(text) + extra == table.count.tokens
    assert table.findings == []


def test_a_document_of_blocks_is_its_blocks() -> None:
    blocks = [{"type": "text", "text": "A long story."}]
    document = {"type": "document", "source": {"type": "content", "content": blocks}}
    table = budget_table({"messages": [{"role": "user", "content": [document]}]})

    assert rows(table)["history"] == tokens("A long story.")


def test_a_file_that_is_no_image_is_not_counted() -> None:
    part = {"inlineData": {"mimeType": "application/pdf", "data": PICTURE}}
    table = budget_table({"contents": [{"role": "user", "parts": [part]}]})

    assert table.count.tokens == 0
    assert checks(table) == ["no-reserve", "not-counted"]


def test_a_conversation_that_the_server_keeps_is_not_counted_silently() -> None:
    held: list[dict[str, object]] = [
        {"previous_response_id": "resp_1"},
        {"conversation": {"id": "conv_1"}},
        {"prompt": {"id": "pmpt_1"}},
        {"cachedContent": "cachedContents/1"},
    ]

    for one in held:
        body = {"input": "Go on.", "max_output_tokens": 9, **one}
        assert checks(budget_table(body)) == ["prefix-unknown"]


def test_the_model_asked_for_is_the_one_counted_for() -> None:
    body = {"model": "gpt-4o", "messages": [{"role": "user", "content": "工具返回的结果"}]}

    assert budget_table(body).count.encoding == "o200k_base"
    assert budget_table(body, model="gpt-4").count.encoding == "cl100k_base"
    other = budget_table(body, model="claude-opus-4-6").count
    assert (other.method, other.window) == ("estimate", 1_000_000)
    assert other.low < other.tokens < other.high


def test_nesting_without_end_is_said_and_raises_nothing() -> None:
    deep: Any = "end"
    for _ in range(3_000):
        deep = [deep]
    table = budget_table({"messages": [{"role": "user", "content": deep}], "max_tokens": 9})

    assert checks(table) == ["not-counted"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "type",
                    "text",
                    "role",
                    "content",
                    "parts",
                    "image_url",
                    "source",
                    "input",
                    "output",
                    "tool_calls",
                    "function",
                    "functionResponse",
                    "inlineData",
                    "name",
                ]
            ),
            inner | st.sampled_from(["user", "tool", "image", "tool_result", "x_call", "text"]),
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(messages=JSON, tools=JSON, system=JSON)
def test_no_body_raises_and_its_rows_add_up(messages: Any, tools: Any, system: Any) -> None:
    table = budget_table({"messages": messages, "tools": tools, "system": system, "max_tokens": 7})

    assert sum(row.tokens for row in table.rows) == table.count.tokens + 7
    assert sum(one.tokens for one in table.tools) == rows(table)["tools"]
    json.dumps(table.to_dict())


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"messages": []}, True),
        ({"input": "hi"}, True),
        ({"input": []}, True),
        ({"contents": [{"parts": []}]}, True),
        ({"input": 5}, False),
        ({"messages": "none"}, False),
        ({"rows": []}, False),
        ([{"messages": []}], False),
        (None, False),
    ],
)
def test_what_a_request_body_is(value: object, expected: bool) -> None:
    assert is_body(value) is expected

"""What any answer of an MCP server is after a cut: within its budget, in step, and valid."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import validate
from mcp.types import EmbeddedResource, ResourceLink, TextContent, TextResourceContents

from ullage import chars
from ullage.integrate.adapters.mcp_answers import Answer, adapter_of, fitted, unnoticed
from ullage.integrate.mcp import Fitting

SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=30)
ROWS = st.lists(st.dictionaries(st.sampled_from("abcd"), SCALARS, max_size=4), max_size=60)
LIMITS = st.integers(min_value=250, max_value=3_000)
OBJECT = {
    "type": "object",
    "properties": {"rows": {"type": "array", "items": {"type": "object"}}},
    "required": ["rows"],
}
STRICT = {**OBJECT, "additionalProperties": False}
WRAPPED = {
    "type": "object",
    "properties": {"result": {"type": "array", "items": {"type": "object"}}},
    "required": ["result"],
}


def text(said: str) -> TextContent:
    return TextContent(type="text", text=said)


def cut(limit: int, content: list[Any], structured: Any, schema: Any) -> Answer:
    adapter = adapter_of(Fitting(results=chars(limit)))
    given = Answer(content=content, structured=structured)
    with adapter.call("fetch") as call:
        pass
    return fitted(adapter, call, {}, given, schema)


@given(rows=ROWS, limit=LIMITS, strict=st.booleans())
@settings(deadline=None)
def test_an_object_stays_valid_and_says_what_its_text_says(
    rows: list[Any], limit: int, strict: bool
) -> None:
    value = {"rows": rows}
    schema = STRICT if strict else OBJECT

    done = cut(limit, [text(json.dumps(value))], value, schema)

    said = json.loads(done.content[0].text)
    validate(done.structured, schema)
    assert unnoticed(said)[1] == unnoticed(done.structured)[1]
    assert done.structured == value or len(done.content[0].text) <= limit


@given(rows=ROWS, limit=LIMITS, apart=st.booleans())
@settings(deadline=None)
def test_a_list_stays_one_whether_it_is_one_block_or_a_block_a_record(
    rows: list[Any], limit: int, apart: bool
) -> None:
    blocks = (
        [text(json.dumps(row, indent=2)) for row in rows] if apart else [text(json.dumps(rows))]
    )

    done = cut(limit, blocks, {"result": rows}, WRAPPED)

    assert done.structured
    validate(done.structured, WRAPPED)
    if len(done.content) == len(blocks) and done.structured == {"result": rows}:
        return
    (block,) = done.content
    assert len(block.text) <= limit
    assert unnoticed(json.loads(block.text))[1] == done.structured["result"]


def test_the_text_of_a_resource_is_cut_and_a_link_stays() -> None:
    held = TextResourceContents(uri="file:///a.txt", text="line\n" * 900)
    resource = EmbeddedResource(type="resource", resource=held)
    link = ResourceLink(type="resource_link", uri="file:///b.txt", name="b")

    done = cut(500, [resource, link], None, None)

    assert len(done.content[0].resource.text) <= 500
    assert done.content[1] is link


def test_an_answer_without_a_text_is_cut_by_what_it_structures() -> None:
    value = {"rows": [{"a": number} for number in range(400)]}

    done = cut(600, [], value, OBJECT)

    assert done.content == []
    assert done.structured
    assert len(json.dumps(done.structured, separators=(",", ":"))) <= 600


def test_texts_that_are_no_records_share_the_budget() -> None:
    done = cut(600, [text("short"), text("word " * 900)], None, None)

    assert done.content[0].text == "short"
    assert 300 < len(done.content[1].text) <= 595

"""A request that wants JSON gets the smallest that fits."""

import json

import pytest

from ullage.probe.case import Case
from ullage.probe.request import read_request
from ullage.probe.scripts import Hands, Words, script_of
from ullage.probe.structured import smallest_json

SCHEMA = {
    "type": "object",
    "properties": {
        "reason": {"type": "string"},
        "next": {"type": "STRING", "enum": ["user", "model"]},
        "score": {"type": "integer", "minimum": 2},
        "parts": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/part"}},
        "inner": {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]},
        "extra": {"type": "string"},
    },
    "required": ["reason", "next", "score", "parts", "inner"],
    "$defs": {"part": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
}
FITS = {"reason": "done", "next": "user", "score": 2, "parts": ["done"], "inner": {"ok": False}}
CHAT = {"type": "json_schema", "json_schema": {"name": "a", "schema": SCHEMA}}
GEMINI = {"responseMimeType": "application/json"}


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ({"response_format": CHAT}, FITS),
        ({"text": {"format": {"type": "json_schema", "schema": SCHEMA}}}, FITS),
        ({"generationConfig": GEMINI | {"responseSchema": SCHEMA}}, FITS),
        ({"generationConfig": GEMINI | {"responseJsonSchema": SCHEMA}}, FITS),
        ({"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}}, FITS),
        ({"response_format": {"type": "json_object"}}, {}),
    ],
)
def test_an_answer_fits_the_schema_in_each_providers_place(
    body: dict[str, object], answer: object
) -> None:
    wanted = read_request({"messages": [], **body}).wanted

    assert wanted is not None
    assert json.loads(smallest_json(wanted, "done")) == answer


def test_who_wants_no_json_gets_none() -> None:
    assert read_request({"response_format": {"type": "text"}}).wanted is None


def test_a_schema_that_holds_itself_comes_to_an_end() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["next"]}

    assert json.loads(smallest_json(node, "x"))["next"]


def test_who_asks_a_helper_for_json_gets_that_and_no_summary() -> None:
    script = script_of(Case(tag="a", kind="result"), Words(), Hands(file=str, evidence=list))
    asked = {"messages": [{"role": "user", "content": "Which?"}], "response_format": CHAT}

    assert set(json.loads(script(read_request(asked)).text)) == set(FITS)

"""Layers are seen through, and put back."""

import ast
import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ullage import Cut, chars, cut

ROWS = [{"id": number, "name": f'row "{number}"', "cpu": number % 7} for number in range(200)]
INNER = json.dumps({"rows": ROWS, "total": 200})
LAYERS: dict[str, Any] = {
    "one string": (lambda text: json.dumps(text), lambda text: json.loads(text)),
    "two strings": (
        lambda text: json.dumps(json.dumps(text)),
        lambda text: json.loads(json.loads(text)),
    ),
    "a label": (lambda text: f"Observation:\n{text}", lambda text: text.split("\n", 1)[1]),
    "a fence": (lambda text: f"```json\n{text}\n```", lambda text: text[8:-4]),
    "an MCP result": (
        lambda text: f"meta=None content=[TextContent(type='text', text={text!r})] isError=False",
        lambda text: ast.literal_eval(text.split("text=", 1)[1].rsplit(")] isError", 1)[0]),
    ),
    "a label around a string": (
        lambda text: f"Tool result: {json.dumps(text)}",
        lambda text: json.loads(text.split(": ", 1)[1]),
    ),
}


def total(done: Cut) -> int:
    return max(part.produced for part in done.account.parts)


@pytest.mark.parametrize("name", LAYERS)
def test_the_inner_rows_are_cut_whole_and_the_layer_is_put_back(name: str) -> None:
    wrap, unwrap = LAYERS[name]
    done = cut(wrap(INNER), chars(1500))

    value = json.loads(unwrap(done.text))
    assert len(done.text) <= 1500
    assert value["total"] == 200
    assert all(row in ROWS for row in value["rows"])
    assert len(value["rows"]) > 8
    assert "of 200 records" in done.notice
    assert total(done) == 200


@given(
    rows=st.lists(st.fixed_dictionaries({"t": st.text(max_size=9)}), min_size=20, max_size=40),
    name=st.sampled_from(sorted(LAYERS)),
    share=st.floats(0.05, 1),
)
def test_any_rows_in_any_layer_stay_readable(
    rows: list[dict[str, str]], name: str, share: float
) -> None:
    wrap, unwrap = LAYERS[name]
    text = wrap(json.dumps(rows, ensure_ascii=False))
    floor = cut(text, chars(1)).account.floor
    limit = round(floor + share * (len(text) - floor))
    assume(limit < len(text))

    done = cut(text, chars(max(limit, 1)))

    assert len(done.text) <= limit
    assert isinstance(json.loads(unwrap(done.text)), list)


def test_a_wrapping_that_does_not_fit_leaves_nothing_and_says_so() -> None:
    done = cut(f"Observation: {INNER}", chars(5))

    assert (done.text, done.account.below_floor) == ("", True)


def test_a_sentence_before_json_is_no_label() -> None:
    text = "I looked at the rows and found these, see below, they are: many. " * 3 + INNER

    assert cut(text, chars(1500)).account.format == "text"


def test_ascii_escapes_stay_ascii() -> None:
    text = json.dumps(json.dumps([{"name": "é" * 9} for _ in range(90)], ensure_ascii=False))

    assert text.isascii()
    assert cut(text, chars(600)).text.isascii()


def test_a_fence_between_sentences_is_seen_through() -> None:
    before, after = "Here is the result you asked for:\n```json\n", "\n```\nLet me know."

    done = cut(before + json.dumps(ROWS) + after, chars(1000))

    assert done.text.startswith(before)
    assert done.text.endswith(after)
    value = json.loads(done.text[len(before) : -len(after)])
    assert all(row in ROWS for row in value[1:])


def test_many_layers_cost_little() -> None:
    text = INNER
    for _ in range(5):
        text = json.dumps({"body": text})

    done = cut(text, chars(2_000))

    assert len(done.text) <= 2_000


def test_a_label_is_looked_for_in_bounded_time() -> None:
    cut("Result:" + "\n" * 400_000 + "x" * 10, chars(500))
    cut(("a:" + " " * 20_000) * 3 + "x" * 1000, chars(500))


def test_json_behind_a_byte_order_mark_is_cut_by_records_and_keeps_the_mark() -> None:
    rows = "\ufeff" + json.dumps([{"id": number, "v": "x" * 30} for number in range(60)])

    done = cut(rows, chars(500))

    assert done.text[0] == "\ufeff"
    assert isinstance(json.loads(done.text[1:]), list)
    assert done.account.format == "json"
    assert len(done.text) <= 500

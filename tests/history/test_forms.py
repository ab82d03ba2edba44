"""Every form is read into pieces and written again; what is kept is the very object given."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.errors import LoadError
from ullage.history.forms.form import SYSTEM, Form
from ullage.history.forms.table import BY_NAME, as_body, form_of
from ullage.history.gauge import Gauge
from ullage.history.piece import HistoryUnit
from ullage.wire.budget_table import budget_table
from ullage.wire.readers import request_shape

TOKENS = Gauge("tokens")
TEXT = st.text(max_size=30)
# The pieces of a run, whatever the provider: a user's turn, or a reply with its calls and results.
TURN = st.one_of(
    st.tuples(st.just("user"), TEXT),
    st.tuples(st.just("reply"), TEXT, st.lists(TEXT, max_size=3)),
)
RUN = st.lists(TURN, max_size=6)


def chat(run: list[Any]) -> dict[str, Any]:
    messages: list[dict[str, Any]] = [{"role": "system", "content": "You are a clerk."}]
    number = 0
    for kind, said, *more in run:
        if kind == "user":
            messages.append({"role": "user", "content": said})
            continue
        calls, results = [], []
        for returned in more[0]:
            number += 1
            called = {"name": "fetch", "arguments": '{"page": 1}'}
            calls.append({"id": f"c{number}", "type": "function", "function": called})
            results.append({"role": "tool", "tool_call_id": f"c{number}", "content": returned})
        reply: dict[str, Any] = {"role": "assistant", "content": said}
        messages += [{**reply, "tool_calls": calls} if calls else reply, *results]
    tools = [{"type": "function", "function": {"name": "fetch", "parameters": {}}}]
    return {"model": "gpt-4o", "messages": messages, "tools": tools, "max_tokens": 100}


def responses(run: list[Any]) -> dict[str, Any]:
    items: list[dict[str, Any]] = []
    number = 0
    for kind, said, *more in run:
        if kind == "user":
            items.append({"role": "user", "content": [{"type": "input_text", "text": said}]})
            continue
        items.append({"type": "reasoning", "id": "rs_1", "summary": []})
        results = []
        for returned in more[0]:
            number += 1
            call = {"type": "function_call", "call_id": f"c{number}", "name": "fetch"}
            items.append({**call, "arguments": "{}"})
            output = {"type": "function_call_output", "call_id": f"c{number}", "output": returned}
            results.append(output)
        items += results
        items.append({"role": "assistant", "content": [{"type": "output_text", "text": said}]})
    return {"model": "gpt-4o", "instructions": "You are a clerk.", "input": items}


def anthropic(run: list[Any]) -> dict[str, Any]:
    messages: list[dict[str, Any]] = []
    number = 0
    for kind, said, *more in run:
        if kind == "user":
            messages.append({"role": "user", "content": said})
            continue
        blocks: list[dict[str, Any]] = [
            {"type": "thinking", "thinking": "so", "signature": "x"},
            {"type": "text", "text": said},
        ]
        results: list[dict[str, Any]] = []
        for returned in more[0]:
            number += 1
            blocks.append({"type": "tool_use", "id": f"t{number}", "name": "fetch", "input": {}})
            results.append(
                {"type": "tool_result", "tool_use_id": f"t{number}", "content": returned}
            )
        messages.append({"role": "assistant", "content": blocks})
        if results:
            text = {"type": "text", "text": "and go on"}
            messages.append({"role": "user", "content": [*results, text]})
    return {"model": "claude-x", "system": "You are a clerk.", "messages": messages}


def gemini(run: list[Any]) -> dict[str, Any]:
    contents: list[dict[str, Any]] = []
    for kind, said, *more in run:
        if kind == "user":
            contents.append({"role": "user", "parts": [{"text": said}]})
            continue
        parts: list[dict[str, Any]] = [{"text": said}]
        results = []
        for returned in more[0]:
            parts.append({"functionCall": {"name": "fetch", "args": {}}})
            held = {"name": "fetch", "response": {"output": returned}}
            results.append({"functionResponse": held})
        contents.append({"role": "model", "parts": parts})
        if results:
            contents.append({"role": "user", "parts": results})
    system = {"parts": [{"text": "You are a clerk."}]}
    return {"contents": contents, "systemInstruction": system}


MADE = {
    "openai-chat": chat,
    "openai-responses": responses,
    "anthropic": anthropic,
    "gemini": gemini,
}
FORMS = pytest.mark.parametrize("form", BY_NAME.values(), ids=lambda form: form.name)
FULL = [("user", "Do it"), ("reply", "I look", ["one row", "two rows"]), ("user", "And now?")]


@FORMS
def test_a_body_is_told_by_its_members(form: Form) -> None:
    assert form_of(MADE[form.name](FULL)) is form


@FORMS
@given(run=RUN)
def test_what_is_read_and_written_is_the_same_object_for_each_message(
    form: Form, run: list[Any]
) -> None:
    body = MADE[form.name](run)

    written = form.write(body, form.read(body, TOKENS))

    assert written == body
    old, new = body[form.list_member], written[form.list_member]
    assert isinstance(new, list)
    assert all(one is other for one, other in zip(old, new, strict=True))


@FORMS
@given(run=RUN)
def test_the_pieces_say_what_the_wire_reader_reads(form: Form, run: list[Any]) -> None:
    body = MADE[form.name](run)
    shape = request_shape(body)
    assert shape is not None

    pieces = form.read(body, TOKENS)

    said = [one.message for one in pieces if not (one.solid and not one.message.text)]
    assert said == list(shape.request(body).messages)


@FORMS
@given(run=RUN)
def test_the_tokens_add_up_to_what_count_says(form: Form, run: list[Any]) -> None:
    body = MADE[form.name](run)
    gauge = Gauge("tokens", body.get("model"))

    pieces, fixed = form.read(body, gauge), form.fixed(body, gauge)

    table = budget_table(body)
    assert fixed.tokens + sum(one.tokens for one in pieces) == table.count.tokens
    assert fixed.reserve == table.reserve


@FORMS
@given(run=RUN)
def test_the_characters_of_the_messages_never_exceed_the_costs(form: Form, run: list[Any]) -> None:
    body = MADE[form.name](run)
    pieces = form.read(body, Gauge("chars"))

    text = json.dumps(body[form.list_member], ensure_ascii=False, separators=(",", ":"))

    assert len(text) <= sum(one.cost for one in pieces) + 2


@FORMS
@given(run=RUN)
def test_a_message_costs_one_where_messages_count(form: Form, run: list[Any]) -> None:
    body = MADE[form.name](run)

    cost = sum(one.cost for one in form.read(body, Gauge("messages")))

    # A message with results and words besides counts twice: either may stay without the other.
    mixed = len([turn for turn in run if turn[0] == "reply" and turn[2]])
    exact = len(body[form.list_member])
    assert cost == exact + (mixed if form.name == "anthropic" else 0)


@FORMS
@pytest.mark.parametrize("unit", ["tokens", "chars", "messages"])
def test_a_result_gets_another_text_and_its_neighbours_none(form: Form, unit: HistoryUnit) -> None:
    body = MADE[form.name](FULL)
    gauge = Gauge(unit)
    pieces = list(form.read(body, gauge))
    at = next(index for index, one in enumerate(pieces) if one.message.text == "one row")

    pieces[at] = form.reword(pieces[at], "[gone]", gauge)
    again = form.read(form.write(body, pieces), gauge)

    assert [one.message for one in again] == [one.message for one in pieces]
    assert again[at].message.text == "[gone]"
    assert [one.cost for one in again] == [one.cost for one in pieces]


@FORMS
def test_what_is_given_is_not_altered(form: Form) -> None:
    body = MADE[form.name](FULL)
    before = json.dumps(body)
    pieces = form.read(body, TOKENS)

    form.write(body, [form.reword(one, "x", TOKENS) for one in pieces if one.is_result])

    assert json.dumps(body) == before


@FORMS
def test_a_message_of_ours_reads_as_what_it_says(form: Form) -> None:
    body = MADE[form.name](FULL)
    pieces = form.read(body, TOKENS)
    ours = form.say("user", "earlier", TOKENS)

    written = form.write(body, [*pieces, ours])

    assert form.read(written, TOKENS)[-1].message == ours.message
    assert form.trail([*pieces, ours])[-1] is None


@FORMS
def test_the_trail_names_the_message_that_each_one_came_from(form: Form) -> None:
    body = MADE[form.name](FULL)
    pieces = form.read(body, TOKENS)

    kept = [one for one in pieces if one.place in (0, len(body[form.list_member]) - 1, SYSTEM)]

    assert form.trail(kept) == (0, len(body[form.list_member]) - 1)


def test_a_result_may_leave_a_message_that_says_something_else_too() -> None:
    form = BY_NAME["anthropic"]
    body = anthropic(FULL)
    pieces = form.read(body, TOKENS)

    kept = [one for one in pieces if one.message.text != "one row"]
    messages: Any = form.write(body, kept)["messages"]

    assert [block["type"] for block in messages[2]["content"]] == ["tool_result", "text"]


def test_a_result_of_ours_joins_the_results_of_its_reply() -> None:
    form = BY_NAME["anthropic"]
    body = anthropic([("reply", "look", ["one row"])])
    pieces = form.read(body, TOKENS)
    ours = form.answer("t9", "fetch", "nothing", TOKENS)

    messages: Any = form.write(body, [*pieces[:2], ours, *pieces[2:]])["messages"]

    kinds = [block["type"] for block in messages[1]["content"]]
    assert kinds == ["tool_result", "tool_result", "text"]


def test_markers_are_read_and_never_sent() -> None:
    form = BY_NAME["openai-chat"]
    kept = {"role": "user", "content": "rows", "protected": True, "source": "orders.json"}
    loose = {"role": "user", "content": "hm", "include_in_trim": True}
    pieces = form.read({"messages": [kept, loose]}, TOKENS)

    sent = form.write({}, pieces)["messages"]

    assert [(one.marked, one.source) for one in pieces] == [(True, "orders.json"), (False, None)]
    assert sent == [{"role": "user", "content": "rows"}, {"role": "user", "content": "hm"}]


def test_a_message_of_an_unknown_role_is_passed_on() -> None:
    form = BY_NAME["openai-chat"]
    strange = {"role": "narrator", "content": "meanwhile"}

    pieces = form.read({"messages": [strange]}, TOKENS)

    assert pieces[0].solid
    assert form.write({}, pieces)["messages"] == [strange]


def test_what_a_user_said_is_not_reworded() -> None:
    form = BY_NAME["openai-chat"]
    (piece,) = form.read({"messages": [{"role": "user", "content": "hi"}]}, TOKENS)

    with pytest.raises(ValueError, match="only the text of a result"):
        form.reword(piece, "x", TOKENS)


def test_an_image_in_a_result_makes_it_solid() -> None:
    form = BY_NAME["openai-chat"]
    image = {"type": "image_url", "image_url": {"url": "https://pictures.test/a.png"}}
    result = {"role": "tool", "tool_call_id": "c1", "content": [image]}

    (piece,) = form.read({"messages": [result]}, TOKENS)

    assert piece.solid
    assert piece.tokens > 0


def test_a_text_alone_stays_a_text() -> None:
    form = BY_NAME["openai-responses"]
    body = {"input": "just this"}

    assert form.write(body, form.read(body, TOKENS)) == body


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ([{"role": "user", "content": "hi"}], "openai-chat"),
        ([{"role": "user", "parts": [{"text": "hi"}]}], "gemini"),
        ([{"type": "function_call", "call_id": "1", "name": "f"}], "openai-responses"),
        (
            [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1"}]}],
            "anthropic",
        ),
    ],
)
def test_a_bare_list_is_told_by_its_messages(given: list[Any], name: str) -> None:
    assert form_of(given).name == name
    assert form_of(as_body(given)).name == name


@pytest.mark.parametrize("given", ["text", 7, {"prompt": "x"}, None])
def test_what_is_no_history_says_what_was_expected(given: object) -> None:
    with pytest.raises(LoadError, match="no history: expected"):
        form_of(given)


def test_a_message_that_is_no_json_is_an_error_that_says_so() -> None:
    body = {"messages": [{"role": "user", "content": "hi", "when": object()}]}

    with pytest.raises(LoadError, match="cannot be written as JSON"):
        BY_NAME["openai-chat"].read(body, Gauge("chars"))

"""What a history says of its own compaction is read in every provider's form."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from tests.checks.exchanges import CHAT, GEMINI, MESSAGES, RESPONSES, exchange

from ullage.checks.left import compactions
from ullage.checks.measure import Run, measure_exchanges
from ullage.checks.run import run_findings
from ullage.history.block import Block, Gone, write_block
from ullage.history.rules.placeholder import Placeholder
from ullage.transcript.transcript import Compaction

LINE = Placeholder(gone="40 of 40 records", rules=("listings",)).line()
ROWS = [json.dumps([{"id": f"ORD-{week}-{n}"} for n in range(40)]) for week in range(4)]
Item = tuple[str, Any]
Body = Callable[[Sequence[Item]], dict[str, Any]]


def chat(items: Sequence[Item]) -> dict[str, Any]:
    def said(kind: str, value: Any) -> dict[str, Any]:
        if kind == "user":
            return {"role": "user", "content": value}
        number, text = value if kind == "result" else (value, None)
        if kind == "result":
            return {"role": "tool", "tool_call_id": f"c{number}", "content": text}
        function = {"name": "list_orders", "arguments": json.dumps({"week": number})}
        call = {"id": f"c{number}", "type": "function", "function": function}
        return {"role": "assistant", "content": None, "tool_calls": [call]}

    return {"model": "gpt-4o", "messages": [said(*one) for one in items]}


def messages(items: Sequence[Item]) -> dict[str, Any]:
    def said(kind: str, value: Any) -> dict[str, Any]:
        if kind == "user":
            return {"role": "user", "content": value}
        if kind == "result":
            block = {"type": "tool_result", "tool_use_id": f"c{value[0]}", "content": value[1]}
            return {"role": "user", "content": [block]}
        use = {"type": "tool_use", "id": f"c{value}", "name": "list_orders", "input": {"w": value}}
        return {"role": "assistant", "content": [use]}

    return {"model": "claude-opus-5", "max_tokens": 9, "messages": [said(*one) for one in items]}


def responses(items: Sequence[Item]) -> dict[str, Any]:
    def said(kind: str, value: Any) -> dict[str, Any]:
        if kind == "user":
            return {"role": "user", "content": value}
        if kind == "result":
            number, text = value
            return {"type": "function_call_output", "call_id": f"c{number}", "output": text}
        asked = json.dumps({"week": value})
        called = {"name": "list_orders", "arguments": asked}
        return {"type": "function_call", "call_id": f"c{value}", **called}

    return {"model": "gpt-4o", "input": [said(*one) for one in items]}


def gemini(items: Sequence[Item]) -> dict[str, Any]:
    def said(kind: str, value: Any) -> dict[str, Any]:
        if kind == "user":
            return {"role": "user", "parts": [{"text": value}]}
        if kind == "result":
            number, text = value
            named = {"id": f"c{number}", "name": "list_orders"}
            part = {"functionResponse": {**named, "response": {"result": text}}}
            return {"role": "user", "parts": [part]}
        call = {"id": f"c{value}", "name": "list_orders", "args": {"week": value}}
        return {"role": "model", "parts": [{"functionCall": call}]}

    return {"contents": [said(*one) for one in items]}


FORMS: dict[str, tuple[str, Body]] = {
    "chat": (CHAT, chat),
    "messages": (MESSAGES, messages),
    "responses": (RESPONSES, responses),
    "gemini": (GEMINI, gemini),
}


def history(turns: int) -> list[Item]:
    items: list[Item] = [("user", "Find the late orders of each week for report.md.")]
    for number in range(turns):
        items += [("call", number), ("result", (number, ROWS[number]))]
    return items


def run_of(form: str, first: Sequence[Item], second: Sequence[Item]) -> Run:
    url, body = FORMS[form]
    return measure_exchanges(
        [exchange(url, body(one), {}, number) for number, one in enumerate((first, second))]
    )


def found_in(run: Run) -> Compaction:
    (session,) = run.sessions
    (left,) = compactions(session)
    return left.one


@pytest.mark.parametrize("form", FORMS)
def test_a_result_that_a_rule_shortened(form: str) -> None:
    short = [
        (kind, (value[0], LINE)) if kind == "result" and value[0] < 2 else (kind, value)
        for kind, value in history(4)
    ]

    run = run_of(form, history(3), short)

    one = found_in(run)
    assert (one.stated, one.act, one.rules, len(one.cleared)) == (True, "elide", ("listings",), 2)
    assert [each.check for each in run_findings(run)] == []


def in_the_users_name(rows: Sequence[str]) -> dict[str, Any]:
    """A history as smolagents sends it: no result has the name of its call."""
    said: list[dict[str, str]] = [{"role": "user", "content": "Find the late orders of each week."}]
    for number, row in enumerate(rows):
        said += [
            {"role": "assistant", "content": f"Calling tools: list_orders({number})"},
            {"role": "user", "content": row},
        ]
    return {"model": "gpt-4o", "messages": said}


def test_results_in_the_users_name_that_a_rule_shortened() -> None:
    whole = [f"Observation:\n{row}" for row in ROWS]
    bodies = [in_the_users_name(whole[:3]), in_the_users_name([LINE, LINE, *whole[2:]])]
    run = measure_exchanges(
        [exchange(CHAT, body, {}, number) for number, body in enumerate(bodies)]
    )

    one = found_in(run)
    assert (one.stated, one.act, one.rules, len(one.cleared)) == (True, "elide", ("listings",), 2)
    assert [each.check for each in run_findings(run)] == []


def test_a_reply_that_the_harness_writes_down_in_its_own_way_is_not_gone() -> None:
    whole = [f"Observation:\n{row}" for row in ROWS]
    bodies = [in_the_users_name(whole[:3]), in_the_users_name([LINE, LINE, *whole[2:]])]
    function = {"name": "list_orders", "arguments": '{"week": 3}'}
    called = [{"id": "c3", "type": "function", "function": function}]
    said = {"role": "assistant", "content": None, "tool_calls": called}
    reply = {"choices": [{"index": 0, "message": said, "finish_reason": "tool_calls"}]}
    run = measure_exchanges(
        [exchange(CHAT, body, reply, number) for number, body in enumerate(bodies)]
    )

    one = found_in(run)
    assert (one.stated, one.act, len(one.cleared)) == (True, "elide", 2)
    assert "message-lost" not in [each.check for each in run_findings(run)]


def test_a_message_of_the_users_that_is_gone_beside_them_is_not_stated() -> None:
    whole = [f"Observation:\n{row}" for row in ROWS]
    bodies = [in_the_users_name(whole[:3]), in_the_users_name([LINE, *whole[2:]])]
    run = measure_exchanges(
        [exchange(CHAT, body, {}, number) for number, body in enumerate(bodies)]
    )

    one = found_in(run)
    assert (one.stated, one.act) == (False, "trim")
    assert "message-lost" in [each.check for each in run_findings(run)]


@pytest.mark.parametrize("form", FORMS)
def test_what_is_carried_in_place_of_the_oldest(form: str) -> None:
    block = write_block(Block(notice=Gone(trimmed=4, of=7, tokens=900)))
    whole = history(4)
    short = [whole[0], ("user", block), *whole[5:]]

    run = run_of(form, history(3), short)

    one = found_in(run)
    assert (one.stated, one.act) == (True, "trim")
    assert [each.check for each in run_findings(run)] == []

"""A loop of one's own: decorated tools, and requests of every provider that fit."""

import asyncio
import copy
import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from openai.types.chat import ChatCompletionMessage
from pydantic import BaseModel

from ullage import Handoff, HistoryError, Ledger, LoadError, MemoryStore
from ullage.history.forms.table import form_of
from ullage.integrate.functions import Fitting, Ullage, plain
from ullage.wire.budget_table import budget_table
from ullage.wire.readers import Provider

PROVIDERS = get_args(Provider)
RULE = "Never write to the table orders_live."


def rows(customer: str, count: int = 300) -> dict[str, list[dict[str, object]]]:
    """List a customer's orders."""
    return {"orders": [{"id": f"{customer}-{n:04d}", "total": n * 3} for n in range(count)]}


def chat(turns: int, text: str) -> list[Any]:
    messages: list[Any] = [{"role": "user", "content": f"List the orders. {RULE}"}]
    for n in range(turns):
        call = {"id": f"c{n}", "type": "function", "function": {"name": "rows", "arguments": "{}"}}
        messages.append({"role": "assistant", "content": f"Page {n}.", "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{n}", "content": text})
    return messages


def responses(turns: int, text: str) -> list[Any]:
    items: list[Any] = [{"role": "user", "content": f"List the orders. {RULE}"}]
    for n in range(turns):
        items.append(
            {"type": "function_call", "call_id": f"c{n}", "name": "rows", "arguments": "{}"}
        )
        items.append({"type": "function_call_output", "call_id": f"c{n}", "output": text})
    return items


def anthropic(turns: int, text: str) -> list[Any]:
    messages: list[Any] = [{"role": "user", "content": f"List the orders. {RULE}"}]
    for n in range(turns):
        use = {"type": "tool_use", "id": f"c{n}", "name": "rows", "input": {}}
        result = {"type": "tool_result", "tool_use_id": f"c{n}", "content": text}
        messages.append({"role": "assistant", "content": [use]})
        messages.append({"role": "user", "content": [result]})
    return messages


def gemini(turns: int, text: str) -> list[Any]:
    contents: list[Any] = [{"role": "user", "parts": [{"text": f"List the orders. {RULE}"}]}]
    for n in range(turns):
        call = {"functionCall": {"name": "rows", "args": {"page": n}}}
        result = {"functionResponse": {"name": "rows", "response": {"output": text}}}
        contents.append({"role": "model", "parts": [call]})
        contents.append({"role": "user", "parts": [result]})
    return contents


MADE: dict[str, Callable[[int, str], list[Any]]] = {
    "openai-chat": chat,
    "openai-responses": responses,
    "anthropic": anthropic,
    "gemini": gemini,
}


def body_of(provider: str, turns: int = 12) -> dict[str, Any]:
    messages = MADE[provider](turns, json.dumps(rows("C1", 60)))
    member = {"openai-responses": "input", "gemini": "contents"}.get(provider, "messages")
    named = {"max_tokens": 100} if provider == "anthropic" else {}
    return {"model": "m", **named, member: messages}


def test_a_decorated_tool_hands_on_a_text_that_fits_and_stays_json() -> None:
    ullage = Ullage(Fitting(results=500))

    text = ullage.tool(rows)("C1")

    assert len(text) < len(json.dumps(rows("C1"))) / 2
    assert json.loads(text)["_ullage"]


def test_what_fits_is_handed_on_as_it_is() -> None:
    ullage = Ullage(Fitting(results=500))

    assert ullage.tool(lambda: "as it is", name="say")() == "as it is"
    assert json.loads(ullage.tool(rows)("C1", 2)) == rows("C1", 2)


def test_an_async_tool_stays_async() -> None:
    ullage = Ullage(Fitting(results=500))

    @ullage.tool
    async def later(customer: str) -> dict[str, Any]:
        return rows(customer)

    assert inspect.iscoroutinefunction(later)
    assert json.loads(asyncio.run(later("C1")))["_ullage"]


def test_a_schema_can_be_made_of_a_decorated_tool() -> None:
    made = Ullage(Fitting(results=500)).tool(rows)

    assert made.__name__ == "rows"
    assert inspect.signature(made) == inspect.signature(rows)
    assert made.__doc__ == rows.__doc__


def test_a_tool_is_recorded_as_produced_and_as_handed_on(tmp_path: Path) -> None:
    path = tmp_path / "run.ledger"
    text = Ullage(Fitting(results=500, ledger=path, run="r")).tool(
        rows,
    )("C1")

    with Ledger.read(path) as ledger:
        (found,) = ledger.results("r")
    assert json.loads(found.text) == rows("C1")
    assert (found.handed_on, found.tool) == (text, "rows")
    assert json.loads(found.arguments) == {"customer": "C1"}


def test_what_a_tool_raises_is_its_callers() -> None:
    @Ullage(Fitting(results=500)).tool
    def fails() -> str:
        raise RuntimeError("no such customer")

    with pytest.raises(RuntimeError, match="no such customer"):
        fails()


def test_a_generator_is_no_tool() -> None:
    with pytest.raises(TypeError, match="is a generator"):
        Ullage(Fitting()).tool(lambda: (yield 1), name="pages")
    with pytest.raises(TypeError, match="a tool is a function"):
        Ullage(Fitting()).tool("rows")  # type: ignore[arg-type]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_request_of_every_provider_fits_and_nothing_given_is_changed(provider: str) -> None:
    body = body_of(provider)
    before = copy.deepcopy(body)
    ullage = Ullage(Fitting(history=3_000, tier="T1"))

    sent = ullage.shorten(body)

    assert body == before
    assert budget_table(sent).count.tokens <= 3_000 < budget_table(body).count.tokens
    assert RULE in json.dumps(sent)
    assert form_of(sent).name == provider
    assert {k: v for k, v in sent.items() if not isinstance(v, list)} == {
        k: v for k, v in body.items() if not isinstance(v, list)
    }


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_bare_list_comes_back_as_one(provider: str) -> None:
    messages = MADE[provider](12, json.dumps(rows("C1", 60)))
    sent = Ullage(Fitting(history=3_000, tier="T1")).shorten(messages)

    assert isinstance(sent, list)
    assert len(json.dumps(sent)) < len(json.dumps(messages)) / 2


def test_the_beginning_of_a_conversation_stays_as_it_was_sent() -> None:
    ullage = Ullage(Fitting(history=3_000, tier="T1"))
    body = body_of("openai-chat")
    first = ullage.shorten(body)["messages"]
    body["messages"] = [*body["messages"], {"role": "user", "content": "Go on."}]

    second = ullage.shorten(body)["messages"]

    assert second[: len(first)] == first


def test_awaited_it_does_the_same() -> None:
    body = body_of("anthropic")
    fitting = Fitting(history=3_000, tier="T1")

    assert asyncio.run(Ullage(fitting).shorten_async(body)) == Ullage(fitting).shorten(body)


def test_markers_are_taken_off_also_where_histories_are_left_alone() -> None:
    messages = [{"role": "user", "content": "hello", "protected": True}]

    assert Ullage(Fitting(results=500)).shorten(messages) == [{"role": "user", "content": "hello"}]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_what_earlier_stages_found_stands_behind_the_task_and_stays(
    provider: str, tmp_path: Path
) -> None:
    with Handoff(tmp_path / "run.ledger") as handoff:
        with handoff.worker("scout"):
            handoff.record_finding("Order C1-0007 was paid twice.")
        ullage = Ullage(Fitting(history=3_000, tier="T1", handoff=handoff, stage="decide"))
        sent = ullage.shorten(body_of(provider))

    messages = next(one for one in sent.values() if isinstance(one, list))
    assert "paid twice" in json.dumps(messages[1:3])  # behind what says what is gone
    assert json.dumps(sent).count("protected") == 0


def test_a_text_as_input_of_responses_is_taken() -> None:
    body = {"model": "m", "input": "hello", "instructions": "be short"}

    assert Ullage(Fitting(history=3_000)).shorten(body)["input"] == [
        {"role": "user", "content": "hello"}
    ]


@pytest.mark.parametrize("provider", PROVIDERS)
def test_own_tools_are_offered_in_the_providers_spelling(provider: Provider) -> None:
    ullage = Ullage(Fitting(results=500, store=MemoryStore()))
    text = ullage.tool(rows)("C1")
    (definition,) = ullage.definitions(provider)

    assert "recall" in json.dumps(definition)
    handle = json.loads(text)["_ullage"].partition('recall("')[2].partition('"')[0]
    assert "C1-0000" in ullage.tools["recall"](handle)


def test_a_reply_of_a_client_may_stand_in_the_list_as_the_object_that_it_is() -> None:
    given = chat(12, json.dumps(rows("C1", 60)))
    messages = [
        ChatCompletionMessage.model_validate(one) if one["role"] == "assistant" else one
        for one in given
    ]
    fitting = Fitting(history=3_000, tier="T1")

    sent = Ullage(fitting).shorten({"model": "m", "messages": messages})["messages"]

    replies = [one for one in sent if isinstance(one, ChatCompletionMessage)]
    assert replies
    assert all(any(one is other for other in messages) for one in replies)
    results = [one for one in sent if isinstance(one, dict) and "tool_call_id" in one]
    assert len(results) == len(replies)
    assert plain(sent) == Ullage(fitting).shorten(given)


def test_blocks_of_a_reply_may_be_objects_too() -> None:
    given = anthropic(12, json.dumps(rows("C1", 60)))
    messages = copy.deepcopy(given)
    for one in messages[1::2]:
        one["content"] = [Block.model_validate(block) for block in one["content"]]
    fitting = Fitting(history=3_000, tier="T1")

    assert plain(Ullage(fitting).shorten(messages)) == Ullage(fitting).shorten(given)


class Block(BaseModel):
    """A block as a client has it."""

    type: str
    id: str
    name: str
    input: dict[str, Any]
    citations: None = None


def test_what_is_no_history_is_refused() -> None:
    with pytest.raises(LoadError, match="no history"):
        Ullage(Fitting(history=3_000)).shorten({"prompt": "hello"})


def test_a_history_that_cannot_fit_raises() -> None:
    with pytest.raises(HistoryError):
        Ullage(Fitting(history=50, tier="T1")).shorten(body_of("openai-chat"))

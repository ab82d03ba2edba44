"""Pydantic AI's capability in detail: values, files, parts of one request, state, the way back."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.frameworks.adapted import assert_carried
from tests.frameworks.harness import Server, module

from ullage import Handoff, chars
from ullage.probe.request import ModelRequest
from ullage.probe.script import Call, Turn

pydantic_ai = module("pydantic_ai")
messages = module("pydantic_ai.messages")
openai = module("pydantic_ai.models.openai")
providers = module("pydantic_ai.providers.openai")
pydantic = module("pydantic")
adapter = module("ullage.integrate.pydantic_ai")

ROWS = [{"id": f"R-{number:05d}", "days": number * 3} for number in range(400)]
QUESTIONS = 6


class Report(pydantic.BaseModel):  # type: ignore[misc,name-defined]
    rows: list[dict[str, Any]]


def fetch_rows() -> str:
    """Fetch."""
    return json.dumps(ROWS)


fetch_rows.__name__ = "fetch"


def script(request: ModelRequest) -> Turn:
    return Turn(text="done") if request.answered else Turn(calls=(Call(name="fetch"),))


def agent(server: Server, tool: Any, *capabilities: Any, **more: Any) -> Any:
    server.model._default = script
    provider = providers.OpenAIProvider(base_url=f"{server.url}/run/t/v1", api_key="x")
    model = openai.OpenAIChatModel("gpt-4o", provider=provider)
    return pydantic_ai.Agent(model, tools=[tool], capabilities=capabilities, **more)


def fitted(**settings: Any) -> Any:
    state = settings.pop("replace_state", False)
    return adapter.Ullage(adapter.Fitting(**settings), replace_state=state)


def talked(made: Any, questions: int = QUESTIONS) -> list[Any]:
    history: list[Any] = []
    for number in range(questions):
        result = made.run_sync(f"Question {number}.", message_history=history)
        history = result.all_messages()
    return history


def results(history: list[Any]) -> list[Any]:
    return [part for one in history for part in one.parts if part.part_kind == "tool-return"]


def sent(server: Server) -> list[Any]:
    body: Any = server.asked("t")[-1]
    found: list[Any] = body["messages"]
    return found


@pytest.mark.parametrize("made", [ROWS, {"rows": ROWS}, json.dumps(ROWS), Report(rows=ROWS)])
def test_what_is_cut_arrives_as_valid_json_of_the_same_kind(server: Server, made: Any) -> None:
    def fetch() -> Any:
        """Fetch."""
        return made

    talked(agent(server, fetch, fitted(results=chars(2_000))), 1)

    (text,) = [one["content"] for one in sent(server) if one["role"] == "tool"]
    assert len(text) <= 2_000
    assert "of 400" in text
    rows = json.loads(text)
    assert isinstance(rows, list if made is ROWS or isinstance(made, str) else dict)


def test_a_value_within_the_budget_is_the_very_object(server: Server) -> None:
    def fetch() -> Any:
        """Fetch."""
        return Report(rows=ROWS[:2])

    history = talked(agent(server, fetch, fitted(results=chars(2_000))), 1)

    assert isinstance(results(history)[0].content, Report)


def test_what_a_tool_says_beside_its_result_stays(server: Server) -> None:
    def fetch() -> Any:
        """Fetch."""
        return messages.ToolReturn(return_value=ROWS, content="Look closely.", metadata={"n": 1})

    history = talked(agent(server, fetch, fitted(results=chars(2_000))), 1)

    (one,) = results(history)
    assert one.metadata == {"n": 1}
    assert len(one.content) <= 2_000
    assert "Look closely." in json.dumps(sent(server))


def test_a_file_among_values_stays(server: Server) -> None:
    picture = messages.BinaryContent(data=b"\x89PNG", media_type="image/png")

    def fetch() -> Any:
        """Fetch."""
        return [json.dumps(ROWS), picture]

    history = talked(agent(server, fetch, fitted(results=chars(2_000))), 1)

    (one,) = results(history)
    assert one.content[1] == picture
    assert len(one.content[0]) <= 2_000


def test_the_history_keeps_every_message_and_the_request_is_shortened(server: Server) -> None:
    def fetch() -> str:
        """Fetch."""
        return json.dumps(ROWS)

    history = talked(agent(server, fetch, fitted(history=20_000), instructions="Help."))

    assert [one.content for one in results(history)] == [json.dumps(ROWS)] * QUESTIONS
    whole = [one for one in sent(server) if one.get("content") == json.dumps(ROWS)]
    assert len(whole) < QUESTIONS
    assert sent(server)[0] == {"role": "system", "content": "Help."}


def test_the_history_is_replaced_where_that_is_asked_for(server: Server) -> None:
    def fetch() -> str:
        """Fetch."""
        return json.dumps(ROWS)

    history = talked(agent(server, fetch, fitted(history=20_000, replace_state=True)))

    assert sum(one.content == json.dumps(ROWS) for one in results(history)) < QUESTIONS
    questions = [
        part.content for one in history for part in one.parts if part.part_kind == "user-prompt"
    ]
    assert questions[-1] == f"Question {QUESTIONS - 1}."


def test_a_failing_tool_fails_as_it_would(server: Server) -> None:
    def fetch() -> str:
        """Fetch."""
        raise LookupError("no such table")

    with pytest.raises(LookupError, match="no such table"):
        talked(agent(server, fetch, fitted(results=chars(2_000))), 1)


def test_a_tool_that_asks_for_another_try_gets_it(server: Server) -> None:
    tries = []

    def fetch() -> str:
        """Fetch."""
        tries.append(1)
        if len(tries) == 1:
            raise pydantic_ai.ModelRetry("Name the table.")
        return json.dumps(ROWS)

    server_script = iter((Turn(calls=(Call(name="fetch"),)),) * 2)
    made = agent(server, fetch, fitted(results=chars(2_000), history=20_000))
    server.model._default = lambda request: next(server_script, Turn(text="done"))
    talked(made, 1)

    assert len(tries) == 2
    assert "Name the table." in json.dumps(sent(server))


def test_what_is_left_out_can_be_asked_for(server: Server) -> None:
    recall = module("ullage.history.recall")
    store = recall.MemoryStore()

    def fetch() -> str:
        """Fetch."""
        return json.dumps(ROWS)

    def asks_again(request: ModelRequest) -> Turn:
        handles = recall.handles_in(request.messages[-1].text.replace('\\"', '"'))
        if handles:
            arguments = {"handle": handles[0], "records": "200-209"}
            return Turn(calls=(Call(name="recall", arguments=arguments),))
        return script(request)

    made = agent(server, fetch, fitted(results=chars(2_000), store=store))
    server.model._default = asks_again
    history = talked(made, 1)

    assert "R-00205" in results(history)[1].content
    assert store.use.used == 1


def test_findings_of_one_stage_stand_in_every_request_of_the_next(
    server: Server, tmp_path: Path
) -> None:
    found = {"text": "Order R-00007 was paid twice."}

    def finds(request: ModelRequest) -> Turn:
        if request.answered:
            return Turn(text="done")
        return Turn(calls=(Call(name="record_finding", arguments=found),))

    with Handoff(tmp_path / "h.ledger", run="r") as handoff:
        worker = agent(server, fetch_rows, fitted(handoff=handoff, stage="search"))
        server.model._default = finds
        talked(worker, 1)
        before = len(server.asked("t"))
        decides = fitted(handoff=handoff, stage="decide", history=16_000)
        talked(agent(server, fetch_rows, decides))
        bodies: Any = server.asked("t")[before:]
        assert_carried(handoff, bodies, found["text"])

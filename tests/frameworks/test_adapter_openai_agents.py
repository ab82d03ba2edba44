"""The adapter of the OpenAI Agents SDK in detail: values, blocks, chat, sessions, the way back."""

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from tests.frameworks.adapted import assert_carried
from tests.frameworks.harness import Server, module

from ullage import Handoff, chars
from ullage.probe.request import ModelRequest
from ullage.probe.script import Call, Turn

agents = module("agents")
openai = module("openai")
adapter = module("ullage.integrate.openai_agents")

ROWS = [{"id": f"R-{number:05d}", "days": number * 3} for number in range(400)]
QUESTIONS = 6


def script(request: ModelRequest) -> Turn:
    return Turn(text="done") if request.answered else Turn(calls=(Call(name="fetch"),))


def fitted(**settings: Any) -> Any:
    return adapter.Ullage(adapter.Fitting(**settings))


def talked(
    server: Server,
    ullage: Any,
    function: Any,
    questions: int = QUESTIONS,
    *,
    chat: bool = False,
    config: Any = None,
    **options: Any,
) -> Any:
    """Ask one question after the other in one session; return what the session holds."""
    server.model._default = options.pop("script", script)
    client = openai.AsyncOpenAI(base_url=f"{server.url}/run/t/v1", api_key="x")
    kind = agents.OpenAIChatCompletionsModel if chat else agents.OpenAIResponsesModel
    tool = agents.function_tool(function, **options)
    made = agents.Agent(
        name="clerk",
        model=kind(model="gpt-4o", openai_client=client),
        tools=ullage.tools([tool]),
    )
    session = agents.SQLiteSession("s")

    async def talk() -> Any:
        for number in range(questions):
            prompt = f"Question {number}."
            await agents.Runner.run(
                made, prompt, session=session, run_config=ullage.run_config(config)
            )
        return await session.get_items()

    return asyncio.run(talk())


def outputs(items: Any) -> list[Any]:
    return [one["output"] for one in items if one.get("type") == "function_call_output"]


def sent(server: Server) -> Any:
    return server.asked("t")[-1]


def fetch_object() -> dict[str, Any]:
    """Fetch."""
    return {"rows": ROWS}


def fetch_text() -> str:
    """Fetch."""
    return json.dumps(ROWS)


def test_an_object_is_handed_on_as_json_and_not_as_python_prints_it(server: Server) -> None:
    fetch_object.__name__ = "fetch"
    items = talked(server, fitted(), fetch_object, 1)

    assert json.loads(outputs(items)[0]) == {"rows": ROWS}


@pytest.mark.parametrize("chat", [False, True])
def test_a_result_is_cut_for_both_kinds_of_model(server: Server, chat: bool) -> None:
    items = talked(
        server, fitted(results=chars(2_000)), fetch_text, 1, chat=chat, name_override="fetch"
    )

    (text,) = outputs(items)
    assert len(text) <= 2_000
    assert json.loads(text)
    assert text in json.dumps(sent(server), ensure_ascii=False).encode().decode("unicode_escape")


def test_blocks_of_text_are_cut_and_an_image_stays(server: Server) -> None:
    image = agents.ToolOutputImage(image_url="https://example.com/a.png")

    def fetch() -> list[Any]:
        """Fetch."""
        return [agents.ToolOutputText(text=json.dumps(ROWS)), image]

    items = talked(server, fitted(results=chars(2_000)), fetch, 1)

    (blocks,) = outputs(items)
    assert len(blocks[0]["text"]) <= 2_000
    assert blocks[1]["image_url"] == "https://example.com/a.png"


@pytest.mark.parametrize("chat", [False, True])
def test_the_session_keeps_every_item_and_the_request_is_shortened(
    server: Server, chat: bool
) -> None:
    items = talked(server, fitted(history=20_000), fetch_text, chat=chat, name_override="fetch")

    assert outputs(items) == [json.dumps(ROWS)] * QUESTIONS
    given = sent(server)["messages"] if chat else sent(server)["input"]
    whole = [one for one in given if json.dumps(ROWS) in (one.get("content"), one.get("output"))]
    assert len(whole) < QUESTIONS


def test_a_filter_that_is_there_already_goes_first(server: Server) -> None:
    def redact(data: Any) -> Any:
        given = data.model_data
        given.input = [
            {**one, "content": "Hidden."} if one.get("role") == "user" else one
            for one in given.input
        ]
        return given

    config = agents.RunConfig(call_model_input_filter=redact)
    talked(server, fitted(history=20_000), fetch_text, 1, config=config, name_override="fetch")

    assert "Hidden." in json.dumps(sent(server))
    assert "Question 0." not in json.dumps(sent(server))


def test_the_trimmer_of_the_sdk_is_said_as_a_warning(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    trimmer = module("agents.extensions.tool_output_trimmer").ToolOutputTrimmer()
    config = agents.RunConfig(call_model_input_filter=trimmer)
    with caplog.at_level(logging.WARNING):
        talked(server, fitted(), fetch_text, 4, config=config, name_override="fetch")

    said = [one for one in caplog.records if one.name.startswith("agents.extensions")]
    assert any("trimmed" in one.getMessage() for one in said)
    assert all(one.levelno >= logging.WARNING for one in said)


def test_a_failing_tool_is_answered_as_the_sdk_answers_it(server: Server) -> None:
    def fetch() -> str:
        """Fetch."""
        raise LookupError("no such table")

    items = talked(server, fitted(results=chars(2_000)), fetch, 1)

    assert "An error occurred" in outputs(items)[0]


def test_a_result_of_a_tool_that_was_not_given_is_cut_when_it_is_sent(server: Server) -> None:
    ullage = fitted(results=chars(2_000))
    ullage.tools = list  # as those of an MCP server: not seen by the adapter
    items = talked(server, ullage, fetch_text, 1, name_override="fetch")

    assert outputs(items) == [json.dumps(ROWS)]
    (text,) = outputs(sent(server)["input"])
    assert len(text) <= 2_000


def test_what_is_left_out_can_be_asked_for(server: Server) -> None:
    recall = module("ullage.history.recall")
    store = recall.MemoryStore()

    def asks_again(request: ModelRequest) -> Turn:
        handles = recall.handles_in(request.messages[-1].text.replace('\\"', '"'))
        if handles:
            arguments = {"handle": handles[0], "part": None, "records": "200-209"}
            return Turn(calls=(Call(name="recall", arguments=arguments),))
        return script(request)

    ullage = fitted(results=chars(2_000), store=store)
    items = talked(server, ullage, fetch_text, 1, script=asks_again, name_override="fetch")

    assert "R-00205" in outputs(items)[1]
    assert store.use.used == 1


def test_findings_of_one_stage_stand_in_every_request_of_the_next(
    server: Server, tmp_path: Path
) -> None:
    found = {"text": "Order R-00007 was paid twice."}

    def finds(request: ModelRequest) -> Turn:
        if request.answered:
            return Turn(text="done")
        return Turn(
            calls=(Call(name="record_finding", arguments={**found, "evidence": "", "source": ""}),)
        )

    with Handoff(tmp_path / "h.ledger", run="r") as handoff:
        searches = fitted(handoff=handoff, stage="search")
        talked(server, searches, fetch_text, 1, script=finds, name_override="fetch")
        before = len(server.asked("t"))
        decides = fitted(handoff=handoff, stage="decide", history=16_000)
        talked(server, decides, fetch_text, name_override="fetch")
        bodies: Any = server.asked("t")[before:]
        assert_carried(handoff, bodies, found["text"])

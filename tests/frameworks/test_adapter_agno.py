"""Agno in detail: values, hooks, streams, async, teams, compression, what runs beside the agent."""

import asyncio
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.frameworks.adapted import assert_carried
from tests.frameworks.harness import Server, module

from ullage import Handoff, Ledger, chars
from ullage.probe.request import ModelRequest
from ullage.probe.script import Call, Turn

agents = module("agno.agent")
sqlite = module("agno.db.sqlite")
media = module("agno.media")
openai = module("agno.models.openai")
pydantic = module("pydantic")
summaries = module("agno.session.summary")
team = module("agno.team")
functions = module("agno.tools.function")
tools = module("agno.tools")
adapter = module("ullage.integrate.agno")

ROWS = [{"id": f"R-{number:05d}", "days": number * 3} for number in range(400)]
QUESTIONS = 6


class Report(pydantic.BaseModel):  # type: ignore[misc,name-defined]
    rows: list[dict[str, Any]]


def script(request: ModelRequest) -> Turn:
    return Turn(text="done") if request.answered else Turn(calls=(Call(name="fetch"),))


def both(request: ModelRequest) -> Turn:
    return Turn(text="done") if request.answered else Turn(calls=(Call(name="fetch"),) * 2)


def fetch() -> str:
    """Fetch."""
    return json.dumps(ROWS)


def returning(made: Any) -> Any:
    def fetch() -> Any:
        """Fetch."""
        return made

    return fetch


def model_of(server: Server, run: str = "t") -> Any:
    return openai.OpenAIChat(id="gpt-4o", base_url=f"{server.url}/run/{run}/v1", api_key="x")


def agent(server: Server, tool: Any, settings: dict[str, Any], **more: Any) -> Any:
    server.model._default = script
    made = agents.Agent(
        model=model_of(server),
        tools=[tool],
        db=sqlite.SqliteDb(db_url="sqlite://"),
        add_history_to_context=True,
        num_history_runs=100,
        telemetry=False,
        **more,
    )
    return adapter.fit(made, adapter.Fitting(**settings))


def talked(made: Any, questions: int = QUESTIONS) -> Any:
    """Ask one question after the other in one session; return the last run."""
    for number in range(questions):
        run = made.run(f"Question {number}.", session_id="s")
        assert run.content == "done"
    return run


def sent(server: Server, run: str = "t") -> list[Any]:
    body: Any = server.asked(run)[-1]
    found: list[Any] = body["messages"]
    return found


def results(server: Server, run: str = "t") -> list[str]:
    return [one["content"] for one in sent(server, run) if one["role"] == "tool"]


def recorded(ledger: Path) -> list[Any]:
    with Ledger.read(ledger) as opened:
        return list(opened.results("r"))


@pytest.mark.parametrize("made", [ROWS, {"rows": ROWS}, json.dumps(ROWS), Report(rows=ROWS)])
def test_what_is_cut_arrives_as_valid_json_of_the_same_kind(server: Server, made: Any) -> None:
    talked(agent(server, returning(made), {"results": chars(2_000)}), 1)

    (text,) = results(server)
    assert len(text) <= 2_000
    assert "of 400" in text
    assert isinstance(json.loads(text), list if made is ROWS or isinstance(made, str) else dict)


@pytest.mark.parametrize("way", ["arun", "stream", "astream"])
@pytest.mark.parametrize("awaited_tool", [False, True])
def test_awaited_and_streamed_runs_get_the_same(
    server: Server, way: str, awaited_tool: bool, tmp_path: Path
) -> None:
    async def fetch_async() -> str:
        """Fetch."""
        return fetch()

    fetch_async.__name__ = "fetch"
    settings = {"results": chars(2_000), "history": 4_000}
    talked(agent(server, fetch, settings), 4)
    bodies: Any = server.asked("t")
    waited = [one["messages"] for one in bodies]
    recording = {"ledger": tmp_path / "t.ledger", "run": "r"}
    tool = fetch if way == "stream" or not awaited_tool else fetch_async
    made = agent(server, tool, settings | recording)

    async def talk() -> None:
        for number in range(4):
            if way == "arun":
                await made.arun(f"Question {number}.", session_id="s")
                continue
            async for _ in made.arun(f"Question {number}.", session_id="s", stream=True):
                pass

    if way == "stream":
        for number in range(4):
            list(made.run(f"Question {number}.", session_id="s", stream=True))
    else:
        asyncio.run(talk())

    bodies = server.asked("t")[len(waited) :]
    assert [shape(one["messages"]) for one in bodies] == [shape(one) for one in waited]
    assert [one.text for one in recorded(tmp_path / "t.ledger")] == [fetch()] * 4


def shape(said: list[Any]) -> list[tuple[str, str]]:
    return [(one["role"], one["content"]) for one in said]


def test_parallel_calls_are_each_cut_and_named(server: Server, tmp_path: Path) -> None:
    ledger = tmp_path / "t.ledger"
    made = agent(server, fetch, {"results": chars(2_000), "ledger": ledger, "run": "r"})
    server.model._default = both
    asyncio.run(made.arun("Question 0.", session_id="s"))

    first, second = results(server)
    assert first == second
    assert len(first) <= 2_000
    found = recorded(ledger)
    named = [one["tool_call_id"] for one in sent(server) if one["role"] == "tool"]
    assert sorted(one.call_id for one in found) == sorted(named)
    assert [one.handed_on for one in found] == [first, first]


def test_the_session_keeps_every_message_and_the_request_is_shortened(server: Server) -> None:
    made = agent(server, fetch, {"history": 20_000})
    talked(made)

    kept = [one.content for one in made.get_session_messages(session_id="s") if one.role == "tool"]
    assert kept == [fetch()] * QUESTIONS
    assert 0 < results(server).count(fetch()) < QUESTIONS


def test_hooks_of_the_user_see_the_tools_own_value_and_stay(server: Server, tmp_path: Path) -> None:
    seen: list[Any] = []

    def look(function_name: str, function_call: Any, arguments: dict[str, Any]) -> Any:
        seen.append(function_call(**arguments))
        return seen[-1][:300]

    settings = {"results": chars(2_000), "ledger": tmp_path / "t.ledger", "run": "r"}
    talked(agent(server, returning(ROWS), settings, tool_hooks=[look]), 1)

    assert seen == [ROWS]
    (text,) = results(server)
    assert "of 300" in text
    (one,) = recorded(tmp_path / "t.ledger")
    assert json.loads(one.text) == ROWS
    assert one.handed_on == text


def test_a_result_that_is_shown_or_ends_the_run_stays_whole_for_the_user(server: Server) -> None:
    shows = tools.tool(show_result=True)(fetch)
    run = agent(server, shows, {"results": chars(2_000)}).run("Question 0.", session_id="s")
    assert fetch() in run.content
    assert len(results(server)[0]) <= 2_000

    ends = tools.tool(stop_after_tool_call=True)(fetch)
    run = agent(server, ends, {"results": chars(2_000)}).run("Question 0.", session_id="s")
    assert [one.result for one in run.tools] == [fetch()]


def test_a_result_in_pieces_is_cut_as_one(server: Server, tmp_path: Path) -> None:
    def fetch_in_pieces() -> Iterator[str]:
        """Fetch."""
        for number in range(400):
            yield f"Row {number} is late.\n"

    fetch_in_pieces.__name__ = "fetch"
    settings = {"results": chars(2_000), "ledger": tmp_path / "t.ledger", "run": "r"}
    talked(agent(server, fetch_in_pieces, settings), 1)

    (text,) = results(server)
    assert len(text) <= 2_000
    (one,) = recorded(tmp_path / "t.ledger")
    assert one.text.count("\n") == 400
    assert one.handed_on == text


def test_an_image_beside_a_text_stays(server: Server) -> None:
    picture = media.Image(content=b"\x89PNG", id="p", mime_type="image/png")
    made = functions.ToolResult(content=json.dumps(ROWS), images=[picture])
    talked(agent(server, returning(made), {"results": chars(2_000), "history": 20_000}), 1)

    (text,) = results(server)
    assert len(text) <= 2_000
    assert "image_url" in json.dumps(sent(server))


def test_a_failing_tool_is_answered_as_the_framework_answers_it(server: Server) -> None:
    def fetch_badly() -> str:
        """Fetch."""
        raise LookupError("no such table")

    fetch_badly.__name__ = "fetch"
    talked(agent(server, fetch_badly, {"results": chars(2_000)}), 1)

    assert results(server) == ["no such table"]


def test_the_report_of_a_teams_member_is_cut_and_so_are_its_own_results(
    server: Server, tmp_path: Path
) -> None:
    settings = {"results": chars(2_000), "ledger": tmp_path / "t.ledger", "run": "r"}
    clerk = agents.Agent(
        name="clerk", model=model_of(server, "clerk"), tools=[fetch], telemetry=False
    )
    made = team.Team(members=[clerk], model=model_of(server), telemetry=False)
    adapter.fit(made, adapter.Fitting(**settings))
    report = "\n".join(f"Row {number} is late." for number in range(400))

    def works(request: ModelRequest) -> Turn:
        if "fetch" in (request.tools or ()):
            return Turn(text=report) if request.answered else Turn(calls=(Call(name="fetch"),))
        task = {"member_id": "clerk", "task": "Look."}
        asks = Call(name="delegate_task_to_member", arguments=task)
        return Turn(text="done") if request.answered else Turn(calls=(asks,))

    server.model._default = works
    assert made.run("Question 0.").content == "done"

    assert len(results(server, "clerk")[0]) <= 2_000
    assert len(results(server)[0]) <= 2_000
    fetched, told = recorded(tmp_path / "t.ledger")
    assert (fetched.tool, told.tool) == ("fetch", "delegate_task_to_member")
    assert fetched.text == fetch()
    assert "Row 399 is late." in told.text


def test_what_the_framework_compresses_was_cut_and_recorded_before(
    server: Server, tmp_path: Path
) -> None:
    settings = {"results": chars(2_000), "ledger": tmp_path / "t.ledger", "run": "r"}
    made = agent(server, fetch, {**settings, "history": 20_000}, compress_tool_results=True)

    def compresses(request: ModelRequest) -> Turn:
        return script(request) if request.tools else Turn(text="Rows, compressed.")

    server.model._default = compresses
    talked(made)

    found = recorded(tmp_path / "t.ledger")
    assert [one.text for one in found] == [fetch()] * QUESTIONS
    bodies: Any = server.asked("t")
    shown = [one["messages"][-1]["content"] for one in bodies if not one.get("tools")]
    assert shown
    assert all(found[0].handed_on in text for text in shown)
    assert "Rows, compressed." in results(server)


def test_what_is_asked_beside_the_run_is_left_alone(server: Server, tmp_path: Path) -> None:
    with Handoff(tmp_path / "h.ledger", run="r") as handoff:
        handoff.record_finding("Order R-00007 was paid twice.")
        settings = {"history": 20_000, "handoff": handoff, "stage": "decide"}
        made = agent(server, fetch, settings, enable_session_summaries=True)

        def sums_up(request: ModelRequest) -> Turn:
            if request.tools:
                return script(request)
            return Turn(text=json.dumps({"summary": "They talked.", "topics": []}))

        server.model._default = sums_up
        talked(made, 2)

    bodies: Any = server.asked("t")
    beside = [json.dumps(one) for one in bodies if not one.get("tools")]
    assert beside
    assert not any("paid twice" in one for one in beside)
    assert all("paid twice" in json.dumps(one) for one in bodies if one.get("tools"))


def test_a_history_that_cannot_be_shortened_is_an_error_of_the_run(server: Server) -> None:
    run = agent(server, fetch, {"history": 10}).run("Question 0.", session_id="s")

    assert run.status.value == "ERROR"
    assert "over its budget" in run.content
    assert server.asked("t") == []


def test_the_model_of_another_agent_stays_as_it_was(server: Server) -> None:
    model = model_of(server)
    given = agents.Agent(model=model, telemetry=False)
    made = adapter.fit(given, adapter.Fitting(history=16_000))

    assert made is given
    assert made.model is not model
    assert isinstance(made.model, openai.OpenAIChat)
    assert type(made.model).__name__ == "OpenAIChat"
    assert type(model) is openai.OpenAIChat
    with pytest.raises(ValueError, match="fitted already"):
        adapter.fit(made, adapter.Fitting())
    with pytest.raises(ValueError, match="its model"):
        adapter.fit(agents.Agent(telemetry=False), adapter.Fitting())


def test_a_model_is_set_after_it_was_fitted_as_before(server: Server) -> None:
    made = agent(server, fetch, {"history": 16_000})
    made.model.temperature = 0.5
    made.deep_copy().run("Question 0.")

    body: Any = server.asked("t")[-1]
    assert body["temperature"] == 0.5


def test_what_the_framework_says_of_a_trim_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("agno")  # it hands nothing on to the root's handlers
    logger.addHandler(caplog.handler)
    try:
        adapter.fit(
            agents.Agent(model=openai.OpenAIChat(id="gpt-4o"), telemetry=False), adapter.Fitting()
        )
        log = module("agno.utils.log")
        log.use_agent_logger()  # a team's run has it the other way
        log.log_info("Compacting conversation history")
        log.log_info("Something else")
    finally:
        logger.removeHandler(caplog.handler)

    assert [one.levelname for one in caplog.records] == ["WARNING", "INFO"]


def test_what_is_left_out_can_be_asked_for(server: Server) -> None:
    recall = module("ullage.history.recall")
    store = recall.MemoryStore()
    made = agent(server, fetch, {"results": chars(2_000), "store": store})

    def asks_again(request: ModelRequest) -> Turn:
        handles = recall.handles_in(request.messages[-1].text.replace('\\"', '"'))
        if handles:
            arguments = {"handle": handles[0], "records": "200-209"}
            return Turn(calls=(Call(name="recall", arguments=arguments),))
        return script(request)

    server.model._default = asks_again
    talked(made, 1)

    assert "R-00205" in results(server)[1]
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
        worker = agent(server, fetch, {"handoff": handoff, "stage": "search"})
        server.model._default = finds
        talked(worker, 1)
        before = len(server.asked("t"))
        decides = {"handoff": handoff, "stage": "decide", "history": 16_000}
        talked(agent(server, fetch, decides))
        bodies: Any = server.asked("t")[before:]
        assert_carried(handoff, bodies, found["text"])

"""LangChain's middleware in detail: blocks, commands, artifacts, state, async, hooks."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tests.frameworks.adapted import assert_carried
from tests.frameworks.harness import Server, module

from ullage import Handoff, chars
from ullage.probe.request import ModelRequest
from ullage.probe.script import Call, Turn

agents = module("langchain.agents")
chat_openai = module("langchain_openai")
messages = module("langchain_core.messages")
tools = module("langchain_core.tools")
adapter = module("ullage.integrate.langchain")

ROWS = json.dumps([{"id": f"R-{number:05d}", "days": number * 3} for number in range(400)])
QUESTIONS = 6


def script(request: ModelRequest) -> Turn:
    if request.answered:
        return Turn(text="done")
    return Turn(calls=(Call(name="fetch"), Call(name="fetch")))


def middleware(**settings: Any) -> Any:
    state = settings.pop("replace_state", False)
    return adapter.UllageMiddleware(adapter.Fitting(**settings), replace_state=state)


def agent(server: Server, tool: Any, fitted: Any, **more: Any) -> Any:
    server.model._default = script
    model = chat_openai.ChatOpenAI(model="gpt-4o", base_url=f"{server.url}/run/t/v1", api_key="x")
    return agents.create_agent(model, [tool], middleware=[fitted], **more)


def asked(number: int) -> dict[str, Any]:
    return {"role": "user", "content": f"Question {number}."}


def talked(made: Any, questions: int = QUESTIONS) -> list[Any]:
    """Ask one question after the other, with all that was said before; return the state."""
    said: list[Any] = []
    for number in range(questions):
        said = made.invoke({"messages": [*said, asked(number)]})["messages"]
    return said


def results(said: list[Any]) -> list[Any]:
    return [one for one in said if one.type == "tool"]


@tools.tool(response_format="content_and_artifact")
def fetch_with_artifact() -> tuple[str, dict[str, int]]:
    """Fetch."""
    return ROWS, {"rows": 400}


@tools.tool
def fetch() -> str:
    """Fetch."""
    return ROWS


def test_an_artifact_stays_and_the_account_stands_in_the_metadata(server: Server) -> None:
    fetch_with_artifact.name = "fetch"
    said = talked(agent(server, fetch_with_artifact, middleware(results=chars(2_000))), 1)

    for one in results(said):
        assert one.artifact == {"rows": 400}
        account = one.response_metadata["ullage"]
        assert account["produced_chars"] == len(ROWS)
        assert account["delivered_chars"] == len(one.content) <= 2_000
        assert "of 400" in account["notices"][0]


def test_parallel_calls_are_each_cut_and_answered(server: Server) -> None:
    said = talked(agent(server, fetch, middleware(results=chars(2_000))), 1)

    assert len({one.tool_call_id for one in results(said)}) == 2
    assert all(len(one.content) <= 2_000 and json.loads(one.content) for one in results(said))


def test_an_awaited_agent_gets_the_same(server: Server) -> None:
    made = agent(server, fetch, middleware(results=chars(2_000), history=9_000))

    async def talk() -> list[Any]:
        said: list[Any] = []
        for number in range(QUESTIONS):
            said = (await made.ainvoke({"messages": [*said, asked(number)]}))["messages"]
        return said

    awaited = asyncio.run(talk())
    bodies = len(server.asked("t"))
    waited = talked(made)

    assert [one.content for one in awaited] == [one.content for one in waited]
    assert [json.dumps(one) for one in server.asked("t")[:bodies]] == [
        json.dumps(one) for one in server.asked("t")[bodies:]
    ]


def test_the_state_keeps_every_message_and_the_request_is_shortened(server: Server) -> None:
    said = talked(agent(server, fetch, middleware(history=20_000)))

    assert len(said) == QUESTIONS * 5
    assert all(one.content == ROWS for one in results(said))
    sent: Any = server.asked("t")[-1]
    whole = [one for one in sent["messages"] if one["role"] == "tool" and one["content"] == ROWS]
    assert len(whole) < QUESTIONS * 2


def test_the_state_is_replaced_where_that_is_asked_for(server: Server) -> None:
    said = talked(agent(server, fetch, middleware(history=20_000, replace_state=True)))

    assert sum(one.content == ROWS for one in results(said)) < QUESTIONS * 2
    assert said[-1].text == "done"
    sent: Any = server.asked("t")[-1]
    assert [one.text for one in said[:-1]] == [text(one) for one in sent["messages"]]


def text(message: Any) -> str:
    return message["content"] or ""


def test_blocks_of_text_are_cut_and_an_image_stays(server: Server) -> None:
    pixel = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}

    @tools.tool("fetch")
    def fetch_blocks() -> list[dict[str, Any]]:
        """Fetch."""
        return [{"type": "text", "text": ROWS}, pixel]

    said = talked(agent(server, fetch_blocks, middleware(results=chars(2_000))), 1)

    (first, _) = results(said)
    assert first.content[1] == pixel
    assert len(first.content[0]["text"]) <= 2_000


def test_the_message_in_a_command_is_cut_and_the_rest_of_it_stays(server: Server) -> None:
    types = module("langgraph.types")
    injected = tools.InjectedToolCallId

    class State(agents.AgentState):  # type: ignore[misc,name-defined]
        seen: int

    @tools.tool("fetch")
    def fetch_command(tool_call_id: str) -> Any:
        """Fetch."""
        answer = messages.ToolMessage(content=ROWS, tool_call_id=tool_call_id)
        return types.Command(update={"messages": [answer], "seen": 7})

    fetch_command.args_schema.model_fields["tool_call_id"].metadata.append(injected)
    server.model._default = lambda request: (
        Turn(text="done") if request.answered else Turn(calls=(Call(name="fetch"),))
    )
    model = chat_openai.ChatOpenAI(model="gpt-4o", base_url=f"{server.url}/run/t/v1", api_key="x")
    made = agents.create_agent(
        model,
        [fetch_command],
        middleware=[middleware(results=chars(2_000))],
        state_schema=State,
    )
    state = made.invoke({"messages": [asked(0)]})

    assert state["seen"] == 7
    assert len(results(state["messages"])[0].content) <= 2_000


def test_a_tool_that_raises_raises_as_it_would(server: Server) -> None:
    @tools.tool("fetch")
    def fetch_badly() -> str:
        """Fetch."""
        raise LookupError("no such table")

    with pytest.raises(LookupError, match="no such table"):
        talked(agent(server, fetch_badly, middleware(results=chars(2_000))), 1)


def test_a_graph_of_ones_own_takes_the_hooks(server: Server) -> None:
    prebuilt = module("langgraph.prebuilt")
    fitted = middleware(results=chars(8_000), history=12_000)
    server.model._default = script
    model = chat_openai.ChatOpenAI(model="gpt-4o", base_url=f"{server.url}/run/t/v1", api_key="x")
    node = prebuilt.ToolNode([fetch], wrap_tool_call=fitted.wrap_tool_call)
    made = prebuilt.create_react_agent(model, node, pre_model_hook=fitted.pre_model_hook)
    said = talked(made)

    assert all(len(one.content) <= 8_000 for one in results(said))
    assert len(said) == QUESTIONS * 5
    sent: Any = server.asked("t")[-1]
    assert len(json.dumps(sent)) < sum(len(one.text) for one in said)


def test_markers_of_a_message_are_read_and_do_not_reach_the_wire(server: Server) -> None:
    made = agent(server, fetch, middleware(history=20_000))
    kept = messages.HumanMessage(
        content="Never touch table 9.", additional_kwargs={"protected": True}
    )
    said: list[Any] = [messages.HumanMessage(content="Hello."), kept]
    for number in range(QUESTIONS):
        said = made.invoke({"messages": [*said, asked(number)]})["messages"]

    sent: Any = server.asked("t")[-1]
    assert "Never touch table 9." in [one["content"] for one in sent["messages"]]
    assert "protected" not in json.dumps(sent)


def test_what_is_left_out_can_be_asked_for(server: Server) -> None:
    recall = module("ullage.history.recall")
    store = recall.MemoryStore()

    def asks_again(request: ModelRequest) -> Turn:
        handles = recall.handles_in(request.messages[-1].text.replace('\\"', '"'))
        if handles:
            arguments = {"handle": handles[0], "records": "200-209"}
            return Turn(calls=(Call(name="recall", arguments=arguments),))
        return Turn(text="done") if request.answered else Turn(calls=(Call(name="fetch"),))

    made = agent(server, fetch, middleware(results=chars(2_000), store=store))
    server.model._default = asks_again
    said = talked(made, 1)

    page = results(said)[1].text
    assert "R-00205" in page
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
        server.model._default = finds
        worker = agent(server, fetch, middleware(handoff=handoff, stage="search"))
        server.model._default = finds
        talked(worker, 1)
        before = len(server.asked("t"))
        talked(agent(server, fetch, middleware(handoff=handoff, stage="decide", history=16_000)))
        bodies: Any = server.asked("t")[before:]
        assert_carried(handoff, bodies, found["text"])

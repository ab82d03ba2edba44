"""LlamaIndex in detail: values, callbacks, memories, workflows, what is asked beside the agent."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.frameworks.adapted import PROGRAMS, assert_carried, two_calls
from tests.frameworks.harness import Server, module, run, ullage_run

from ullage import Handoff, Ledger, chars
from ullage.errors import HistoryError
from ullage.probe.request import ModelRequest
from ullage.probe.script import Call, Turn

openai = module("llama_index.llms.openai")
workflow = module("llama_index.core.agent.workflow")
blocks = module("llama_index.core.base.llms.types")
memories = module("llama_index.core.memory")
schema = module("llama_index.core.schema")
tools = module("llama_index.core.tools")
pydantic = module("pydantic")
adapter = module("ullage.integrate.llama_index")
messages = module("ullage.integrate.adapters.llama_index_messages")

# LlamaIndex looks at every member of an agent for its steps, and its memory closes no connection.
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*(model|__)_?(computed_)?fields.*"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

ROWS = [{"id": f"R-{number:05d}", "days": number * 3} for number in range(400)]
QUESTIONS = 6
FETCH = Call(name="fetch")
DONE = Turn(text="done")


class Report(pydantic.BaseModel):  # type: ignore[misc,name-defined]
    rows: list[dict[str, Any]]


def script(request: ModelRequest) -> Turn:
    return DONE if request.answered else Turn(calls=(FETCH,))


def fetch() -> str:
    """Fetch."""
    return json.dumps(ROWS)


def returning(made: Any) -> Any:
    def fetch() -> Any:
        """Fetch."""
        return made

    return fetch


def model_of(server: Server, run: str = "t") -> Any:
    return openai.OpenAI(model="gpt-4o", api_base=f"{server.url}/run/{run}/v1", api_key="x")


def agent(server: Server, tool: Any, settings: dict[str, Any], **more: Any) -> Any:
    server.model._default = script
    made = workflow.FunctionAgent(tools=[tool], llm=model_of(server), **more)
    return adapter.fit(made, adapter.Fitting(**settings))


def talked(made: Any, questions: int = QUESTIONS, memory: Any = None) -> Any:
    """Ask one question after the other over one memory; return the last answer."""
    kept = memory or memories.ChatMemoryBuffer.from_defaults(token_limit=2_000)

    async def talk() -> Any:
        for number in range(questions):
            done = await made.run(f"Question {number}.", memory=kept)
        return done

    return asyncio.run(talk())


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


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize("awaited_tool", [True, False])
def test_streamed_runs_and_awaited_tools_get_the_same(
    server: Server, streaming: bool, awaited_tool: bool, tmp_path: Path
) -> None:
    async def fetch_async() -> str:
        """Fetch."""
        return fetch()

    fetch_async.__name__ = "fetch"
    ledger = tmp_path / "t.ledger"
    settings = {"results": chars(2_000), "history": 4_000, "ledger": ledger, "run": "r"}
    tool = fetch_async if awaited_tool else fetch
    done = talked(agent(server, tool, settings, streaming=streaming))

    assert str(done) == "done"
    assert 0 < sum("[ullage: " in one for one in results(server)) < QUESTIONS
    assert [one.text for one in recorded(ledger)] == [fetch()] * QUESTIONS
    assert recorded(ledger)[-1].handed_on == results(server)[-1]


def memory_buffer() -> Any:
    return memories.ChatMemoryBuffer.from_defaults(token_limit=2_000)


def memory_with_store() -> Any:
    return memories.Memory.from_defaults(token_limit=2_000)


@pytest.mark.parametrize("make", [memory_buffer, memory_with_store])
def test_a_memory_keeps_what_its_own_limit_would_drop(server: Server, make: Any) -> None:
    kept = make()
    talked(agent(server, fetch, {"results": chars(2_000), "history": 100_000}), 8, kept)

    assert len(results(server)) == 8
    assert [one.role for one in kept.get_all()].count("tool") == 8
    assert kept.token_limit == 2_000


def test_the_memory_of_a_run_that_is_given_none_has_no_limit(server: Server) -> None:
    made = agent(server, fetch, {"history": 100_000})
    said = blocks.ChatMessage(role="user", content="A sentence. " * 3_000)
    earlier = [said, blocks.ChatMessage(role="assistant", content="Yes.")] * 5
    told = made.llm.metadata.model_copy(update={"context_window": 4_000})
    type(made.llm).metadata = property(lambda _: told)  # the memory would have 0.75 of it

    async def ask() -> Any:
        return await made.run("Question.", chat_history=earlier)

    assert str(asyncio.run(ask())) == "done"
    assert len(sent(server)) == 13


def test_a_memory_with_blocks_keeps_its_limit_for_them(server: Server) -> None:
    left: list[Any] = []

    class Notes(memories.BaseMemoryBlock[str]):  # type: ignore[misc,name-defined]
        async def _aget(self, messages: Any = None, **kwargs: Any) -> str:
            return ""

        async def _aput(self, messages: Any) -> None:
            left.extend(messages)

    kept = memories.Memory.from_defaults(token_limit=4_000, memory_blocks=[Notes(name="notes")])
    talked(agent(server, fetch, {"results": chars(2_000), "history": 100_000}), 8, kept)

    assert left


def test_a_history_that_cannot_be_shortened_is_an_error_of_the_run(server: Server) -> None:
    with pytest.raises(HistoryError, match="over its budget"):
        talked(agent(server, fetch, {"history": 10}), 1)
    assert server.asked("t") == []


def test_a_callback_of_the_user_is_cut_behind_and_the_tools_value_recorded(
    server: Server, tmp_path: Path
) -> None:
    def first_300(value: Any) -> str:
        return json.dumps(value[:300])

    tool = tools.FunctionTool.from_defaults(returning(ROWS), callback=first_300)
    settings = {"results": chars(2_000), "ledger": tmp_path / "t.ledger", "run": "r"}
    talked(agent(server, tool, settings), 1)

    (text,) = results(server)
    assert "of 300" in text
    (one,) = recorded(tmp_path / "t.ledger")
    assert json.loads(one.text) == ROWS
    assert one.handed_on == text


def test_nodes_share_the_budget_and_are_cut_each(server: Server, tmp_path: Path) -> None:
    nodes = [schema.TextNode(text="\n".join(f"Line {n} of {k}." for n in range(300))) for k in "ab"]
    settings = {"results": chars(2_000), "ledger": tmp_path / "t.ledger", "run": "r"}
    talked(agent(server, returning(nodes), settings), 1)

    (text,) = results(server)
    assert len(text) <= 2_000
    assert "Line 299 of a." in text
    assert "Line 299 of b." in text
    assert recorded(tmp_path / "t.ledger")[0].text == "".join(one.text for one in nodes)


def test_an_image_beside_a_text_stays(server: Server, tmp_path: Path) -> None:
    picture = blocks.ImageBlock(url="https://example.org/p.png")
    value = [blocks.TextBlock(text=json.dumps(ROWS)), picture]
    tool = tools.FunctionTool.from_defaults(returning(value))
    server.model._default = script
    made = agent(server, tool, {"results": chars(2_000), "history": 20_000})
    kept = memory_buffer()
    talked(made, 1, kept)

    (found,) = [one for one in kept.get_all() if one.role == "tool"]
    assert [one.block_type for one in found.blocks] == ["text", "image"]
    assert len(found.content) <= 2_000


def test_an_answer_that_a_tool_returns_directly_stays_whole(server: Server, tmp_path: Path) -> None:
    tool = tools.FunctionTool.from_defaults(fetch, return_direct=True)
    settings = {"results": chars(2_000), "ledger": tmp_path / "t.ledger", "run": "r"}
    done = talked(agent(server, tool, settings), 1)

    assert str(done) == fetch()
    (one,) = recorded(tmp_path / "t.ledger")
    assert (one.text, one.handed_on) == (fetch(), fetch())


def test_a_failing_tool_is_answered_as_the_framework_answers_it(server: Server) -> None:
    def fetch_badly() -> str:
        """Fetch."""
        raise LookupError("no such table")

    fetch_badly.__name__ = "fetch"
    talked(agent(server, fetch_badly, {"results": chars(2_000)}), 1)

    assert results(server) == ["no such table"]


def test_parallel_calls_are_each_cut_and_named(server: Server, tmp_path: Path) -> None:
    ledger = tmp_path / "t.ledger"
    made = agent(server, fetch, {"results": chars(2_000), "ledger": ledger, "run": "r"})

    def both(request: ModelRequest) -> Turn:
        return DONE if request.answered else Turn(calls=(FETCH,) * 2)

    server.model._default = both
    talked(made, 1)

    named = [one["tool_call_id"] for one in sent(server) if one["role"] == "tool"]
    assert sorted(one.call_id for one in recorded(ledger)) == sorted(named)
    assert len(set(results(server))) == 1


def test_a_tool_of_another_kind_and_one_that_is_found_are_fitted_once(
    server: Server, tmp_path: Path
) -> None:
    class Old(tools.BaseTool):  # type: ignore[misc,name-defined]
        metadata = tools.ToolMetadata(name="fetch", description="Fetch.")

        def __call__(self, input: Any) -> Any:
            return tools.ToolOutput(
                content=fetch(), tool_name="fetch", raw_input={}, raw_output=fetch()
            )

    class Finds:
        async def aretrieve(self, text: str) -> list[Any]:
            return [Old()]

    ledger = tmp_path / "t.ledger"
    settings = {"results": chars(2_000), "ledger": ledger, "run": "r"}
    made = workflow.FunctionAgent(llm=model_of(server), tools=[])
    made.tool_retriever = Finds()
    adapter.fit(made, adapter.Fitting(**settings))

    def asks(request: ModelRequest) -> Turn:
        call = Call(name="fetch", arguments={"input": "x"})
        return DONE if request.answered else Turn(calls=(call,))

    server.model._default = asks
    talked(made, 1)

    (text,) = results(server)
    (one,) = recorded(ledger)
    assert len(text) <= 2_000
    assert (one.text, one.handed_on) == (fetch(), text)


def test_the_agents_of_a_workflow_are_fitted_and_so_is_its_memory(
    server: Server, tmp_path: Path
) -> None:
    ledger = tmp_path / "t.ledger"
    chief, clerk = (
        workflow.FunctionAgent(
            name=name, description=name, tools=own, llm=model_of(server, name), system_prompt=name
        )
        for name, own in (("chief", []), ("clerk", [fetch]))
    )
    made = workflow.AgentWorkflow(agents=[chief, clerk], root_agent="chief")
    settings = {"results": chars(2_000), "history": 100_000, "ledger": ledger, "run": "r"}
    assert adapter.fit(made, adapter.Fitting(**settings)) is made

    to = {"to_agent": "clerk", "reason": "It knows."}
    turns = iter((Turn(calls=(Call(name="handoff", arguments=to),)), Turn(calls=(FETCH,)), DONE))
    server.model._default = lambda request: next(turns)
    assert str(talked(made, 1)) == "done"

    (one,) = recorded(ledger)
    assert one.tool == "fetch"
    assert one.call_id == sent(server, "clerk")[-1]["tool_call_id"]
    assert results(server, "clerk")[-1] == one.handed_on
    with pytest.raises(ValueError, match="fitted already"):
        adapter.fit(made, adapter.Fitting())


def test_what_makes_an_object_of_the_answer_is_left_alone(server: Server) -> None:
    made = agent(server, fetch, {"history": 3_000, "results": chars(2_000)}, output_cls=Report)

    def works(request: ModelRequest) -> Turn:
        return script(request) if request.tools else Turn(text=json.dumps({"rows": ROWS[:1]}))

    server.model._default = works
    done = talked(made)

    assert done.structured_response == {"rows": ROWS[:1]}
    assert "Question 0." in json.dumps(server.asked("t")[-1])


def test_the_model_and_the_tools_of_another_agent_stay_as_they_were(server: Server) -> None:
    model, tool = model_of(server), tools.FunctionTool.from_defaults(fetch)
    plain = workflow.FunctionAgent(tools=[tool], llm=model)
    made = adapter.fit(plain, adapter.Fitting(history=16_000))

    assert made is plain
    assert isinstance(made, workflow.FunctionAgent)
    assert isinstance(made.llm, openai.OpenAI)
    assert isinstance(made.tools[0], tools.FunctionTool)
    assert type(model) is openai.OpenAI
    assert type(tool) is tools.FunctionTool
    made.llm.temperature = 0.5
    assert model.temperature != 0.5
    with pytest.raises(ValueError, match="fitted already"):
        adapter.fit(made, adapter.Fitting())
    with pytest.raises(TypeError, match="an agent or an AgentWorkflow"):
        adapter.fit(model, adapter.Fitting())


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
    body: Any = server.asked("t")[0]
    (told,) = [one["function"] for one in body["tools"] if one["function"]["name"] == "recall"]
    assert "description" in told["parameters"]["properties"]["handle"]


def test_findings_of_one_stage_stand_in_every_request_of_the_next(
    server: Server, tmp_path: Path
) -> None:
    found = {"text": "Order R-00007 was paid twice."}

    def finds(request: ModelRequest) -> Turn:
        if request.answered:
            return DONE
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


def test_a_run_is_recorded_once_and_not_blamed_for_what_ullage_shortened(
    server: Server, tmp_path: Path
) -> None:
    server.model._default = two_calls
    words = [*ullage_run(server), sys.executable, str(PROGRAMS / "llama_index_ullage.py")]
    said = run(words, tmp_path).stderr

    assert "16 results recorded as produced" in said
    assert "elide by " in said
    assert "No check found a fault" in said


BLOCKS = st.lists(
    st.one_of(
        st.builds(lambda text: blocks.TextBlock(text=text), st.sampled_from(["", "Said.", "So."])),
        st.just(blocks.ImageBlock(url="https://example.org/p.png")),
        st.just(blocks.ToolCallBlock(tool_call_id="c", tool_name="fetch", tool_kwargs={"a": 1})),
        st.just(blocks.ThinkingBlock(content="Hm.")),
    ),
    max_size=4,
)
MESSAGES = st.builds(
    lambda role, held, more: blocks.ChatMessage(role=role, blocks=held, additional_kwargs=more),
    st.sampled_from(list(blocks.MessageRole)),
    BLOCKS,
    st.sampled_from([{}, {"tool_call_id": "c"}, {"call_id": "c"}]),
)


@given(st.lists(MESSAGES, max_size=8))
def test_messages_are_a_chat_one_for_one_and_another_text_leaves_the_rest(said: list[Any]) -> None:
    chat = messages.as_chat(said)
    shorter = [messages.reworded(one, {"content": None}, {"content": "[short]"}) for one in said]

    assert [one["role"] == "tool" for one in chat] == ["tool_call_id" in one for one in chat]
    for was, now in zip(said, shorter, strict=True):
        assert [one.text for one in now.blocks if one.block_type == "text"] == ["[short]"]
        others = ([one for one in m.blocks if one.block_type != "text"] for m in (was, now))
        assert next(others) == next(others)

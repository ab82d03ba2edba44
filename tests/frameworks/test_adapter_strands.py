"""The adapter of Strands in detail: windows, pins, errors, streams, the way back, hand-off."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tests.frameworks.adapted import assert_carried
from tests.frameworks.harness import Server, module

from ullage import Handoff, Ledger, MemoryStore
from ullage.probe.request import ModelRequest
from ullage.probe.script import Call, Turn

strands = module("strands")
managers = module("strands.agent.conversation_manager")
models = module("strands.models.openai")
sessions = module("strands.session.file_session_manager")
adapter = module("ullage.integrate.strands")

ROWS = [{"id": f"R-{number:05d}", "days": number * 3} for number in range(400)]


def script(request: ModelRequest) -> Turn:
    return Turn(text="done") if request.answered else Turn(calls=(Call(name="fetch"),))


def fetch() -> dict[str, Any]:
    """Fetch."""
    return {"rows": ROWS}


def agent(server: Server, function: Any, settings: dict[str, Any], **options: Any) -> Any:
    server.model._default = options.pop("script", script)
    model = models.OpenAIModel(
        client_args={"base_url": f"{server.url}/run/t/v1", "api_key": "x"}, model_id="gpt-4o"
    )
    made = strands.Agent(
        model=model,
        tools=[strands.tool(name="fetch")(function)],
        callback_handler=None,
        **options,
    )
    return adapter.fit(made, adapter.Fitting(**settings))


def results(messages: Any) -> list[Any]:
    blocks = [block for one in messages for block in one["content"]]
    return [one["toolResult"] for one in blocks if "toolResult" in one]


def test_more_than_forty_messages_are_all_there_and_the_request_fits(server: Server) -> None:
    made = agent(server, lambda: "short", {"history": 16_000})
    for number in range(15):
        made(f"Question {number}.")

    assert len(made.messages) == 60
    asked: Any = server.asked("t")[-1]
    assert "Question 0." in json.dumps(asked)


def test_a_manager_of_ones_own_is_refused_where_the_history_is_ours(server: Server) -> None:
    manager = managers.SummarizingConversationManager()
    with pytest.raises(ValueError, match="SummarizingConversationManager would shorten"):
        agent(server, fetch, {"history": 16_000}, conversation_manager=manager)
    made = agent(server, fetch, {"results": 500}, conversation_manager=manager)

    assert made.conversation_manager is manager


def test_a_context_manager_is_refused_where_the_history_is_ours(server: Server) -> None:
    with pytest.raises(ValueError, match="ContextManager would shorten"):
        agent(server, fetch, {"history": 16_000}, context_manager="auto")

    agent(server, fetch, {"results": 500}, context_manager="auto")


def test_a_session_goes_on_in_an_agent_that_is_made_anew(server: Server, tmp_path: Path) -> None:
    for number in range(2):
        manager = sessions.FileSessionManager(session_id="s", storage_dir=str(tmp_path))
        made = agent(server, lambda: "short", {"history": 16_000}, session_manager=manager)
        made(f"Question {number}.")

    asked: Any = server.asked("t")[-1]
    assert "Question 0." in json.dumps(asked)


def test_an_agent_is_fitted_once(server: Server) -> None:
    made = agent(server, fetch, {"results": 500})

    with pytest.raises(ValueError, match="fitted already"):
        adapter.fit(made, adapter.Fitting(results=500))


def test_a_pinned_message_is_in_every_request(server: Server) -> None:
    made = agent(server, fetch, {"history": 3_000, "tier": "T1"})
    made("Question 0: the code word is heron.")
    made.messages[0]["metadata"] = {"custom": {"pinned": True}}
    for number in range(1, 6):
        made(f"Question {number}.")

    bodies: Any = server.asked("t")
    assert all("heron" in json.dumps(body) for body in bodies)
    assert not any("protected" in json.dumps(body) for body in bodies)


def test_an_error_stays_as_the_framework_words_it(server: Server) -> None:
    def fails() -> str:
        raise RuntimeError("no such table: orders")

    made = agent(server, fails, {"results": 500})
    made("Question 0.")

    (result,) = results(made.messages)
    assert result["status"] == "error"
    assert "no such table: orders" in result["content"][0]["text"]


def test_an_image_beside_a_text_stays(server: Server) -> None:
    image = {"image": {"format": "png", "source": {"bytes": b"\x89PNG"}}}

    def drawn() -> dict[str, Any]:
        return {"status": "success", "content": [{"text": json.dumps(ROWS)}, image]}

    made = agent(server, drawn, {"results": 500})
    made("Question 0.")

    (result,) = results(made.messages)
    assert json.loads(result["content"][0]["text"])[0]["_ullage"]
    assert result["content"][1] == image


def test_an_async_streamed_run_is_cut_and_recorded(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "run.ledger"
    made = agent(server, fetch, {"results": 500, "ledger": path, "run": "r"})

    async def talk() -> None:
        async for _ in made.stream_async("Question 0."):
            pass

    asyncio.run(talk())

    with Ledger.read(path) as ledger:
        (found,) = ledger.results("r")
    assert json.loads(found.text) == {"rows": ROWS}
    assert found.handed_on == results(made.messages)[0]["content"][0]["text"]


def test_what_is_left_out_can_be_asked_for(server: Server) -> None:
    def asks(request: ModelRequest) -> Turn:
        found = request.messages[-1].text
        if "_ullage" in found and "recall(" in found:
            handle = found.partition('recall(\\"')[2].partition("\\")[0]
            return Turn(calls=(Call(name="recall", arguments={"handle": handle}),))
        return script(request)

    made = agent(server, fetch, {"results": 500, "store": MemoryStore()}, script=asks)
    made("Question 0.")

    page = results(made.messages)[-1]["content"][0]["text"]
    assert "R-00000" in page


def test_findings_of_one_stage_stand_in_every_request_of_the_next(
    server: Server, tmp_path: Path
) -> None:
    with Handoff(tmp_path / "run.ledger") as handoff:
        with handoff.worker("scout"):
            handoff.record_finding("R-00007 was paid twice.")
        settings = {"handoff": handoff, "stage": "decide", "history": 16_000}
        made = agent(server, fetch, settings)
        for number in range(3):
            made(f"Question {number}.")

        bodies: Any = server.asked("t")
        assert_carried(handoff, bodies, "R-00007 was paid twice.")

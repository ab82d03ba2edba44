"""smolagents in detail: code, streams, parallel calls, plans, teams, errors, the way back."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.frameworks.adapted import PROGRAMS, assert_carried, two_calls
from tests.frameworks.harness import Server, module, run, say_or_end, ullage_run

from ullage import Handoff, Ledger, chars
from ullage.errors import HistoryError
from ullage.integrate.adapters.entries import Entry
from ullage.probe.request import ModelRequest
from ullage.probe.script import Call, Turn
from ullage.wire.budget_table import budget_table

smolagents = module("smolagents")
models = module("smolagents.models")
adapter = module("ullage.integrate.smolagents")
messages = module("ullage.integrate.adapters.smolagents_messages")

ROWS = [{"id": f"R-{number:05d}", "days": number * 3} for number in range(400)]
MANY = [{"id": f"R-{number:05d}", "days": number * 3} for number in range(4_000)]
QUESTIONS = 6
QUIET = {"verbosity_level": 0, "max_steps": 5}
Made = Callable[[], Any]


def asked_newly(request: ModelRequest) -> bool:
    """Whether the user said something that nothing was done about: results are in his name too."""
    return "Question" in re.split(r"Observation:\n|Error:\n", request.last_user)[-1]


def script(request: ModelRequest) -> Turn:
    """Call once for each question, then end."""
    return Turn(calls=(Call(name="fetch"),)) if asked_newly(request) else say_or_end(request)


def writing(*steps: str) -> Callable[[ModelRequest], Turn]:
    """Write code: these steps for each question, then the end."""

    def write(request: ModelRequest) -> Turn:
        since = [one.text for one in request.messages]
        start = max(at for at, text in enumerate(since) if "New task:" in text)
        step = sum(one.role == "assistant" for one in request.messages[start:])
        code = steps[step] if step < len(steps) else "final_answer('done')"
        return Turn(text=f"Thought: next.\n<code>\n{code}\n</code>")

    return write


def tool_of(made: object, name: str = "fetch") -> Any:
    class Fetch(smolagents.Tool):  # type: ignore[misc,name-defined]
        description = "Fetch."
        inputs: dict[str, Any] = {}  # noqa: RUF012  # as the framework wants it
        output_type = "any"

        def forward(self) -> Any:
            return made() if callable(made) else made

    Fetch.name = name
    return Fetch()


def model_of(server: Server, run: str = "t") -> Any:
    base = f"{server.url}/run/{run}/v1"
    return smolagents.OpenAIServerModel("gpt-4o", api_base=base, api_key="x")


def agent(
    server: Server, made: object, *, code: tuple[str, ...] = (), settings: Any = None, **more: Any
) -> Any:
    """Return a fitted agent that calls one tool, or writes code."""
    server.model._default = writing(*code) if code else script
    kind = smolagents.CodeAgent if code else smolagents.ToolCallingAgent
    found = kind([tool_of(made)], model_of(server), **{**QUIET, **more})
    return found if settings is None else adapter.fit(found, adapter.Fitting(**settings))


def talked(made: Any, questions: int = QUESTIONS) -> Any:
    for number in range(questions):
        answer = made.run(f"Question {number}.", reset=number == 0)
        assert str(answer) == "done"
    return made


def sent(server: Server, run: str = "t") -> list[Any]:
    body: Any = server.asked(run)[-1]
    found: list[Any] = body["messages"]
    return found


def observations(made: Any) -> list[str]:
    found = [getattr(step, "observations", None) for step in made.memory.steps]
    return [one for one in found if one not in (None, "done")]


def recorded(ledger: Path) -> list[Any]:
    with Ledger.read(ledger) as opened:
        return list(opened.results("r"))


@pytest.mark.parametrize("made", [ROWS, {"rows": ROWS}, json.dumps(ROWS)])
def test_what_is_cut_arrives_as_valid_json_of_the_same_kind(server: Server, made: Any) -> None:
    talked(agent(server, made, settings={"results": chars(2_000)}), 1)

    text = sent(server)[-1]["content"][0]["text"].removeprefix("Observation:\n")
    assert len(text) <= 2_000
    assert "of 400" in text
    assert isinstance(json.loads(text), dict if isinstance(made, dict) else list)


def test_a_streamed_agent_gets_the_same(server: Server) -> None:
    settings = {"results": chars(2_000), "history": 6_000}
    talked(agent(server, ROWS, settings=settings))
    waited = [json.dumps(one["messages"]) for one in server.asked("t")]  # type: ignore[index]
    talked(agent(server, ROWS, settings=settings, stream_outputs=True))
    streamed: Any = server.asked("t")[len(waited) :]

    assert all(one["stream"] for one in streamed)
    assert [len(one["messages"]) for one in streamed] == [len(json.loads(one)) for one in waited]
    assert max(len(json.dumps(one)) for one in streamed) <= max(map(len, waited)) + 4_000


def test_parallel_calls_are_each_cut(server: Server) -> None:
    made = agent(server, ROWS, settings={"results": chars(2_000)})
    both = (Call(name="fetch"), Call(name="fetch"))
    server.model._default = lambda request: (
        Turn(calls=both) if asked_newly(request) else say_or_end(request)
    )
    talked(made, 1)

    (first, second) = observations(made)[0].split("\n")
    assert len(first) <= 2_000
    assert json.loads(first) == json.loads(second)


@pytest.mark.parametrize("protect", [[], ["tool:fetch, fetch"]])
def test_parallel_calls_leave_together_and_stay_where_all_are_named(
    server: Server, protect: list[str]
) -> None:
    settings = {"results": chars(2_000), "history": 11_000, "protect": protect}
    made = agent(server, ROWS, settings=settings)
    both = (Call(name="fetch"), Call(name="fetch"))
    server.model._default = lambda request: (
        Turn(calls=both) if asked_newly(request) else say_or_end(request)
    )
    talked(made, 4)

    texts = json.dumps(sent(server))
    left = 4 if protect else 3
    assert texts.count("R-00399") == left * 2
    assert texts.count("[ullage: ") == 4 - left


def test_the_memory_keeps_every_step_and_the_request_is_shortened(server: Server) -> None:
    made = talked(agent(server, json.dumps(ROWS), settings={"history": 20_000}))

    assert observations(made) == [json.dumps(ROWS)] * QUESTIONS
    whole = [one for one in sent(server) if json.dumps(ROWS) in json.dumps(one).replace("\\", "")]
    assert 0 < len(whole) < QUESTIONS
    assert "R-00399" in json.dumps(sent(server))


def test_the_requests_of_an_agent_that_writes_code_stay_within_the_budget(server: Server) -> None:
    settings = {"results": chars(8_000), "history": 12_000}
    code = ("rows = fetch()\nprint(rows)", "print(f'{len(rows)} rows')\nrows")
    talked(agent(server, ROWS, code=code, settings=settings))

    bodies: Any = server.asked("t")
    assert max(budget_table(one).count.tokens for one in bodies) <= 12_000
    assert all(f"Question {number}." in json.dumps(bodies[-1]) for number in (0, QUESTIONS - 1))


@pytest.mark.parametrize("shown", ["fetch()", "print(fetch())"])
def test_what_code_shows_is_cut_by_us_alone_and_the_code_has_all_of_it(
    server: Server, shown: str, tmp_path: Path
) -> None:
    ledger = tmp_path / "t.ledger"
    settings = {"results": chars(30_000), "ledger": ledger, "run": "r"}
    code = (shown, "print(len(fetch()))")
    made = talked(agent(server, MANY, code=code, settings=settings), 1)

    first, second, *_ = observations(made)
    assert 20_000 < len(first) <= 30_100
    assert "truncated to stay below" not in first
    assert "of 4000" in first
    assert second.startswith("Execution logs:\n4000\n")
    assert first in "".join(one["content"][0]["text"] for one in sent(server))
    result, other, count = recorded(ledger)
    assert (result.tool, other.tool, count.tool) == ("fetch", "fetch", "python_interpreter")
    assert json.loads(result.text) == MANY
    assert len(result.handed_on) > 20_000
    assert result.handed_on in first
    assert count.handed_on in (None, second)


def test_without_a_budget_code_shows_what_the_framework_lets_it(
    server: Server, tmp_path: Path
) -> None:
    code = ("fetch()", "print(fetch())", "print(fetch())\nfetch()")
    plain = talked(agent(server, MANY, code=code), 1)
    settings = {"ledger": tmp_path / "t.ledger", "run": "r"}
    fitted = talked(agent(server, MANY, code=code, settings=settings), 1)

    assert observations(fitted) == observations(plain)
    assert len(recorded(tmp_path / "t.ledger")) == 4


def test_what_failing_code_printed_is_cut_and_its_error_stays(
    server: Server, tmp_path: Path
) -> None:
    ledger = tmp_path / "t.ledger"
    settings = {"results": chars(2_000), "ledger": ledger, "run": "r"}
    code = ("for row in fetch():\n    print(row['id'])\nraise ValueError('no such table')",)
    made = talked(agent(server, ROWS, code=code, settings=settings), 1)

    (first, *_) = observations(made)
    assert len(first) <= 2_100
    said = json.dumps(sent(server))
    assert "no such table" in said
    assert "R-00399" in said
    printed = [one for one in recorded(ledger) if one.tool == "python_interpreter"]
    assert "R-00200" in printed[0].text
    assert printed[0].handed_on == first


def test_what_a_callback_adds_to_an_observation_stays(server: Server) -> None:
    def look(step: Any) -> None:
        step.observations = f"{step.observations or ''}\nCurrent url: about:blank"

    settings = {"results": chars(2_000)}
    made = agent(server, ROWS, code=("fetch()",), settings=settings, step_callbacks=[look])
    talked(made, 1)

    (first, *_) = observations(made)
    assert first.endswith("\nCurrent url: about:blank")
    assert len(first) <= 2_100


def test_a_plan_and_what_it_is_followed_by_stay_together(server: Server) -> None:
    made = agent(server, json.dumps(ROWS), settings={"history": 20_000}, planning_interval=1)

    def plans(request: ModelRequest) -> Turn:
        return script(request) if request.tools else Turn(text="Fetch, then answer.")

    server.model._default = plans
    talked(made)

    said = [one["content"][0]["text"] for one in sent(server)]
    at = [number for number, text in enumerate(said) if messages.PROCEED in text]
    assert at
    assert all("Fetch, then answer." in said[number - 1] for number in at)
    assert f"Question {QUESTIONS - 1}." in json.dumps(said)


def test_agents_that_an_agent_manages_are_fitted_and_their_reports_cut(
    server: Server, tmp_path: Path
) -> None:
    ledger = tmp_path / "t.ledger"
    worker = smolagents.ToolCallingAgent(
        [tool_of(ROWS)], model_of(server, "worker"), name="clerk", description="Asks.", **QUIET
    )
    manager = smolagents.ToolCallingAgent([], model_of(server), managed_agents=[worker], **QUIET)
    settings = {"results": chars(2_000), "ledger": ledger, "run": "r"}
    adapter.fit(manager, adapter.Fitting(**settings))

    def works(request: ModelRequest) -> Turn:
        if "clerk" in (request.tools or ()):
            task = Call(name="clerk", arguments={"task": "Question 1.", "additional_args": {}})
            return Turn(calls=(task,)) if asked_newly(request) else say_or_end(request)
        if asked_newly(request):
            return Turn(calls=(Call(name="fetch"),))
        report = "\n".join(f"Row {number} is late." for number in range(400))
        return Turn(calls=(Call(name="final_answer", arguments={"answer": report}),))

    server.model._default = works
    manager.run("Question 0.")

    assert len(sent(server, "worker")[-1]["content"][0]["text"]) <= 2_100
    report = sent(server)[-1]["content"][0]["text"]
    assert len(report) <= 2_100
    assert [(one.tool, len(one.text) > 2_000) for one in recorded(ledger)] == [
        ("fetch", True),
        ("clerk", True),
    ]


def test_a_run_is_not_blamed_for_what_ullage_shortened(server: Server, tmp_path: Path) -> None:
    server.model._default = two_calls
    words = [*ullage_run(server), sys.executable, str(PROGRAMS / "smolagents_ullage.py")]
    said = run(words, tmp_path).stderr

    assert "16 results recorded as produced" in said
    assert "elide by " in said
    assert "No check found a fault" in said


SPOKEN = st.sampled_from(["", "Said.", messages.PROCEED])
CALLED = st.sampled_from(
    [
        "Calling tools:\n[]",
        "Calling tools:\nnot what it should be",
        "Calling tools:\n" + str([{"id": "c", "function": {"name": "a", "arguments": {"b": 1}}}]),
        "Calling tools:\n" + str([{"id": "c", "function": {"name": "a", "arguments": "f()"}}] * 2),
    ]
)
IMAGES = [{"type": "image", "image": None}]
MESSAGES = st.one_of(
    st.builds(lambda text: ("user", [{"type": "text", "text": text}]), SPOKEN),
    st.builds(lambda text: ("assistant", [{"type": "text", "text": text}]), SPOKEN),
    st.builds(lambda text: ("tool-call", [{"type": "text", "text": text}]), CALLED),
    st.builds(lambda text: ("tool-response", [{"type": "text", "text": text}]), SPOKEN),
    st.just(("user", IMAGES)),
    st.just(("system", "Help.")),
)


@given(st.lists(MESSAGES, max_size=12))
def test_any_messages_are_a_chat_of_pairs_and_come_back_as_they_were(
    said: list[tuple[str, Any]],
) -> None:
    history = [models.ChatMessage(role=models.MessageRole(role), content=c) for role, c in said]
    chat = messages.as_chat(history)

    entries = [Entry(place=place) for place in range(len(chat.messages))]
    back = messages.as_messages(history, chat, entries)
    assert len(back) == len(history)
    assert all(one is other for one, other in zip(back, history, strict=True))
    for number, one in enumerate(chat.messages):
        calls = [call["id"] for call in one.get("tool_calls", ())]
        following = chat.messages[number + 1] if number + 1 < len(chat.messages) else {}
        assert calls == ([following["tool_call_id"]] if following.get("role") == "tool" else [])


def test_a_tool_that_raises_is_answered_as_the_framework_answers_it(server: Server) -> None:
    def fails() -> Any:
        raise LookupError("no such table")

    made = agent(server, fails, settings={"results": chars(2_000), "history": 20_000})
    talked(made, 1)

    (error,) = [step.error for step in made.memory.steps if getattr(step, "error", None)]
    assert "no such table" in str(error)
    assert "no such table" in json.dumps(sent(server))


def test_a_history_that_cannot_be_shortened_stops_the_run(server: Server) -> None:
    made = agent(server, ROWS, settings={"history": 100})

    with pytest.raises(smolagents.AgentGenerationError, match="over its budget") as caught:
        made.run("Question 0.")
    assert isinstance(caught.value.__cause__, HistoryError)


def test_the_model_of_another_agent_stays_as_it_was(server: Server) -> None:
    model = model_of(server)
    given = smolagents.ToolCallingAgent([tool_of(ROWS)], model, **QUIET)
    made = adapter.fit(given, adapter.Fitting(history=16_000))

    assert made is given
    assert type(made.model) is type(model)
    assert "generate" not in vars(model)
    with pytest.raises(ValueError, match="fitted already"):
        adapter.fit(made, adapter.Fitting())


def test_a_tool_of_the_same_name_as_ours_is_refused() -> None:
    store = module("ullage.history.recall").MemoryStore()
    made = smolagents.ToolCallingAgent(
        [tool_of(ROWS, "recall")], models.Model(model_id="none"), **QUIET
    )

    with pytest.raises(ValueError, match="rename it"):
        adapter.fit(made, adapter.Fitting(store=store))


@pytest.mark.parametrize("writes_code", [False, True])
def test_what_is_left_out_can_be_asked_for(server: Server, writes_code: bool) -> None:
    recall = module("ullage.history.recall")
    store = recall.MemoryStore()
    code = ("fetch()",) if writes_code else ()
    made = agent(server, ROWS, code=code, settings={"results": chars(2_000), "store": store})
    before = server.model._default

    def asks_again(request: ModelRequest) -> Turn:
        handles = recall.handles_in(request.messages[-1].text.replace('\\"', '"'))
        if not handles:
            return before(request)
        if writes_code:
            return Turn(text=f"<code>\nprint(recall('{handles[0]}', records='200-209'))\n</code>")
        arguments = {"handle": handles[0], "records": "200-209"}
        return Turn(calls=(Call(name="recall", arguments=arguments),))

    server.model._default = asks_again
    made.run("Question 0.")

    assert "R-00205" in observations(made)[1]
    assert store.use.used == 1


def test_findings_of_one_stage_stand_in_every_request_of_the_next(
    server: Server, tmp_path: Path
) -> None:
    found = {"text": "Order R-00007 was paid twice."}

    def finds(request: ModelRequest) -> Turn:
        if asked_newly(request):
            return Turn(calls=(Call(name="record_finding", arguments=found),))
        return say_or_end(request)

    with Handoff(tmp_path / "h.ledger", run="r") as handoff:
        worker = agent(server, ROWS, settings={"handoff": handoff, "stage": "search"})
        server.model._default = finds
        talked(worker, 1)
        before = len(server.asked("t"))
        decides = {"handoff": handoff, "stage": "decide", "history": 16_000}
        talked(agent(server, ROWS, settings=decides))
        bodies: Any = server.asked("t")[before:]
        assert_carried(handoff, bodies, found["text"])

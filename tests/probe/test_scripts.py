"""What the scripted model says in each kind of case."""

import json
from typing import Any

import pytest

from ullage.probe.canary import prompt
from ullage.probe.case import Case
from ullage.probe.request import read_request
from ullage.probe.script import Turn
from ullage.probe.scripts import CUT_SHORT, Hands, Words, script_of

FETCH = {"name": "fetch_rows", "parameters": {"type": "object", "properties": {}}}
SHELL = {
    "name": "run_shell_command",
    "parameters": {
        "type": "object",
        "properties": {
            "command": {"type": "string"},
            "description": {"type": "string"},
            "is_background": {"type": "boolean"},
        },
        "required": ["command", "description", "is_background"],
    },
}
HELP = {
    "name": "ask_helper",
    "parameters": {
        "type": "object",
        "properties": {"task": {"type": "string"}, "kind": {"enum": ["rows", "all"]}},
        "required": ["task", "kind"],
    },
}
READ = {
    "name": "read_file",
    "parameters": {
        "type": "object",
        "properties": {"file_path": {"type": "string"}},
        "required": ["file_path"],
    },
}
USER = {"role": "user", "content": "Fetch the rows."}
HANDS = Hands(file=lambda: "/tmp/rows-0.json", evidence=lambda: ["row-1", "row-2"])


def called(name: str, call_id: str = "call_0_00000000_0") -> dict[str, Any]:
    function = {"name": name, "arguments": "{}"}
    call = {"id": call_id, "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def result(text: str, call_id: str = "call_0_00000000_0") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": text}


def said(
    case: Case, messages: list[Any], *tools: dict[str, Any], words: Words | None = None
) -> Turn:
    body: dict[str, Any] = {"messages": messages}
    if tools:
        body["tools"] = [{"type": "function", "function": one} for one in tools]
    return script_of(case, words or Words(), HANDS)(read_request(body))


def call_of(turn: Turn) -> tuple[str, Any]:
    (call,) = turn.calls
    return call.name, call.arguments


RESULT = Case(tag="a", kind="result", size=8000)


def test_the_tool_is_called_once_for_each_thing_that_the_user_says() -> None:
    first = [USER, called("fetch_rows"), result("rows")]

    assert call_of(said(RESULT, [USER], FETCH)) == ("fetch_rows", {})
    assert said(RESULT, first, FETCH).text == "done"
    again = [*first, {"role": "assistant", "content": "done"}, USER]
    assert call_of(said(RESULT, again, FETCH)) == ("fetch_rows", {})


def test_a_result_whose_call_is_gone_is_a_result_all_the_same() -> None:
    assert said(RESULT, [USER, result("rows")], FETCH).text == "done"


def test_results_that_come_as_the_users_words_are_no_new_turn() -> None:
    told = {"role": "assistant", "content": "Calling fetch_rows (call_0_00000000_0)"}
    observation = {"role": "user", "content": "Observation: rows"}

    assert said(RESULT, [USER, told, observation], FETCH).text == "done"


def test_a_tool_is_found_by_a_word_in_its_name() -> None:
    plugin = FETCH | {"name": "Plugin-Fetch_Rows"}

    assert call_of(said(RESULT, [USER], plugin)) == ("Plugin-Fetch_Rows", {})
    own = FETCH | {"name": "orders"}
    assert call_of(said(RESULT, [USER], own, words=Words(fetch="order"))) == ("orders", {})


def test_a_shell_prints_the_file_with_the_arguments_that_it_wants() -> None:
    assert call_of(said(RESULT, [USER], SHELL)) == (
        "run_shell_command",
        {
            "command": "cat /tmp/rows-0.json",
            "description": "Print the file",
            "is_background": False,
        },
    )


def test_a_file_is_counted_as_produced_only_where_something_can_print_it() -> None:
    printed = list[str]()

    def write() -> str:
        printed.append("x")
        return "/tmp/my rows.json"

    hands = Hands(file=write, evidence=list)
    body: dict[str, Any] = {"messages": [USER], "tools": [{"type": "function", "function": READ}]}
    script = script_of(RESULT, Words(), hands)

    assert (script(read_request(body)).calls, printed) == ((), [])
    body["tools"] = [{"type": "function", "function": SHELL}]
    assert call_of(script(read_request(body)))[1]["command"] == "cat '/tmp/my rows.json'"
    assert printed == ["x"]


def test_a_harness_that_ends_by_a_tool_is_ended_by_that() -> None:
    ending = {"name": "final_answer", "parameters": {"type": "object", "properties": {}}}
    fetched = [USER, called("fetch_rows"), result("rows")]

    assert call_of(said(RESULT, fetched, FETCH, ending)) == ("final_answer", {"answer": "done"})
    next_turn = [*fetched, called("final_answer"), USER]
    assert call_of(said(RESULT, next_turn, FETCH, ending))[0] == "fetch_rows"


@pytest.mark.parametrize(
    ("style", "code"), [("code", "fetch_rows()"), ("print", "print(fetch_rows())")]
)
def test_code_is_written_where_the_model_calls_by_code(style: Any, code: str) -> None:
    case = Case(tag="a", kind="result", size=8000, style=style)
    fetching = said(case, [USER]).text

    assert fetching == f"Fetching.\n<code>\n{code}\n</code>"
    observed = [USER, {"role": "assistant", "content": fetching}, USER]
    assert said(case, observed).text == "Done.\n<code>\nfinal_answer('done')\n</code>"


def test_who_offers_no_tool_gets_a_summary_with_every_fact_in_it() -> None:
    case = Case(tag="a", kind="history", turns=3, size=8000)
    facts = [prompt(case, turn).partition(". ")[0] for turn in range(2)]
    asked = [{"role": "user", "content": f"Summarize: {' '.join(prompt(case, n) for n in (0, 1))}"}]

    text = said(case, asked).text

    assert [fact for fact in facts if fact not in text] == []


def test_a_reply_is_stopped_once_whatever_is_asked_then() -> None:
    script = script_of(Case(tag="a", kind="length", size=8000), Words(), HANDS)
    body = {
        "messages": [USER, called("fetch_rows"), result("rows")],
        "tools": [{"type": "function", "function": FETCH}],
    }

    first, second = script(read_request(body)), script(read_request(body))

    assert (first.text, first.finish_reason) == (CUT_SHORT, "length")
    assert second.finish_reason is None


def test_a_prompt_too_far_above_the_first_is_refused_however_large_that_is() -> None:
    case = Case(tag="a", kind="overflow", size=8000, window=100)
    script = script_of(case, Words(), HANDS)
    tools = [{"type": "function", "function": FETCH}]
    own = {"role": "system", "content": "x" * 80_000}

    def answer(*messages: dict[str, Any], **body: Any) -> Turn:
        return script(read_request({"messages": [own, USER, *messages], **body}))

    title = script(read_request({"messages": [USER]}))
    first = answer(tools=tools)
    fits = answer(called("fetch_rows"), result("x" * 300), tools=tools)
    over = answer(called("fetch_rows"), result("x" * 401), tools=tools).refused

    assert [one.refused for one in (title, first, fits)] == [None, None, None]
    assert over is not None
    assert over.kind == "overflow"
    assert over.tokens > over.window > 20_000
    assert answer(result("x" * 900)).refused is not None


HANDOFF = Case(tag="a", kind="handoff", size=8000)
TEAM = Words(delegate="helper", arguments={"kind": "all"})


def test_a_parent_delegates_and_a_helper_fetches_and_reports() -> None:
    task = "Call fetch_rows, and report each record that you find, with its id."

    assert call_of(said(HANDOFF, [USER], HELP, words=TEAM)) == (
        "ask_helper",
        {"task": task, "kind": "all"},
    )
    assert call_of(said(HANDOFF, [USER], FETCH, words=TEAM)) == ("fetch_rows", {})
    fetched = [USER, called("fetch_rows"), result("rows")]
    assert said(HANDOFF, fetched, FETCH, words=TEAM).text == (
        "Findings of the helper:\n- row-1 is out of line\n- row-2 is out of line"
    )
    back = [USER, called("ask_helper"), result("…")]
    assert said(HANDOFF, back, HELP, words=TEAM).text == "done"


def test_a_way_back_is_taken_once() -> None:
    case = Case(tag="a", kind="handle", size=200_000)
    notice = "{rows} … too large; the full output was saved to /results/call_1"
    cut = [USER, called("fetch_rows"), result(notice)]

    assert call_of(said(case, cut, FETCH, READ)) == ("read_file", {"file_path": "/results/call_1"})
    read = [*cut, called("read_file", "call_1_00000000_0"), result("…", "call_1_00000000_0")]
    assert said(case, read, FETCH, READ).text == "done"
    assert said(case, cut, FETCH).text == "done"


@pytest.mark.parametrize("kind", ["user", "history"])
def test_without_a_size_no_tool_is_called(kind: Any) -> None:
    assert said(Case(tag="a", kind=kind, size=0), [USER], FETCH).calls == ()


def test_arguments_stand_as_the_form_wants_them() -> None:
    form = {"type": "object", "properties": {"n": {"type": "integer"}, "names": {"type": "array"}}}
    tool = {"name": "fetch_rows", "parameters": form | {"required": ["n", "names", "other"]}}

    _, arguments = call_of(said(RESULT, [USER], tool))

    assert json.loads(json.dumps(arguments)) == {"n": 1, "names": [], "other": "all"}


def test_a_shell_is_tried_where_the_tool_that_reads_gave_nothing_new() -> None:
    row, other = "row-0123456789ab", "row-ba9876543210"

    def answers(given: str) -> list[Turn]:
        case = Case(tag="a", kind="handle", size=200_000)
        script = script_of(case, Words(), HANDS)
        messages = [USER, called("run_shell_command"), result(f"{row}, full output: /r/out.log")]
        turns = [said_by(script, [USER]), said_by(script, messages)]
        messages += [called("read_file"), result(given)]
        turns += [said_by(script, messages), said_by(script, messages)]
        return turns

    def said_by(script: Any, messages: list[Any]) -> Turn:
        tools = [{"type": "function", "function": one} for one in (SHELL, READ)]
        turn: Turn = script(read_request({"messages": messages, "tools": tools}))
        return turn

    printed, read, *rest = answers(row)

    assert [call_of(one)[0] for one in (printed, read)] == ["run_shell_command", "read_file"]
    assert [call_of(one)[0] for one in rest] == ["run_shell_command"] * 2
    assert call_of(rest[0])[1]["command"] == "tail -c +100000 /r/out.log | head -c 8000"
    assert [one.text for one in answers(f"{row} {other}")[2:]] == ["done", "done"]

"""What the scripted model says next follows from the request alone."""

from dataclasses import replace

import pytest

from ullage.errors import LoadError
from ullage.probe.openai_chat import whole
from ullage.probe.plan_file import load_plans
from ullage.probe.request import ModelRequest, read_request
from ullage.probe.script import (
    Call,
    Plan,
    Refusal,
    Turn,
    first_tool_each_turn,
    first_tool_once,
    offered_only,
)


def asked(assistant_messages: int = 0, tools: tuple[str, ...] | None = None) -> ModelRequest:
    body: dict[str, object] = {
        "messages": [{"role": "user", "content": "go"}]
        + [{"role": "assistant", "content": "x"}] * assistant_messages
    }
    if tools is not None:
        body["tools"] = [{"type": "function", "function": {"name": name}} for name in tools]
    return read_request(body)


FETCH = Turn(calls=(Call(name="fetch", arguments={"page": 1}),))
PLAN = Plan(turns=(FETCH, Turn(text="first"), FETCH, Turn(text="last")))


def test_the_number_of_assistant_messages_says_which_turn_is_next() -> None:
    assert [PLAN(asked(count)) for count in range(4)] == list(PLAN.turns)


def test_past_the_end_the_last_text_is_said_again() -> None:
    assert PLAN(asked(9)) == Turn(text="last")


def test_a_plan_without_a_text_ends_with_done() -> None:
    assert Plan(turns=(FETCH,))(asked(1)) == Turn(text="done")


def test_without_a_plan_the_first_tool_is_called_once_and_then_it_is_done() -> None:
    tools = ("final_answer", "search", "fetch")

    assert first_tool_once(asked(0, tools)) == Turn(calls=(Call(name="search"),))
    assert first_tool_once(asked(1, tools)) == Turn(
        calls=(Call(name="final_answer", arguments={"answer": "done"}),)
    )
    assert first_tool_once(asked(1, ("search",))) == Turn(text="done")
    assert first_tool_once(asked(0)) == Turn(text="done")


def test_a_tool_that_the_request_does_not_offer_is_answered_in_words() -> None:
    turn = offered_only(FETCH, asked(0, ("search", "open")))

    assert turn == Turn(
        text="scripted: the plan calls fetch, which this request does not offer "
        "(offered: search, open)"
    )


def test_a_tool_is_called_where_the_request_lists_none() -> None:
    assert offered_only(FETCH, asked(0)) == FETCH


def test_the_characters_of_a_request_are_those_of_its_texts_calls_and_tools() -> None:
    request = read_request(
        {
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "12345"}, {"type": "x"}]},
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [{"id": "1", "function": {"name": "ab", "arguments": "{}"}}],
                },
                {"role": "tool", "tool_call_id": "1", "content": "äöü"},
            ],
            "tools": [{"a": 1}],
        }
    )

    assert request.chars == 5 + 4 + 3 + len('{"a": 1}')
    assert request.assistant_messages == 1


def test_a_plan_file_holds_turns() -> None:
    plans = load_plans(
        '{"turns": [{"calls": [{"name": "fetch", "arguments": {"page": 1}}]},'
        ' {"text": "cut", "finish_reason": "length"}]}'
    )

    assert plans.default == Plan(turns=(FETCH, Turn(text="cut", finish_reason="length")))
    assert plans.by_run == {}


def test_a_plan_file_may_hold_a_plan_for_each_run() -> None:
    plans = load_plans('{"runs": {"a": {"turns": [{"text": "x"}]}}}')

    assert plans.by_run == {"a": Plan(turns=(Turn(text="x"),))}
    assert plans.default is None


def test_a_plan_file_may_have_errors_a_window_and_start_anew() -> None:
    plans = load_plans(
        '{"window": 8000, "each_user_turn": true, "turns": ['
        '{"status": 429, "times": 2}, {"calls": [{"name_contains": "shell"}], "times": 2},'
        ' {"text": "x"}]}'
    )

    assert plans.default is not None
    assert (plans.default.window, plans.default.each_user_turn) == (8000, True)
    status = [turn.refused.status if turn.refused else None for turn in plans.default.turns]
    assert status == [429, 429, None, None, None]
    assert plans.default.turns[2].calls == (Call(name="shell", like=True),)


def test_an_error_is_passed_once_it_was_given() -> None:
    refused = Turn(refused=Refusal(status=500, kind="planned"))
    plan = Plan(turns=(FETCH, refused, refused, Turn(text="last")))

    def after(replies: int, failed: int) -> Turn:
        return plan(replace(asked(replies), failed=failed))

    assert [after(0, 0), after(1, 0), after(1, 1), after(1, 2)] == [*plan.turns]
    assert Plan(turns=(Turn(text="a"), refused))(replace(asked(1), failed=1)) == Turn(text="a")


def test_a_tool_may_be_named_by_a_word_of_its_name() -> None:
    turn = Turn(calls=(Call(name="SHELL", arguments={"command": "ls"}, like=True),))

    found = offered_only(turn, asked(0, ("fetch", "run_shell", "shell")))

    assert found.calls == (Call(name="run_shell", arguments={"command": "ls"}),)
    assert "does not offer" in offered_only(turn, asked(0, ("fetch",))).text


def test_a_custom_tool_and_one_of_the_providers_own_cannot_be_called() -> None:
    tools: list[object] = [
        {"type": "web_search"},
        {"type": "custom", "custom": {"name": "patch"}},
        {"type": "custom", "name": "patch"},
        {"type": "function", "function": {"name": "fetch"}},
    ]

    assert read_request({"messages": [], "tools": tools}).tools == ("fetch",)


def test_a_history_that_lost_a_call_goes_on_where_its_result_is() -> None:
    plan = Plan(turns=(FETCH, Turn(text="listed")), each_user_turn=True)
    result: dict[str, object] = {"role": "tool", "tool_call_id": "x", "content": "[]"}

    assert plan(said(one("user", "list them"), result)) == Turn(text="listed")


def test_broken_arguments_can_be_scripted() -> None:
    plans = load_plans('{"turns": [{"calls": [{"name": "f", "arguments": "{\\"a\\": "}]}]}')

    assert plans.default is not None
    assert plans.default.turns[0].calls[0].arguments_text == '{"a": '


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", r"plan: .* at line 1, column 2"),
        ("[]", "plan: expected an object, got a list"),
        ("{}", "plan: expected 'turns', or 'runs' and 'default'"),
        ('{"turns": []}', "plan: expected 'turns' to be a list with at least one turn"),
        ('{"turns": [{"text": "a"}, 7]}', "turn 2: expected an object, got a number"),
        ('{"turns": [{}]}', r"turn 1: expected either 'text' or 'calls', got \[\]"),
        ('{"turns": [{"text": "a", "calls": []}]}', "turn 1: expected either"),
        ('{"turns": [{"text": null}]}', "turn 1: expected 'text' to be a string, got null"),
        ('{"turns": [{"calls": []}]}', "turn 1: expected 'calls' to be a list with at least one"),
        ('{"turns": [{"calls": [{}]}]}', "turn 1, call 1: expected 'name' to be the tool's name"),
        (
            '{"turns": [{"calls": [{"name": "f", "arguments": [1]}]}]}',
            "turn 1, call 1: expected 'arguments' to be an object, got a list",
        ),
        ('{"turns": [{"text": "a", "finish_reason": "x"}]}', "turn 1: expected 'finish_reason'"),
        ('{"turns": [{"txt": "a"}]}', "turn 1: 'txt' is not known"),
        ('{"turns": [{"status": 200}]}', "turn 1: expected 'status' to be from 400 to 599"),
        ('{"turns": [{"status": 429, "text": "a"}]}', "'text' cannot stand beside 'status'"),
        ('{"turns": [{"text": "a", "times": 0}]}', "expected 'times' to be a whole number above 0"),
        ('{"turns": [{"text": "a", "times": 99999}]}', "expected 'times' to be 10000 or less"),
        ('{"turns": [{"text": "a"}], "window": true}', "plan: expected 'window' to be a whole"),
        ('{"turns": [{"text": "a"}], "each_user_turn": 1}', "to be true or false, got 1"),
        (
            '{"turns": [{"calls": [{"name": "a", "name_contains": "a"}]}]}',
            "turn 1, call 1: expected 'name' or 'name_contains', got both",
        ),
        (
            '{"turns": [{"calls": [{"name_contains": ""}]}]}',
            "expected 'name_contains' to be a part of the tool's name, got ''",
        ),
        ('{"runs": {"a": {"turns": [{}]}}}', r"runs\.a: turn 1: expected either"),
    ],
)
def test_a_plan_of_the_wrong_shape_is_refused_by_turn_and_expectation(text: str, says: str) -> None:
    with pytest.raises(LoadError, match=says):
        load_plans(text)


def said(*messages: dict[str, object]) -> ModelRequest:
    tools = [{"type": "function", "function": {"name": "fetch"}}]
    return read_request({"messages": list(messages), "tools": tools})


def one(role: str, content: str) -> dict[str, object]:
    return {"role": role, "content": content}


def call_of(request: ModelRequest) -> dict[str, object]:
    """Our own reply that calls, as a client puts it into its history."""
    choices = whole(first_tool_each_turn(request), request)["choices"]
    assert isinstance(choices, list)
    message: dict[str, object] = choices[0]["message"]
    return message


FETCHES, DONE = Turn(calls=(Call(name="fetch"),)), Turn(text="done")


def test_a_tool_is_called_once_a_turn_whatever_was_said_before_it() -> None:
    before = [one("user", "hello"), one("assistant", "yes"), one("user", "list them")]
    called = call_of(said(*before))
    result: dict[str, object] = {"role": "tool", "tool_call_id": "x", "content": "[]"}

    assert first_tool_each_turn(said(*before)) == FETCHES
    assert first_tool_each_turn(said(*before, called, result)) == DONE
    assert (
        first_tool_each_turn(
            said(*before, called, result, one("assistant", "done"), one("user", "more"))
        )
        == FETCHES
    )


def test_a_result_that_comes_as_the_users_words_answers_a_call_of_ours() -> None:
    called = call_of(said(one("user", "list them")))

    assert (
        first_tool_each_turn(said(one("user", "list them"), called, one("user", "Observation: []")))
        == DONE
    )


def test_the_calls_of_others_in_a_history_are_not_taken_for_ours() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "fetch", "arguments": "{}"}}
    history: list[dict[str, object]] = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "[]"},
    ]

    assert first_tool_each_turn(said(*history, one("user", "list them"))) == FETCHES

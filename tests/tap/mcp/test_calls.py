"""Which reply belongs to which call."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ullage.tap.mcp import calls
from ullage.tap.mcp.calls import Calls
from ullage.tap.mcp.results import Produced

IDS = st.lists(
    st.integers() | st.text(max_size=3), unique_by=lambda one: (type(one), one), max_size=8
)


def call(number: object, tool: str = "list") -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool}}


def answer(number: object, text: str = "x") -> dict[str, Any]:
    result = {"content": [{"type": "text", "text": text}]}
    return {"jsonrpc": "2.0", "id": number, "result": result}


def pairs(*messages: tuple[str, dict[str, Any]]) -> list[Produced]:
    state, found = Calls(), []
    for side, message in messages:
        if side == "client":
            state.from_client(message)
        elif (one := state.from_server(message)) is not None:
            found.append(one)
    return found


@given(ids=IDS, order=st.randoms(use_true_random=False))
def test_every_reply_finds_its_call_in_whatever_order_they_come(ids: list[Any], order: Any) -> None:
    state = Calls()
    for place, number in enumerate(ids):
        state.from_client(call(number, f"tool-{place}"))
    replies = list(enumerate(ids))
    order.shuffle(replies)

    for place, number in replies:
        found = state.from_server(answer(number))
        assert found is not None
        assert found.tool == f"tool-{place}"
    assert len(state) == 0


def test_a_number_and_the_same_digits_are_two_ids() -> None:
    found = pairs(("client", call(1, "a")), ("client", call("1", "b")), ("server", answer("1")))

    assert [one.tool for one in found] == ["b"]


def test_a_request_of_the_server_with_the_id_of_a_call_is_no_reply() -> None:
    asks = {"jsonrpc": "2.0", "id": 1, "method": "sampling/createMessage", "params": {}}

    found = pairs(("client", call(1)), ("server", asks), ("server", answer(1, "late")))

    assert [one.text for one in found] == ["late"]


def test_replies_to_other_requests_are_no_results() -> None:
    other = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}

    assert pairs(("client", other), ("server", answer(1))) == []


def test_a_cancelled_call_gives_nothing_to_a_model() -> None:
    cancel = {
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": {"requestId": 1},
    }

    assert pairs(("client", call(1)), ("client", cancel), ("server", answer(1))) == []


def test_the_result_of_a_task_belongs_to_the_call_that_started_it() -> None:
    started = {"jsonrpc": "2.0", "id": 1, "result": {"task": {"taskId": "t"}}}
    asked = {"jsonrpc": "2.0", "id": 2, "method": "tasks/result", "params": {"taskId": "t"}}

    found = pairs(
        ("client", call(1, "slow")),
        ("server", started),
        ("client", asked),
        ("server", answer(2, "done")),
    )

    assert [(one.tool, one.text) for one in found] == [("slow", "done")]


def test_calls_that_are_never_answered_are_given_up_and_counted() -> None:
    state = Calls()
    for number in range(calls.MOST_OPEN + 5):
        state.from_client(call(number))

    assert (len(state), state.oddities.given_up) == (calls.MOST_OPEN, 5)


def test_an_id_used_twice_counts_and_the_later_call_gets_the_reply() -> None:
    state = Calls()
    state.from_client(call(1, "first"))
    state.from_client(call(1, "second"))
    found = state.from_server(answer(1))

    assert found is not None
    assert (found.tool, state.oddities.reused_ids) == ("second", 1)


@given(
    message=st.dictionaries(
        st.sampled_from(["id", "method", "params", "result", "error"]),
        st.none()
        | st.integers()
        | st.sampled_from(["tools/call", "tasks/result", "notifications/cancelled"])
        | st.lists(st.integers())
        | st.dictionaries(st.sampled_from(["name", "taskId", "requestId"]), st.integers()),
    )
)
def test_no_message_is_fatal(message: dict[str, Any]) -> None:
    state = Calls()
    state.from_client(message)
    state.from_server(message)

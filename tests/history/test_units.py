"""Which pieces move together, and how broken pairs are put right."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ullage.history.forms.table import BY_NAME, form_of
from ullage.history.gauge import Gauge
from ullage.history.piece import Piece
from ullage.history.repair import STAND_IN, Repaired, repaired
from ullage.history.units import units_of

GAUGE = Gauge("tokens")
CHAT = BY_NAME["openai-chat"]


def calling(*ids: str) -> dict[str, Any]:
    function = {"name": "f", "arguments": "{}"}
    calls = [{"id": one, "type": "function", "function": function} for one in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def result(call_id: str, said: str = "rows") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": said}


USER = {"role": "user", "content": "go on"}


def read(*messages: dict[str, Any]) -> tuple[Piece, ...]:
    return CHAT.read({"messages": list(messages)}, GAUGE)


def repair(*messages: dict[str, Any]) -> Repaired:
    return repaired(read(*messages), CHAT, GAUGE)


def written(done: Repaired) -> Any:
    return CHAT.write({}, done.pieces)["messages"]


def whats(done: Repaired) -> list[str]:
    return [one.what for one in done.repairs]


def test_a_reply_and_the_results_of_its_parallel_calls_are_one_unit() -> None:
    units = units_of(read(USER, calling("a", "b"), result("b"), result("a"), USER))

    assert [one.members for one in units] == [(0,), (1, 2, 3), (4,)]
    assert [one.turn for one in units] == [0, 1, 1]


def test_a_late_result_belongs_to_its_call_all_the_same() -> None:
    units = units_of(read(calling("a"), USER, result("a")))

    assert [one.members for one in units] == [(0, 2), (1,)]


def test_an_id_that_occurs_again_belongs_to_the_latest_open_call() -> None:
    units = units_of(read(calling("a"), result("a"), calling("a"), result("a")))

    assert [one.members for one in units] == [(0, 1), (2, 3)]


def test_reasoning_moves_with_the_call_behind_it() -> None:
    items = [
        {"type": "reasoning", "id": "r1", "summary": []},
        {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"},
        {"type": "function_call", "call_id": "b", "name": "f", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "a", "output": "1"},
        {"type": "function_call_output", "call_id": "b", "output": "2"},
    ]
    body = {"input": items}

    units = units_of(form_of(body).read(body, GAUGE))

    assert [one.members for one in units] == [(0, 1, 2, 3, 4)]


def test_results_without_ids_answer_the_calls_of_the_latest_reply_in_their_order() -> None:
    parts = [{"functionCall": {"name": "f", "args": {}}}, {"functionCall": {"name": "g"}}]
    answers = [
        {"functionResponse": {"name": "g", "response": {"output": "2"}}},
        {"functionResponse": {"name": "f", "response": {"output": "1"}}},
    ]
    body = {"contents": [{"role": "model", "parts": parts}, {"role": "user", "parts": answers}]}
    form = form_of(body)

    pieces = form.read(body, GAUGE)

    assert [one.members for one in units_of(pieces)] == [(0, 1, 2)]
    assert repaired(pieces, form, GAUGE).repairs == ()


def test_an_orphan_result_is_dropped_and_said() -> None:
    done = repair(USER, result("gone"), USER)

    assert written(done) == [USER, USER]
    assert [(one.what, one.place) for one in done.repairs] == [("orphan-result", 1)]


def test_a_call_without_its_result_gets_a_stand_in_that_says_so() -> None:
    done = repair(calling("a", "b"), result("a"), USER)

    assert written(done) == [calling("a", "b"), result("a"), result("b", STAND_IN), USER]
    assert whats(done) == ["orphan-call"]


def test_an_open_call_at_the_end_waits_for_its_result() -> None:
    messages = [USER, calling("a", "b"), result("a")]

    assert written(repair(*messages)) == messages


def test_a_late_result_is_moved_to_its_call() -> None:
    done = repair(calling("a"), USER, result("a"), USER)

    assert written(done) == [calling("a"), result("a"), USER, USER]
    assert whats(done) == ["late-result"]


def test_a_second_result_of_one_call_is_dropped() -> None:
    done = repair(calling("a"), result("a"), result("a", "again"), USER)

    assert written(done) == [calling("a"), result("a"), USER]
    assert whats(done) == ["double-result"]


ANY = st.lists(
    st.one_of(
        st.just(USER),
        st.lists(st.sampled_from("abc"), min_size=1, max_size=2, unique=True).map(
            lambda ids: calling(*ids)
        ),
        st.sampled_from("abc").map(result),
    ),
    max_size=12,
)


@given(messages=ANY)
def test_whatever_is_given_every_call_is_followed_by_its_results(messages: list[Any]) -> None:
    waiting: list[str] = []
    for message in written(repair(*messages)):
        if message["role"] == "tool":
            waiting.remove(message["tool_call_id"])
            continue
        assert not waiting
        waiting = [call["id"] for call in message.get("tool_calls", ())]


@given(messages=ANY)
def test_what_was_put_right_once_needs_no_repair(messages: list[Any]) -> None:
    done = repair(*messages)

    assert repaired(done.pieces, CHAT, GAUGE).repairs == ()


@given(messages=ANY)
def test_each_piece_is_in_exactly_one_unit(messages: list[Any]) -> None:
    pieces = read(*messages)

    members = [index for unit in units_of(pieces) for index in unit.members]

    assert sorted(members) == list(range(len(pieces)))

"""Results without their calls, calls without their results."""

from hypothesis import given as for_any
from hypothesis import strategies as st
from tests.checks.by_hand import asked, given, session, user, wrote

from ullage.checks import orphans
from ullage.checks.session import Session
from ullage.transcript.message import Message, ToolCall
from ullage.transcript.transcript import Compaction, Entry


def names(one: Session) -> list[tuple[str, str | None]]:
    return [(found.check, found.evidence["call_id"]) for found in orphans.check(one)]  # type: ignore[misc]


def parallel(*call_ids: str) -> Entry:
    calls = tuple(ToolCall(call_id=one, name="f", arguments="{}") for one in call_ids)
    return Entry(message=Message(role="assistant", text="", calls=calls))


def test_a_result_whose_call_is_not_there_is_reported() -> None:
    one = session([user("go"), given("gone", "x"), asked("c1"), given("c1", "y")], form="exchanges")

    assert names(one) == [("orphan-result", "gone")]


def test_a_log_that_begins_in_the_middle_is_no_fault_of_the_agent() -> None:
    assert names(session([given("gone", "x"), asked("c1"), given("c1", "y")])) == []


def test_a_result_in_the_middle_of_a_log_without_its_call_is_reported() -> None:
    one = session([asked("c1"), given("c1", "y"), given("c9", "x"), wrote("done")])

    assert names(one) == [("orphan-result", "c9")]


def test_a_result_may_answer_a_call_whose_id_was_not_written_down() -> None:
    call = ToolCall(call_id=None, name="search", arguments="{}")
    nameless = Entry(message=Message(role="assistant", text="", calls=(call,)))

    assert names(session([user("go"), nameless, given("c9", "x"), wrote("done")])) == []


def test_a_call_that_the_model_went_on_without_is_reported() -> None:
    one = session([parallel("c1", "c2"), given("c1", "x"), wrote("done")])

    assert names(one) == [("orphan-call", "c2")]


def test_a_last_call_that_is_still_running_is_silent() -> None:
    assert (
        names(session([asked("c1"), given("c1", "x"), parallel("c2", "c3"), given("c2", "y")]))
        == []
    )


def test_a_tool_of_the_server_has_no_result_here() -> None:
    entries = [
        asked("srvtoolu_1"),
        asked("a", "web_search"),
        asked("c"),
        given("c", "x"),
        wrote("done"),
    ]

    assert names(session(entries)) == []


def test_a_harness_that_names_no_calls_is_silent() -> None:
    result = Entry(message=Message(role="tool", text="x", name="f"))

    assert names(session([asked("c1"), result, wrote("done")])) == []


def test_a_compaction_that_keeps_a_result_and_drops_its_call_is_reported() -> None:
    entries = [user("go"), asked("c1"), given("c1", "x"), wrote("on"), user("more"), wrote("done")]

    one = session(entries, compactions=[Compaction(at=4, after=(0, 2, 3))])

    (found,) = orphans.check(one)
    assert (found.check, found.evidence["after_compaction"], found.boundary) == (
        "orphan-result",
        True,
        "retain",
    )


def test_a_compaction_that_drops_both_is_silent() -> None:
    entries = [user("go"), asked("c1"), given("c1", "x"), wrote("on"), user("more"), wrote("done")]

    assert names(session(entries, compactions=[Compaction(at=4, after=(0, 3))])) == []


def test_a_result_that_comes_behind_a_compaction_answers_the_call_before_it() -> None:
    entries = [user("go"), asked("c1"), given("c1", "x"), wrote("done")]

    assert names(session(entries, compactions=[Compaction(at=2, after=(0, 1))])) == []


@for_any(st.lists(st.integers(1, 4), min_size=1, max_size=12), st.data())
def test_each_pair_that_is_torn_is_named_and_no_other(
    sizes: list[int], data: st.DataObject
) -> None:
    entries: list[Entry] = [asked("first"), given("first", "x")]
    torn: set[tuple[str, str]] = set()
    for turn, size in enumerate(sizes):
        ids = [f"c{turn}-{number}" for number in range(size)]
        fate = {one: data.draw(st.sampled_from(["whole", "no call", "no result"])) for one in ids}
        entries.append(parallel(*(one for one in ids if fate[one] != "no call")))
        entries += [given(one, "x") for one in ids if fate[one] != "no result"]
        torn |= {("orphan-result", one) for one in ids if fate[one] == "no call"}
        torn |= {("orphan-call", one) for one in ids if fate[one] == "no result"}

    assert set(names(session([*entries, wrote("done")]))) == torn

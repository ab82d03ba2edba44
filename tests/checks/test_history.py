"""What left the context, and what that did."""

import json
from typing import Any

import pytest
from tests.checks.sessions import (
    calls,
    conversations,
    gives,
    requested,
    says,
    session,
    system,
    turns,
    user,
)

from ullage.checks import (
    compacted_with_room,
    error_loop,
    message_lost,
    payload_in_history,
    plateau,
    summariser_starved,
    system_shortened,
)
from ullage.checks.session import Session, SessionCheck
from ullage.checks.summarised import check as what_summaries_lost
from ullage.transcript.finding import Finding
from ullage.transcript.message import Message
from ullage.transcript.transcript import Compaction

ROWS = json.dumps([{"id": f"ORD-{n:04}", "total": n} for n in range(60)])
ALL = turns(8)


def figures(found: Finding) -> Any:
    return found.evidence


def test_messages_that_left_without_a_word_are_told_with_the_limit_that_fits() -> None:
    kept = 3
    history = [ALL[: 2 * n + 1][-(2 * kept + 1) :] for n in range(1, 8)]
    found = list(message_lost.check(requested(*history)))

    assert len(found) == 4
    assert {one.boundary for one in found} == {"retain"}
    assert found[0].evidence["messages"] == 2
    assert found[0].evidence["task"] is True
    assert found[0].evidence["trigger"] == {"kind": "turns", "kept": 4, "sure": False}


def test_a_limit_on_messages_is_told_from_one_on_turns() -> None:
    def with_calls(number: int) -> list[Message]:
        many = [
            one
            for n in range(number)
            for one in (calls(f"{number}.{n}"), gives(f"{number}.{n}", "ok"))
        ]
        return [user(f"question {number}"), *many, says(f"answer {number}")]

    whole = [one for number in (1, 3, 1, 2, 1) for one in with_calls(number)]
    ends = [7, 11, 15, 17]
    found = list(message_lost.check(requested(*[whole[:end][-5:] for end in ends])))

    assert found
    assert figures(found[0])["trigger"]["kind"] == "messages"
    assert figures(found[0])["trigger"]["kept"] == 5


def test_a_window_in_which_no_turn_of_the_user_is_left_is_no_limit_on_turns() -> None:
    whole = [
        user("fix it"),
        *(one for n in range(6) for one in (calls(f"c{n}"), gives(f"c{n}", "ok"))),
    ]
    found = list(message_lost.check(requested(*[whole[:end][-4:] for end in (3, 5, 7, 9, 11)])))

    assert {str(figures(one)["trigger"]["kind"]) for one in found} == {"messages"}


def test_losses_that_no_one_limit_explains_are_told_without_one() -> None:
    long = turns(12)
    history = [long[:7], long[4:9], long[4:11], long[4:17], long[14:19]]
    found = list(message_lost.check(requested(*history)))

    assert len(found) == 2
    assert figures(found[0])["trigger"] == {"kind": "unknown", "kept": None, "sure": False}
    assert "no one limit on turns" in found[0].advice


def test_a_lost_message_is_no_loss_of_the_tool_whose_result_stands_there_now() -> None:
    whole = [user("look"), *(one for n in "abcd" for one in (calls(n), gives(n, f"found {n}")))]
    (found, *_) = message_lost.check(requested(whole[:6], whole[:7][-4:]))

    assert (found.tool, found.call_id) == (None, None)


def test_a_part_of_the_system_text_that_comes_and_goes_is_not_cut() -> None:
    def with_part(size: int) -> Message:
        return system(RULES + "".join(f" Known of order {n}: open." for n in range(size)))

    sizes = (40, 3, 60, 0, 50)
    history = [[with_part(size), *ALL[: 2 * n + 1]] for n, size in enumerate(sizes)]
    assert not list(system_shortened.check(requested(*history)))


def test_a_note_behind_the_first_messages_is_no_part_of_the_system_text() -> None:
    before = [system(RULES), *ALL[:3], system("Never forget: 3 steps of at most 5 are left. " * 20)]
    assert not list(system_shortened.check(requested(before, [system(RULES), *ALL[:5]])))


def test_a_history_that_only_grows_has_lost_nothing() -> None:
    found = requested(*[ALL[:end] for end in (1, 3, 5, 7)])

    assert not list(message_lost.check(found))


def test_a_side_step_with_a_shorter_history_has_lost_nothing() -> None:
    found = requested(ALL[:7], ALL[4:7], ALL[:9])

    assert not list(message_lost.check(found))


def side_step() -> Session:
    """A request with the last message only, then one with all of the history again."""
    messages = [system("The rules."), *turns(4), says("Title: orders"), user("And now?")]
    end = len(messages) - 2
    return session(
        *messages,
        compactions=[
            Compaction(at=end, act="trim", after=(end - 1,), recorded=False),
            Compaction(at=end + 1, after=tuple(range(end)), recorded=False),
        ],
        tokens=500,
        window=128_000,
    )


@pytest.mark.parametrize(
    "check",
    [
        message_lost.check,
        system_shortened.check,
        compacted_with_room.check,
        what_summaries_lost,
    ],
)
def test_a_side_step_whose_history_is_in_force_again_has_lost_nothing(check: SessionCheck) -> None:
    assert not list(check(side_step()))


def test_the_same_calls_under_other_ids_are_no_shorter_history() -> None:
    def made(prefix: str) -> list[Message]:
        return [user("go"), calls(f"{prefix}1", city="Lagos"), gives(f"{prefix}1", "12 orders")]

    asked = requested(made("a"), [*made("b"), says("12 orders."), user("and now?")], tokens=90)

    assert not list(compacted_with_room.check(asked))


def test_a_history_with_a_placeholder_or_a_recorded_compaction_is_not_lost_without_a_word() -> None:
    asked = [user("list"), calls("c1"), gives("c1", ROWS), says("60."), user("more?")]
    cleared = [*asked[:2], gives("c1", "[cleared to save context]"), *asked[3:], says("no")]
    recorded = session(*ALL, compactions=[Compaction(at=8, after=(6, 7), act="trim")])

    assert not list(message_lost.check(requested(asked[:3], asked, cleared)))
    assert not list(message_lost.check(recorded))


RULES = "You are a careful clerk. " + " ".join(
    f"Rule {n}: never skip order {n}." for n in range(40)
)


def test_a_system_text_that_was_cut_is_told() -> None:
    found = list(
        system_shortened.check(
            requested([system(RULES), *ALL[:1]], [system(RULES[:400]), *ALL[:3]])
        )
    )

    assert [one.evidence["gone"] for one in found] == [len(RULES) - 400]


def test_a_system_text_that_left_is_told() -> None:
    (found,) = system_shortened.check(requested([system(RULES), *ALL[:3]], ALL[:5]))

    assert found.evidence["characters_after"] == 0


def test_a_system_text_with_another_time_or_for_another_task_is_not_cut() -> None:
    for other in (RULES + " It is 10:42.", "Write a title for the conversation above."):
        before, after = [system(RULES), *ALL[:3]], [system(other), *ALL[:5]]
        assert not list(system_shortened.check(requested(before, after)))


def test_data_in_an_older_message_of_the_user_is_told_before_it_is_lost() -> None:
    found = list(payload_in_history.check(session(user(ROWS), says("ok"), user("sum them"))))

    assert [(one.severity, one.evidence["records"]) for one in found] == [("note", 60)]
    assert found[0].evidence["lost"] is False


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_table_in_an_older_message_of_the_user_is_data(mark: str) -> None:
    table = "\n".join(
        mark.join(row)
        for row in [("id", "total", "city"), *((f"ORD-{n}", "12", "Lagos") for n in range(90))]
    )
    (found,) = payload_in_history.check(requested([user(table), says("ok"), user("and now?")]))

    assert found.evidence["records"] == 90


def test_data_in_the_newest_message_or_in_a_result_is_where_it_belongs() -> None:
    newest = session(user("hello"), says("hi"), user(ROWS))
    result = session(user("list"), calls("c1"), gives("c1", ROWS), says("60"), user("more?"))

    assert not list(payload_in_history.check(newest))
    assert not list(payload_in_history.check(result))


def test_a_compaction_in_a_window_that_was_far_from_full_is_told_with_its_fill() -> None:
    one = Compaction(at=8, after=(6, 7), act="summarise", tokens_before=23_000)
    (found,) = compacted_with_room.check(session(*ALL, compactions=[one], window=400_000))

    assert found.evidence["fill"] == 0.0575


def test_a_compaction_whose_size_is_given_as_zero_is_not_judged() -> None:
    one = Compaction(at=3, act="trim", after=(2,), tokens_before=0)
    messages = (user("a"), says("b"), user("c"), says("d"))

    assert not list(compacted_with_room.check(session(*messages, compactions=[one], window=9_000)))


def test_a_compaction_of_a_full_window_or_one_that_a_person_asked_for_needs_no_word() -> None:
    full = Compaction(at=8, after=(6, 7), tokens_before=170_000)
    asked = Compaction(at=8, after=(6, 7), tokens_before=20_000, trigger="manual")

    for one in (full, asked):
        found = session(*ALL, compactions=[one], window=200_000)
        assert not list(compacted_with_room.check(found))


SUMMARY = "The user asked seven questions, and each of them was answered in a few words."


def summarised(shown: int) -> list[Session]:
    history, tail = ALL[:12], ALL[12:13]
    prompt = user("Summarise:\n" + "\n".join(one.text for one in history[:shown]))
    after = [user(f"Summary of the conversation so far: {SUMMARY}"), *tail]
    return conversations((history[:-1], history[-1].text), ([prompt], SUMMARY), (after, "done"))


def test_a_summary_whose_writer_saw_a_part_only_of_what_it_replaced_is_told() -> None:
    found = [one for each in summarised(4) for one in summariser_starved.check(each)]

    assert [figures(one)["replaced"]["messages"] for one in found] == [12]
    assert [figures(one)["shown"]["messages"] for one in found] == [4]
    assert not [one for each in summarised(4) for one in message_lost.check(each)]


def test_a_summary_whose_writer_saw_all_of_it_is_not() -> None:
    assert not [one for each in summarised(12) for one in summariser_starved.check(each)]


def failing(first: str, *later: str) -> list[Message]:
    def failed(number: int, text: str) -> list[Message]:
        return [calls(f"c{number}", "build", target="all"), gives(f"c{number}", text)]

    return [
        user("build it"),
        *failed(0, first),
        *(m for n, t in enumerate(later, 1) for m in failed(n, t)),
    ]


def test_an_error_that_is_met_again_after_it_was_taken_out_is_told() -> None:
    gone = Compaction(at=3, after=(0,), act="elide")
    error = "ld: symbol not found: _init"
    built = session(*failing(error, error, error), compactions=[gone], failed=[2, 4, 6])

    (found,) = error_loop.check(built)
    assert found.evidence["again"] == 2


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("Error: permission denied: /srv/a", 1),
        ("Traceback (most recent call last):\n  File 'a.py'\nKeyError: 'city'", 1),
        ("psycopg2.errors.UndefinedColumn: city", 1),
        ("column city does not exist", 1),
        ("npm ERR! missing script: build", 1),
        ("HTTP 422: field city is required", 1),
        ("sh: foo: command not found", 1),
        ("12 orders are late", 0),
        ("def error_rate(values): ...", 0),
    ],
)
def test_an_error_that_nobody_marked_is_known_by_its_words(text: str, times: int) -> None:
    gone = Compaction(at=3, after=(0,), act="elide")
    built = session(*failing(text, text, text), compactions=[gone])

    assert len(list(error_loop.check(built))) == times


def test_an_error_that_still_stands_there_or_changed_is_no_loop_after_elision() -> None:
    error = "ld: symbol not found: _init"
    gone = Compaction(at=3, after=(0,), act="elide")
    there = session(*failing(error, error, error), failed=[2, 4, 6])
    other = session(*failing(error, "no such file", "ok"), compactions=[gone], failed=[2, 4])

    assert not list(error_loop.check(there))
    assert not list(error_loop.check(other))


def compacted_at(*sizes: int, window: int) -> Session:
    places = [Compaction(at=4 * n, after=(), tokens_before=size) for n, size in enumerate(sizes, 1)]
    return session(*ALL, compactions=places, window=window)


def test_a_history_that_is_shortened_at_one_size_again_and_again_shows_the_harness_window() -> None:
    (found,) = plateau.check(compacted_at(15_800, 16_000, 15_900, window=200_000))

    assert figures(found)["effective"] == 16_000


def test_sizes_that_differ_or_come_near_the_window_show_none() -> None:
    assert not list(plateau.check(compacted_at(9_000, 16_000, 12_000, window=200_000)))
    assert not list(plateau.check(compacted_at(180_000, 178_000, 181_000, window=200_000)))
    assert not list(plateau.check(compacted_at(16_000, 16_000, window=200_000)))

"""Which texts of a run's requests are new, conversation by conversation."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.checks.sent import Conversations
from ullage.transcript.message import Message, Role
from ullage.wire.draft import Draft
from ullage.wire.reply import Reply
from ullage.wire.request import Request

ROLE: dict[str, Role] = {"s": "system", "u": "user", "a": "assistant", "t": "tool"}


def request(words: str, follows: str | None = None) -> Request:
    """`s1 u1 a1 t1`: each message by its role and its text."""
    messages = [
        Message(role=ROLE[word[0]], text=word, answers="c" if word[0] == "t" else None)
        for word in words.split()
    ]
    return Request(messages=messages, follows=follows)


def answered(name: str, text: str = "") -> Reply:
    draft = Draft(ended=True, known=True, ids=(name,))
    draft.write(0, text)
    return draft.done()


def sent(*requests: str) -> tuple[int, list[tuple[str, int]]]:
    """How many conversations there are, and each text with the request that had it first.

    A request that ends with `!` failed.
    """
    told = Conversations()
    for number, one in enumerate(requests):
        told.add(request(one.rstrip("!")), number, failed=one.endswith("!"))
    return len(told.all), [(one.text, one.exchange) for one in told.texts()]


def test_a_request_that_begins_with_the_last_one_adds_what_is_new() -> None:
    assert sent("u1", "u1 a1 t1", "u1 a1 t1 a2 t2") == (1, [("u1", 0), ("t1", 1), ("t2", 2)])


def test_an_equal_text_is_new_when_it_comes_once_more_often() -> None:
    assert sent("u1 t1", "u1 t1 a1 t1") == (1, [("u1", 0), ("t1", 0), ("t1", 1)])


def test_a_request_with_another_beginning_is_another_conversation() -> None:
    assert sent("u1", "u1 t1", "u2", "u2 t1") == (
        2,
        [("u1", 0), ("t1", 1), ("u2", 2), ("t1", 3)],
    )


def test_the_same_task_again_is_another_conversation() -> None:
    count, texts = sent("u1", "u1 a1 t1", "u1", "u1 a1 t1")

    assert count == 2
    assert texts == [("u1", 0), ("t1", 1), ("u1", 2), ("t1", 3)]


def test_a_request_that_failed_is_repeated_in_its_conversation() -> None:
    assert sent("u1", "u1 a1 t1!", "u1 a1 t1", "u1 a1 t1 a2 t2") == (
        1,
        [("u1", 0), ("t1", 1), ("t2", 3)],
    )


def test_a_history_that_was_trimmed_is_the_same_conversation() -> None:
    assert sent("u1 a1 t1 a2 t2", "u1 a2 t2 a3 t3")[0] == 1


def test_a_system_text_that_changes_is_the_same_conversation() -> None:
    assert sent("s1 u1", "s2 u1 a1 t1")[0] == 1


def test_what_follows_a_reply_belongs_to_its_conversation() -> None:
    told = Conversations()
    told.add(request("u1"), 0, failed=False, reply=answered("r1"))
    told.add(request("t1", follows="r1"), 1, failed=False, reply=answered("r2"))
    told.add(request("t1", follows="r2"), 2, failed=False)
    told.add(request("t9", follows="elsewhere"), 3, failed=False)

    assert len(told.all) == 2
    assert [(one.text, one.exchange) for one in told.texts()] == [
        ("u1", 0),
        ("t1", 1),
        ("t1", 2),
        ("t9", 3),
    ]


@pytest.mark.parametrize("order", sorted(set(itertools.permutations("AABB"))))
def test_two_conversations_stay_two_in_every_order_of_their_requests(order: tuple[str]) -> None:
    told = Conversations()
    steps = {name: iter(["u1", "u1 a1 t1"]) for name in "AB"}
    for number, name in enumerate(order):
        told.add(request(next(steps[name])), number, failed=False)

    assert len(told.all) == 2
    assert sorted(one.text for one in told.texts()) == ["t1", "t1", "u1", "u1"]


@given(st.lists(st.lists(st.sampled_from(["u1", "u2", "a1", "t1", "t2"]), max_size=6), max_size=8))
def test_no_text_is_left_out_and_none_comes_more_often_than_it_was_sent(
    requests: list[list[str]],
) -> None:
    _, texts = sent(*(" ".join(one) for one in requests))

    said = [word for one in requests for word in one if word[0] != "a"]
    found = [text for text, _ in texts]
    assert set(found) == set(said)
    assert all(found.count(text) <= said.count(text) for text in set(said))


def test_a_window_over_the_history_goes_on_with_its_conversation() -> None:
    count, texts = sent("u1 a1 u2 a2 u3", "u2 a2 u3 a3 u4", "u3 a3 u4 a4 u5")

    assert count == 1
    assert [text for text, _ in texts] == ["u1", "u2", "u3", "u4", "u5"]


def test_a_summary_in_place_of_the_beginning_goes_on_with_its_conversation() -> None:
    assert sent("u1 a1 u2 a2 u3", "u9 u2 a2 u3 a3 u4")[0] == 1


def test_a_summary_of_all_goes_on_with_the_conversation_that_its_writer_was_shown() -> None:
    told = Conversations()
    said = "the user asked for late orders, and three of them were found in May"
    history = [Message(role="user", text=f"which orders of month {n} are late?") for n in range(3)]
    asked = Message(role="user", text="Sum up: " + " ".join(one.text for one in history))
    after = Message(role="user", text=f"Summary of what was said: {said}")

    told.add(Request(messages=history), 1, failed=False)
    told.add(Request(messages=[asked]), 2, failed=False, reply=answered("r", said))
    told.add(Request(messages=[after]), 3, failed=False)

    assert [one.number for one in told.all] == [0, 1]


def test_one_message_in_common_is_no_history() -> None:
    assert sent("u1 a1 u2", "u2 a9 u3")[0] == 2


def test_tasks_that_only_end_alike_are_conversations_of_their_own() -> None:
    assert sent("u1 a9 t9", "u2 a9 t9", "u3 a9 t9")[0] == 3

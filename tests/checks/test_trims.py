"""What a request no longer says that the one before it did."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from ullage.checks.trims import Trim, trims
from ullage.transcript.message import Message, ToolCall
from ullage.wire.conversation import mark

USER = Message(role="user", text="find it")
SYSTEM = Message(role="system", text="be brief. It is noon.")
CALL = Message(
    role="assistant", text="", calls=(ToolCall(call_id="c1", name="fetch", arguments="{}"),)
)
RESULT = Message(role="tool", text="rows " * 40, answers="c1")


def test_a_request_that_goes_on_has_no_trims() -> None:
    assert trims([SYSTEM, USER], [SYSTEM, USER, CALL, RESULT]) == []


def test_a_message_that_is_not_there_any_more_is_gone() -> None:
    assert trims([SYSTEM, USER, CALL, RESULT], [SYSTEM, USER]) == [
        Trim(act="gone", index=2, role="assistant", chars=0, chars_left=0, answers=None),
        Trim(act="gone", index=3, role="tool", chars=200, chars_left=0, answers="c1"),
    ]


def test_a_result_with_another_text_was_changed() -> None:
    cleared = Message(role="tool", text="[cleared]", answers="c1")

    assert trims([USER, CALL, RESULT], [USER, CALL, cleared, USER]) == [
        Trim(act="changed", index=2, role="tool", chars=200, chars_left=9, answers="c1")
    ]


def test_a_system_text_with_another_time_in_it_was_changed() -> None:
    later = Message(role="system", text="be brief. It is one.")

    (found,) = trims([SYSTEM, USER], [later, USER])

    assert (found.act, found.chars, found.chars_left) == ("changed", 21, 20)


def test_of_two_equal_messages_one_can_be_gone() -> None:
    assert [one.index for one in trims([USER, USER, CALL], [USER, CALL])] == [1]


def test_a_new_message_of_another_call_stands_for_nothing() -> None:
    other = Message(role="tool", text="other", answers="c2")

    assert [one.act for one in trims([CALL, RESULT], [CALL, other])] == ["gone"]


MESSAGES = st.builds(
    Message,
    role=st.sampled_from(["system", "user", "assistant", "tool"]),
    text=st.sampled_from(["", "a", "b", "long text"]),
    answers=st.sampled_from([None, "c1", "c2"]),
)


@given(before=st.lists(MESSAGES, max_size=8), after=st.lists(MESSAGES, max_size=8))
def test_each_message_that_is_missing_is_one_trim(
    before: list[Message], after: list[Message]
) -> None:
    found = trims(before, after)

    missing = Counter(map(mark, before)) - Counter(map(mark, after))
    assert len(found) == missing.total()
    assert Counter(mark(before[one.index]) for one in found) == missing

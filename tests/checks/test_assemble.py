"""The exchanges of a run as transcripts."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from ullage.checks.assemble import Assembly
from ullage.checks.measure import measure_exchanges
from ullage.checks.requests import go_through
from ullage.transcript.message import Message, ToolCall
from ullage.transcript.transcript import Transcript
from ullage.wire.draft import Draft
from ullage.wire.exchange import Exchange
from ullage.wire.reply import Reply
from ullage.wire.request import Request

TASK = Message(role="user", text="count the orders")
CALL = Message(
    role="assistant", text="", calls=(ToolCall(call_id="c1", name="orders", arguments="{}"),)
)
ROWS = Message(role="tool", text="[1, 2, 3]", answers="c1")
ANSWER = Message(role="assistant", text="There are 3.")
MORE = Message(role="user", text="and yesterday?")


def replied(text: str) -> Reply:
    draft = Draft(ended=True, known=True)
    draft.write(0, text)
    return draft.done()


def assembled(*requests: Sequence[Message], replies: Sequence[str | None] = ()) -> Transcript:
    assembly = Assembly()
    said = [*replies, *[None] * (len(requests) - len(replies))]
    for number, (messages, reply) in enumerate(zip(requests, said, strict=True), start=1):
        one = Exchange(
            number=number,
            request=Request(messages=tuple(messages)),
            reply=None if reply is None else replied(reply),
        )
        assembly.add(0, one)
    ((_, found),) = assembly.done()
    return found


def test_a_history_that_grows_is_one_transcript_without_compactions() -> None:
    found = assembled([TASK], [TASK, CALL, ROWS], [TASK, CALL, ROWS, ANSWER, MORE])

    assert [one.message for one in found.entries] == [TASK, CALL, ROWS, ANSWER, MORE]
    assert [one.exchange for one in found.entries] == [1, 2, 2, 3, 3]
    assert not found.compactions


def test_a_reply_is_an_entry_once_even_where_the_harness_writes_it_in_its_own_way() -> None:
    said = Message(role="assistant", text="There are 3. ")
    found = assembled([TASK], [TASK, said, MORE], replies=["There are 3."])

    assert [one.message for one in found.entries] == [TASK, said, MORE]


def test_what_a_request_no_longer_says_is_a_compaction_that_no_record_tells_of() -> None:
    found = assembled([TASK, CALL, ROWS, ANSWER, MORE], [ANSWER, MORE])

    (one,) = found.compactions
    assert (one.recorded, one.act) == (False, "trim")
    assert found.pre(0) == [0, 1, 2, 3, 4]
    assert found.post(0) == [3, 4]


def test_a_placeholder_stands_for_the_result_that_was_there() -> None:
    cleared = Message(role="tool", text="[cleared]", answers="c1")
    found = assembled([TASK, CALL, ROWS], [TASK, CALL, cleared, ANSWER, MORE])

    (one,) = found.compactions
    assert [found.entries[at].message for at in found.pre(0)] == [TASK, CALL, ROWS]
    assert [found.entries[at].message for at in found.post(0) or ()][:3] == [TASK, CALL, cleared]
    assert one.at == 3


def test_a_message_that_was_only_put_in_is_no_compaction() -> None:
    memory = Message(role="system", text="Remember: be brief.")
    found = assembled([TASK, CALL, ROWS], [memory, TASK, CALL, ROWS, ANSWER])

    assert not found.compactions


MESSAGES = st.lists(
    st.builds(
        Message,
        role=st.sampled_from(["user", "assistant", "tool"]),
        text=st.sampled_from(["a", "b", "c", "d"]),
    ),
    min_size=1,
    max_size=6,
)


@given(st.lists(MESSAGES, min_size=1, max_size=5))
def test_the_context_before_the_end_is_what_the_last_request_said(
    requests: list[list[Message]],
) -> None:
    found = assembled(*requests)

    said = [found.entries[at].message for at in found.context(len(found.entries))]
    assert sorted(map(str, said)) == sorted(map(str, requests[-1]))


def reminded(text: str) -> Message:
    return Message(role="user", text=f"<system-reminder>{text}</system-reminder>")


def test_a_reminder_that_is_taken_out_again_is_no_compaction_and_is_not_there_later() -> None:
    found = assembled(
        [TASK, reminded("3 steps are left")],
        [TASK, CALL, ROWS, reminded("2 steps are left")],
        [TASK, CALL, ROWS, ANSWER, MORE],
    )

    assert not found.compactions
    said = [found.entries[at].message for at in found.context(len(found.entries))]
    assert said == [TASK, CALL, ROWS, ANSWER, MORE]


def test_a_note_without_a_tag_that_is_put_at_the_end_anew_each_time_is_no_compaction() -> None:
    notes = [Message(role="user", text=f"Note: {n} steps of your budget are left.") for n in (3, 2)]
    found = assembled([TASK, CALL, ROWS, notes[0]], [TASK, CALL, ROWS, ANSWER, MORE, notes[1]])

    assert not found.compactions
    assert found.entries[3].until == 4


def test_a_turn_like_the_next_one_that_left_with_its_reply_is_no_note() -> None:
    asked = [
        Message(role="user", text=f"How many orders of customer {n} are open?") for n in (1, 2)
    ]
    found = assembled([TASK, asked[0]], [TASK, asked[1]], replies=["There are 3 of them."])

    assert [one.act for one in found.compactions] == ["trim"]


def test_a_result_in_other_white_space_or_with_a_note_in_it_is_the_same_result() -> None:
    for other in (
        "[1,2,3]",
        "[1, 2, 3]\n<system-reminder>be brief</system-reminder>",
        "[1, 2, 3]\n",
    ):
        spelled = Message(role="tool", text=other, answers="c1")
        found = assembled([TASK, CALL, ROWS], [TASK, CALL, spelled, ANSWER, MORE])

        assert not found.compactions, other
        assert [one.message for one in found.entries][2] == ROWS


def test_a_result_with_another_value_is_not_the_same() -> None:
    spelled = Message(role="tool", text="[1, 2]", answers="c1")
    found = assembled([TASK, CALL, ROWS], [TASK, CALL, spelled, ANSWER, MORE])

    assert [one.act for one in found.compactions] == ["elide"]


def test_a_system_text_or_a_first_message_with_another_time_is_the_same() -> None:
    for role in ("system", "user"):
        at = [
            Message(role=role, text=f"You are a clerk of the shop. It is 10:{n:02}.")
            for n in (1, 2)
        ]
        found = assembled([at[0], TASK, CALL, ROWS], [at[1], TASK, CALL, ROWS, ANSWER, MORE])

        assert not found.compactions
        assert len(found.entries) == 6


def test_what_a_harness_drops_of_a_reply_is_not_there_later() -> None:
    found = assembled([TASK], [TASK, MORE], replies=["I cannot parse this."])

    said = [found.entries[at].message for at in found.context(len(found.entries))]
    assert said == [TASK, MORE]


def run_of(*exchanges: tuple[Sequence[Message], str]) -> list[Transcript]:
    going = go_through(
        Exchange(
            number=number, kind="turn", request=Request(messages=tuple(said)), reply=replied(text)
        )
        for number, (said, text) in enumerate(exchanges, start=1)
    )
    return [found for _, found in going.assembly.done()]


def test_a_branch_shares_the_history_that_it_began_with() -> None:
    aside = Message(role="user", text="What may the user ask next?")
    branch, main = run_of(
        ([TASK], ""),
        ([TASK, CALL, ROWS, aside], "About yesterday."),
        ([TASK, CALL, ROWS], "There are 3."),
        ([TASK, CALL, ROWS, ANSWER, MORE], "There were 4."),
    )

    assert (branch.shared, main.shared) == (0, 3)
    assert not main.compactions


def test_a_question_on_the_side_is_gone_with_its_answer_and_nothing_is_lost() -> None:
    aside = Message(role="user", text="What may the user ask next?")
    after_it = [TASK, CALL, ROWS, ANSWER, aside]
    for said in (after_it, [TASK, CALL, ROWS, aside]):
        (found,) = run_of(
            ([TASK, CALL, ROWS], "There are 3."),
            (said, "About yesterday."),
            ([TASK, CALL, ROWS, ANSWER, MORE], "There were 4."),
        )

        assert not found.compactions
        there = [found.entries[at].message.text for at in found.context(len(found.entries) - 1)]
        assert there == [one.text for one in (TASK, CALL, ROWS, ANSWER, MORE)]


def test_the_same_task_twice_is_two_sessions_that_share_nothing() -> None:
    once = (([TASK], "I look."), ([TASK, Message(role="assistant", text="I look."), MORE], "3."))

    assert [one.shared for one in run_of(*once, *once)] == [0, 0]


def test_a_title_of_the_task_is_not_taken_for_the_beginning_of_its_session() -> None:
    title, session = run_of(
        ([Message(role="system", text="Write a title."), TASK], "Counting orders"),
        ([TASK], "I look them up."),
        ([TASK, Message(role="assistant", text="I look them up."), MORE], "There are 4."),
    )

    assert len(title.entries) == 3
    assert [one.message.text for one in session.entries if one.label] == [
        "I look them up.",
        "There are 4.",
    ]
    assert not session.compactions


def test_a_first_message_with_the_time_in_it_begins_one_conversation() -> None:
    task = [
        Message(role="user", text=f"It is 10:{n}. Please count the open orders.") for n in (1, 2, 3)
    ]
    look = Message(role="assistant", text="I look them up.")
    (found,) = run_of(
        ([task[0]], "I look them up."),
        ([task[1], look, MORE], "There are 4."),
        ([task[2], look, MORE, ANSWER, MORE], "Done."),
    )

    assert not found.compactions


def test_a_result_is_given_once_however_often_it_is_spelled_anew_or_handed_over() -> None:
    spelled = [Message(role="tool", text=text, answers="c1") for text in ("[1,2,3]", "[cleared]")]
    aside = Message(role="user", text="What may the user ask next?")
    requests = (
        [TASK, CALL, ROWS, aside],
        [TASK, CALL, ROWS],
        [TASK, CALL, spelled[0], ANSWER, MORE],
        [TASK, CALL, spelled[1], ANSWER, MORE, ANSWER, MORE],
    )
    run = measure_exchanges(
        Exchange(number=number, kind="turn", request=Request(messages=said))
        for number, said in enumerate(requests, start=1)
    )

    assert run.measurement.delivered_results == 1
    assert [sum(one.counted for one in each.results) for each in run.sessions] == [1, 0]

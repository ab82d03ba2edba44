"""The exchanges of a run as transcripts."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from ullage.checks.assemble import Assembly
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

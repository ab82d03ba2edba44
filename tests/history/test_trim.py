"""Trim: whole units leave, oldest first; what must be carried on stands in the block."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.history import failures
from tests.history.by_hand import asked, cost_of_block, pieces_of, said, told, units

from ullage.arrivals.wording import squeezed
from ullage.checks.compaction_checks import compaction_findings
from ullage.errors import HistoryError
from ullage.history.block import Block, write_block
from ullage.history.guard import Guard, guard_of
from ullage.history.piece import Piece
from ullage.history.trim import Trimmed, trim
from ullage.transcript.message import Message

SYSTEM = said("system", "You are an agent that works on a loader.")
TASK = said("user", "Rewrite the parser of the loader so that it reads late rows.")
NEWEST = said("user", "Now write the docs page of the loader.")
RULE = "Never push to main without a review."


def turn(number: int, result: str = "row " * 100) -> tuple[Message, ...]:
    """Return a reply with a call, and the result."""
    return (
        asked(f"c{number}", f'{{"row": {number}}}', text=f"Looking at row {number}."),
        told(f"c{number}", result),
    )


def guarded(pieces: Sequence[Piece], *protect: str) -> Guard:
    """Return the guard of a history."""
    return guard_of(pieces, units(pieces), protect=protect)


def trimmed(
    pieces: Sequence[Piece], over: int, *protect: str, rule: str = "oldest-unit"
) -> Trimmed:
    """Trim a history."""
    return trim(
        pieces,
        units(pieces),
        guarded(pieces, *protect),
        over,
        cost_of_block=cost_of_block,
        rule=rule,
    )


def after(pieces: Sequence[Piece], done: Trimmed) -> tuple[Piece, ...]:
    """Return the history after a trim, in places of its own."""
    kept = [pieces[index] for index in done.kept]
    if done.block is not None:
        block = pieces_of(said("user", write_block(done.block)))[0]
        kept.insert(done.at, block)
    return in_order(kept)


def in_order(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Return pieces as a history of their own, each at its place."""
    return tuple(replace(one, place=place) for place, one in enumerate(pieces))


def cost(pieces: Sequence[Piece]) -> int:
    """Return what a history costs."""
    return sum(one.cost for one in pieces)


def history(*middle: Message) -> tuple[Piece, ...]:
    """Return a history with these messages between its task and the newest message."""
    return pieces_of(SYSTEM, TASK, *middle, NEWEST)


LONG = tuple(one for number in range(20) for one in turn(number))


def test_the_oldest_units_leave_and_pay_for_the_block() -> None:
    pieces = history(*LONG)

    done = trimmed(pieces, 1_000)

    assert done.left == (2, 3, 4, 5, 6, 7)
    assert done.block is not None
    assert done.block.notice.trimmed == 6
    assert done.block.notice.of == len(pieces)
    assert cost(after(pieces, done)) == cost(pieces) - done.won <= cost(pieces) - 1_000


def test_the_block_stands_right_behind_the_task() -> None:
    pieces = history(*LONG)
    done = trimmed(pieces, 1_000)

    assert after(pieces, done)[done.at].message.text.startswith("[ullage: earlier history]")
    assert after(pieces, done)[done.at - 1].message == TASK


def test_without_a_task_the_block_stands_behind_the_system_text() -> None:
    done = trimmed(pieces_of(SYSTEM, *LONG), 1_000)

    assert done.at == 1


def test_nothing_leaves_where_nothing_is_over() -> None:
    pieces = history(*LONG)

    done = trimmed(pieces, 0)

    assert done.left == ()
    assert done.block is None
    assert after(pieces, done) == pieces


def test_the_largest_units_leave_first_by_that_rule() -> None:
    pieces = history(*turn(0), *turn(1, "x" * 5_000), *turn(2))

    assert trimmed(pieces, 100, rule="largest-unit").left == (4, 5)


def test_a_rule_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="'newest' is none of oldest-unit, largest-unit"):
        trimmed(history(), 10, rule="newest")


def test_a_unit_with_a_pinned_piece_stays_whole() -> None:
    done = trimmed(history(*LONG), 1_000, "text:Looking at row 1.")

    assert 4 not in done.left
    assert 5 not in done.left
    assert 6 in done.left


def test_the_last_turns_may_leave() -> None:
    pieces = history(*turn(0), *turn(1))

    assert trimmed(pieces, 500).left == (2, 3, 4, 5)


def test_a_call_whose_result_is_to_come_stays() -> None:
    pieces = pieces_of(TASK, *LONG, asked("open", text="x" * 9_000))

    assert len(pieces) - 1 in trimmed(pieces, 1_000, rule="largest-unit").kept


def test_rules_and_stacks_of_what_leaves_are_carried_word_for_word() -> None:
    pieces = history(
        said("user", f"Use the new rows of the table. {RULE}"),
        *turn(0, failures.among(failures.PYTHON) + "row " * 200),
        *turn(1, failures.among(failures.PYTHON) + "row " * 200),
        *turn(2, failures.among(failures.GO) + "row " * 200),
    )

    done = trimmed(pieces, 2_000)

    assert done.block is not None
    assert done.block.rules == (RULE,)
    assert [(one.text, one.times) for one in done.block.failures] == [
        (failures.PYTHON, 2),
        (failures.GO, 1),
    ]
    assert failures.PYTHON in write_block(done.block)


def test_a_unit_that_is_nothing_but_a_stack_stays_rather_than_move() -> None:
    pieces = history(said("user", failures.JAVA), *LONG)

    assert 2 in trimmed(pieces, 1_000).kept


def test_a_second_trim_adds_to_the_block_of_the_first() -> None:
    pieces = history(said("user", f"Use the new rows of the table. {RULE}"), *LONG)
    once = after(pieces, trimmed(pieces, 1_500))
    longer = in_order((*once, *pieces_of(*turn(90), *turn(91))))

    done = trimmed(longer, 1_500)

    assert done.block is not None
    assert done.block.rules == (RULE,)
    assert done.block.notice.of == len(pieces) + 4
    assert done.block.notice.messages == len(pieces) + 4 - (len(after(longer, done)) - 1)
    texts = [one.message.text for one in after(longer, done)]
    assert sum(text.startswith("[ullage: earlier history]") for text in texts) == 1
    assert cost(after(longer, done)) <= cost(longer) - 1_500


def test_exempt_things_that_are_too_large_are_named_with_their_size() -> None:
    pieces = pieces_of(SYSTEM, said("user", "Read the rows of the table: " + "x" * 5_000), *LONG)

    with pytest.raises(HistoryError) as caught:
        trim(
            pieces,
            units(pieces),
            guarded(pieces),
            cost(pieces) - 3_000,
            cost_of_block=cost_of_block,
            unit="chars",
        )

    left = cost(pieces) - 3_000 - sum(one.cost for one in pieces[2:])
    assert "the user message at position 1 is the largest part" in str(caught.value)
    assert "with 5038 characters" in str(caught.value)
    over = int(str(caught.value).split(" characters over")[0].rsplit(" ", 1)[1])
    # What is short is what must go still, and the block that says what went.
    assert left < over < left + 700


def test_pieces_of_one_message_are_counted_as_one_message() -> None:
    pieces = list(history(*turn(0, "x" * 2_000), *turn(1)))
    pieces.insert(4, replace(pieces[3], message=told("c0", "y" * 2_000)))

    done = trimmed(pieces, 1_000)

    assert done.block is not None
    assert (done.block.notice.trimmed, done.block.notice.of) == (2, 7)


MIDDLE = st.lists(
    st.one_of(
        st.sampled_from(
            [
                (said("user", f"Please use the other table. {RULE}"),),
                (said("user", "Always answer in French, and keep at most 40 rows."),),
                (said("user", RULE),),
                (said("assistant", "The parser was rewritten and its tests pass."),),
                (asked("p", "{}"), told("p", "one " * 80), told("p", "two " * 80)),
            ]
        ),
        st.sampled_from(list(failures.ALL.values())).map(
            lambda stack: turn(7, failures.among(stack) + "row " * 60)
        ),
        st.integers(0, 99).map(turn),
    ),
    min_size=5,
    max_size=25,
).map(lambda turns: [one for turn in turns for one in turn])
RULES = st.sampled_from(["oldest-unit", "largest-unit"])


@settings(max_examples=150, deadline=None)
@given(middle=MIDDLE, share=st.integers(1, 85), rule=RULES)
def test_any_history_keeps_its_budget_its_pairs_and_what_is_exempt(
    middle: list[Message], share: int, rule: str
) -> None:
    pieces = history(*middle)
    over = max(cost(pieces) * share // 100, 1)
    guard = guarded(pieces)
    try:
        done = trimmed(pieces, over, rule=rule)
    except HistoryError:
        # Then what may leave is not enough, whatever the block costs.
        may = [one for one in units(pieces) if guard.exempt.isdisjoint(one.members)]
        most = sum(pieces[index].cost for unit in may for index in unit.members)
        carried = [stack for index in range(len(pieces)) for stack in set(guard.stacks(index))]
        room = cost_of_block(Block()) + sum(len(one) + 60 for one in carried) + 300
        assert most - over < room
        return

    now = after(pieces, done)
    assert cost(now) <= cost(pieces) - over
    assert guard.exempt.isdisjoint(done.left)
    for unit in units(pieces):
        assert len(frozenset(unit.members) & frozenset(done.left)) in (0, len(unit.members))
    texts = "\n".join(one.message.text for one in now)
    for index in range(len(pieces)):
        assert all(stack in texts for stack in guard.stacks(index))
        assert all(squeezed(one) in squeezed(texts) for one in guard.constraints(index))


@settings(max_examples=100, deadline=None)
@given(middle=MIDDLE, share=st.integers(1, 90))
def test_our_own_audit_finds_nothing_lost(middle: list[Message], share: int) -> None:
    pieces = history(*middle)
    try:
        done = trimmed(pieces, max(cost(pieces) * share // 100, 1))
    except HistoryError:
        return

    before = [one.message for one in pieces]
    once = after(pieces, done)
    assert compaction_findings(before, [one.message for one in once]) == []
    longer = in_order((*once, *pieces_of(*turn(90), *turn(91))))
    twice = after(longer, trimmed(longer, 400))
    assert (
        compaction_findings([one.message for one in longer], [one.message for one in twice]) == []
    )


@settings(max_examples=60, deadline=None)
@given(middle=MIDDLE, share=st.integers(1, 60))
def test_a_trimmed_history_that_fits_is_left_alone(middle: list[Message], share: int) -> None:
    pieces = history(*middle)
    over = max(cost(pieces) * share // 100, 1)
    try:
        once = after(pieces, trimmed(pieces, over))
    except HistoryError:
        return

    again = trimmed(once, cost(once) - (cost(pieces) - over))

    assert after(once, again) == once

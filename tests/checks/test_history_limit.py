"""The limit of a history, by what its requests held and what they left out."""

from collections.abc import Callable, Sequence

from hypothesis import given
from hypothesis import strategies as st
from tests.checks.sessions import calls, gives, says, system, user

from ullage.checks.history_limit import (
    Kept,
    Limit,
    Sizes,
    begins_with_turn,
    is_turn,
    limit_of,
    sizes,
)
from ullage.transcript.message import Message

Window = Callable[[Sequence[Message]], Sequence[Message]]


def conversation(steps: Sequence[int]) -> list[list[Message]]:
    """The whole history at each request: a turn with as many calls as each number says."""
    history: list[Message] = []
    requests = []
    for turn, count in enumerate(steps):
        history.append(user(f"question {turn} " + "x" * (7 * turn % 40)))
        requests.append([*history])
        for n in range(count):
            history += [calls(f"{turn}.{n}"), gives(f"{turn}.{n}", "found " * (n + turn + 1))]
            requests.append([*history])
        history.append(says(f"answer {turn}"))
    return requests


def kept(requests: Sequence[Sequence[Message]], window: Window) -> list[Kept]:
    """What each request held of a history that a window is put over."""
    found = []
    before: Sequence[Message] = ()
    for number, whole in enumerate(requests, start=1):
        held = window(whole)
        there = set(map(id, held))
        found.append(
            Kept(
                number=number,
                held=sizes(held),
                gone=sizes([one for one in before if id(one) not in there]),
                at_turn=begins_with_turn(held),
            )
        )
        before = held
    return found


def last_messages(count: int) -> Window:
    return lambda whole: whole[-count:]


def last_turns(count: int) -> Window:
    def window(whole: Sequence[Message]) -> Sequence[Message]:
        begins = [at for at, one in enumerate(whole) if is_turn(one)]
        return whole[begins[-count] if len(begins) >= count else 0 :]

    return window


def limit(steps: Sequence[int], window: Window) -> Limit:
    found = limit_of(kept(conversation(steps), window))
    assert found is not None
    return found


def test_a_limit_on_messages_has_its_number_and_its_unit() -> None:
    found = limit((3, 3), last_messages(10))

    assert (found.unit, found.least, found.most) == ("messages", 10, 10)
    assert (found.sure, found.requests, found.before) == (True, (6, 7, 8), 9)
    assert found.text == "10 messages"


def test_a_limit_on_turns_is_none_on_messages() -> None:
    found = limit((0, 3, 1, 2, 0), last_turns(2))

    assert (found.unit, found.least, found.most) == ("turns", 2, 2)
    assert "messages" not in found.also


def test_where_each_turn_has_as_many_messages_both_are_named() -> None:
    found = limit((0, 0, 0, 0, 0), last_turns(2))

    assert (found.unit, found.least) == ("turns", 2)
    assert "messages" in found.also
    assert not found.sure


def test_a_limit_on_characters_is_given_between_two_sizes() -> None:
    def window(whole: Sequence[Message]) -> Sequence[Message]:
        held = list(whole)
        while sizes(held).characters > 120:
            held.pop(0)
        return held

    found = limit((1, 4, 2, 0, 3, 5), window)

    assert found.unit == "characters"
    assert found.least <= 120 <= found.most


def test_system_texts_count_in_no_unit() -> None:
    assert sizes([system("rules"), user("ab")]) == Sizes(turns=1, messages=1, characters=2)


def test_a_history_that_lost_nothing_has_no_limit() -> None:
    assert limit_of(kept(conversation((1, 1)), lambda whole: whole)) is None


def test_a_loss_that_no_limit_explains_has_none() -> None:
    def one_less(number: int, held: int, gone: int) -> Kept:
        said = Sizes(turns=held, messages=held, characters=held)
        left = Sizes(turns=gone, messages=gone, characters=gone)
        return Kept(number=number, held=said, gone=left, at_turn=True)

    assert limit_of([one_less(1, 4, 0), one_less(2, 2, 1), one_less(3, 9, 0)]) is None


def test_a_history_that_grows_in_steps_leaves_the_limit_between_two_numbers() -> None:
    found = limit((6,), last_messages(5))

    assert (found.unit, found.text) == ("messages", "5 to 6 messages")


@given(steps=st.lists(st.integers(0, 4), min_size=2, max_size=8), count=st.integers(2, 12))
def test_a_window_of_messages_lies_among_the_limits_that_fit(steps: list[int], count: int) -> None:
    asked = kept(conversation(steps), last_messages(count))
    found = limit_of(asked)

    assert (found is not None) == any(one.gone.messages for one in asked)
    if found is not None and found.unit == "messages":
        assert found.least <= count <= found.most
    elif found is not None:
        assert "messages" in found.also


@given(steps=st.lists(st.integers(0, 4), min_size=2, max_size=8), count=st.integers(1, 5))
def test_a_window_of_turns_lies_among_the_limits_that_fit(steps: list[int], count: int) -> None:
    asked = kept(conversation(steps), last_turns(count))
    found = limit_of(asked)

    assert (found is not None) == any(one.gone.messages for one in asked)
    if found is not None and found.unit == "turns":
        assert found.least <= count <= found.most
    elif found is not None:
        assert "turns" in found.also

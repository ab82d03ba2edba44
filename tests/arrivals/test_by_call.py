"""Produced and sent are joined by the call's id, and the id is not trusted where it cannot be."""

import json
import random

from hypothesis import given
from hypothesis import strategies as st

from ullage.arrivals.by_call import Answer
from ullage.arrivals.join import sightings

ROWS = json.dumps([{"id": f"order-{n:04d}", "amount": n * 7} for n in range(60)])
OTHER = json.dumps([{"id": f"ticket-{n:04d}", "days": n * 3} for n in range(60)])


def answer(call_id: str, conversation: int = 0, *, shared: bool = False) -> Answer:
    return Answer(call_id=call_id, conversation=conversation, shared=shared)


def test_equal_results_of_different_calls_are_told_apart_in_whatever_order() -> None:
    first, second = sightings(
        [ROWS, ROWS],
        ["go", ROWS, ROWS],
        calls=["a", "b"],
        answers=[None, answer("b"), answer("a")],
    )

    assert first is not None
    assert second is not None
    assert (first.index, second.index) == (2, 1)
    assert (first.certainty, second.certainty) == ("call-id", "call-id")


def test_a_result_cut_to_a_few_characters_is_found() -> None:
    (one,) = sightings([ROWS], ["go", ROWS[:5]], calls=["a"], answers=[None, answer("a")])

    assert one is not None
    assert (one.index, one.start, one.end, one.certainty) == (1, 0, 5, "call-id")


def test_an_empty_result_is_found_produced_or_delivered_empty() -> None:
    empty, emptied = sightings(
        ["", ROWS], ["", ""], calls=["a", "b"], answers=[answer("a"), answer("b")]
    )

    assert empty is not None
    assert emptied is not None
    assert (empty.index, emptied.index) == (0, 1)


def test_a_result_in_words_of_its_framework_is_the_whole_message() -> None:
    text = "The tool found sixty orders, the last of them order-0059."

    (one,) = sightings([ROWS], [text], calls=["a"], answers=[answer("a")])

    assert one is not None
    assert (one.start, one.end) == (0, len(text))


def test_a_result_inside_other_words_is_its_own_stretch() -> None:
    text = f"Tool result:\n{ROWS}\n\nRemember the rules."

    (one,) = sightings([ROWS], [text], calls=["a"], answers=[answer("a")])

    assert one is not None
    assert text[one.start : one.end] == ROWS


def test_a_python_repr_is_the_value_in_another_spelling() -> None:
    text = repr(json.loads(ROWS))

    (one,) = sightings([ROWS], [text], calls=["a"], answers=[answer("a")])

    assert one is not None
    assert (one.start, one.end, one.certainty) == (0, len(text), "call-id")


def test_the_first_text_of_a_conversation_counts_not_what_was_left_of_it_later() -> None:
    (one,) = sightings(
        [ROWS],
        [ROWS[:900], "[cleared]"],
        calls=["a"],
        answers=[answer("a"), answer("a")],
    )

    assert one is not None
    assert one.index == 0


def test_a_later_message_of_an_id_counts_where_it_is_the_text_and_the_first_is_not() -> None:
    # A server that counts its calls from the start each turn, and only the second was recorded.
    (one,) = sightings([ROWS], [OTHER, ROWS[:900]], calls=["a"], answers=[answer("a"), answer("a")])

    assert one is not None
    assert one.index == 1


def test_an_id_that_two_conversations_use_for_two_calls_is_decided_by_content() -> None:
    texts = [OTHER, ROWS]
    answers = [answer("call_0", 0), answer("call_0", 1)]

    (one,) = sightings([ROWS], texts, calls=["call_0"], answers=answers)
    both = sightings([ROWS, OTHER], texts, calls=["call_0", "call_0"], answers=answers)

    assert one is not None
    assert one.index == 1
    assert [found and found.index for found in both] == [1, 0]


def test_an_id_that_means_two_calls_joins_nothing_that_content_does_not() -> None:
    texts = ["{}", "done"]
    answers = [answer("call_0", 0), answer("call_0", 1)]

    (one,) = sightings([ROWS], texts, calls=["call_0"], answers=answers)

    assert one is None


def test_an_id_that_is_used_twice_in_one_request_is_decided_by_content() -> None:
    answers = [answer("call_0", shared=True), answer("call_0", shared=True)]

    (one,) = sightings([ROWS], ["{}", ROWS], calls=["call_0"], answers=answers)
    (nothing,) = sightings([ROWS], ["{}", "[]"], calls=["call_0"], answers=answers)

    assert one is not None
    assert one.index == 1
    assert nothing is None


def test_two_results_of_one_call_are_found_side_by_side_in_its_message() -> None:
    text = f"{ROWS}\n{OTHER}"

    first, second = sightings([ROWS, OTHER], [text], calls=["a", "a"], answers=[answer("a")])

    assert first is not None
    assert second is not None
    assert text[first.start : first.end] == ROWS
    assert text[second.start : second.end] == OTHER


def test_a_message_of_a_recorded_call_is_no_other_results() -> None:
    # The second was recorded without its id, and is the same text: it is not in this message.
    first, second = sightings([ROWS, ROWS], [ROWS], calls=["a", None], answers=[answer("a")])

    assert first is not None
    assert second is None


def test_a_result_with_an_id_is_not_looked_for_in_the_answer_to_another_call() -> None:
    found = sightings(
        [ROWS, ROWS],
        [OTHER, ROWS],
        calls=["a", "never-sent"],
        answers=[answer("a"), answer("unrecorded")],
    )

    assert found[1] is None


def test_ids_that_the_framework_rewrites_leave_it_to_content() -> None:
    (one,) = sightings([ROWS], [OTHER, ROWS], calls=["a"], answers=[answer("x"), answer("y")])

    assert one is not None
    assert (one.index, one.certainty) == (1, "exact")


def delivered(text: str, how: str) -> str:
    """What a framework may make of a result."""
    return {
        "whole": text,
        "repr": repr(json.loads(text)),
        "few": text[:3],
        "empty": "",
        "wrapped": f"Observation: {text}",
        "double": json.dumps(text),
        "other words": "something went wrong",
    }[how]


FORMS = ["whole", "repr", "few", "empty", "wrapped", "double", "other words"]


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from(FORMS)), max_size=8), st.randoms())
def test_no_join_by_id_is_wrong_or_missing(
    results: list[tuple[int, str]], rng: random.Random
) -> None:
    made = [json.dumps([{"k": kind, "row": n} for n in range(20)]) for kind, _ in results]
    order = list(range(len(results)))
    rng.shuffle(order)
    texts = [delivered(made[number], results[number][1]) for number in order]

    found = sightings(
        made,
        texts,
        calls=[f"call_{number}" for number in range(len(made))],
        answers=[answer(f"call_{number}") for number in order],
    )

    assert [one and one.index for one in found] == [order.index(n) for n in range(len(made))]

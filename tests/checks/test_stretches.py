"""Steps in few bytes, and texts that are found inside others."""

from dataclasses import astuple

from hypothesis import given
from hypothesis import strategies as st

from ullage.checks.begins import FEW, Begins
from ullage.checks.steps import Step
from ullage.checks.stretches import MOST, Packed

MARKS = st.none() | st.integers(min_value=1, max_value=2**64 - 1)
STEPS = st.lists(
    st.builds(
        Step,
        entry=st.integers(min_value=0, max_value=10**6),
        tokens=st.none() | st.integers(min_value=0, max_value=10**9),
        file=MARKS,
        command=MARKS,
        error=MARKS,
    )
)


@given(steps=STEPS, begin=st.integers(0, 9), end=st.integers(0, 9))
def test_packed_steps_are_the_same_steps(steps: list[Step], begin: int, end: int) -> None:
    packed = Packed.of(steps)

    assert list(map(astuple, packed)) == list(map(astuple, steps))
    assert packed[begin:end] == steps[begin:end]


def test_a_number_of_tokens_of_any_size_is_kept_as_the_most() -> None:
    (one,) = Packed.of([Step(entry=1, tokens=10**40, file=None, command=None, error=None)])

    assert one.tokens == MOST


@given(
    texts=st.lists(st.text("ab", min_size=3, max_size=8)),
    whole=st.text("ab", max_size=60),
)
def test_a_text_that_stands_in_another_is_found_by_its_beginning(
    texts: list[str], whole: str
) -> None:
    begins = Begins(length=3)
    for number, one in enumerate(texts):
        begins.add(one, number)

    inside = {number for number, one in enumerate(texts) if one in whole}
    assert inside <= begins.inside(whole)
    assert begins.inside(whole) == {n for n, one in enumerate(texts) if one[:3] in whole}


def test_among_very_many_texts_the_same_are_found() -> None:
    begins = Begins(length=8)
    for number in range(3 * FEW):
        begins.add(f"{number:08} and more", number)

    assert begins.inside("before 00000007 and 00000801, not 0000080") == {7, 801}


def test_a_text_that_is_let_go_is_not_found_again() -> None:
    begins = Begins(length=3)
    begins.add("abc", 1)
    begins.add("abcd", 2)
    begins.discard("abc", 1)

    assert begins.inside("xabcd") == {2}

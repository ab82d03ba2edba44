"""The estimate, held against two vocabularies on ten kinds of text."""

import math
import random
import statistics
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.counting.kinds import ten_kinds

from ullage.counting.estimate import PIECE, cost, estimate
from ullage.counting.exact import Encoding, exact

TEXTS = st.text(max_size=200) | st.text(alphabet='abzABZ059 "{}:,\\u\n-_é中', max_size=200)


@pytest.mark.parametrize("encoding", get_args(Encoding))
@pytest.mark.parametrize("size", [2_000, 10_000, 100_000])
def test_it_is_never_far_under_and_near_on_average(size: int, encoding: Encoding) -> None:
    errors = []
    for seed in range(5):
        for kind, text in ten_kinds(seed, size).items():
            error = estimate(text) / exact(text, encoding) - 1
            assert error >= -0.05, f"{kind}, seed {seed}"
            errors.append(abs(error))

    assert statistics.fmean(errors) <= 0.15


@pytest.mark.parametrize("encoding", get_args(Encoding))
def test_a_short_text_is_estimated_within_a_third_or_over(encoding: Encoding) -> None:
    errors = []
    for seed in range(20):
        for kind, text in ten_kinds(seed, 200).items():
            error = estimate(text) / exact(text, encoding) - 1
            assert error > -0.25, f"{kind}, seed {seed}"
            errors.append(abs(error))

    assert statistics.fmean(errors) <= 0.15


def test_chinese_is_between_three_and_eight_fifths_of_a_token_a_character() -> None:
    rng = random.Random(5)
    text = "".join(chr(rng.randrange(0x4E00, 0x9FA5)) for _ in range(4000))

    assert 2_400 <= estimate(text) <= 6_400


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        (" ", 1),
        ("hello world", 2),
        ("12", 1),
        ("1234", 2),
        ("\n", 1),
        ("ok\n", 2),
    ],
)
def test_a_few_characters_are_counted_as_they_are(text: str, tokens: int) -> None:
    assert estimate(text) == tokens == exact(text, "o200k_base")


@given(text=TEXTS)
def test_the_pieces_are_the_text(text: str) -> None:
    assert "".join(PIECE.findall(text)) == text


@given(text=TEXTS)
def test_no_piece_costs_more_than_its_bytes_or_nothing(text: str) -> None:
    for piece in PIECE.findall(text):
        assert 0 < cost(piece) <= len(piece.encode("utf-8", "surrogatepass"))


@settings(max_examples=500)
@given(first=TEXTS, second=TEXTS)
def test_a_longer_text_is_not_estimated_lower_but_where_two_pieces_meet(
    first: str, second: str
) -> None:
    joined = estimate(first + second)

    assert joined >= max(estimate(first), estimate(second)) - 2
    assert joined <= estimate(first) + estimate(second) + meeting(first, second)


def meeting(first: str, second: str) -> int:
    """The tokens of the last piece and the first: what joining them can change."""
    ends = [
        pieces[at] for text, at in ((first, -1), (second, 0)) if (pieces := PIECE.findall(text))
    ]
    return math.ceil(sum(len(piece) for piece in ends)) + 1

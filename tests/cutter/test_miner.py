"""Finding which lines are alike, and which are not."""

import random

from hypothesis import given
from hypothesis import strategies as st

from ullage.cutter.miner import mine, rarity, uncommon


def templates(*lines: str) -> list[int]:
    return list(mine(lines).templates)


def test_lines_that_differ_in_numbers_times_ids_and_paths_are_one_template() -> None:
    assert templates(
        "2026-01-01 10:00:00,123 GET /a/b.html 200 12ms 0x1f",
        "2026-01-01T10:00:07Z GET /c 404 7ms 0xffe0",
    ) == [0, 0]
    assert templates(
        "job 6f1e5a0c-1111-4222-8333-444455556666 done",
        "job 00000000-aaaa-4bbb-8ccc-ddddeeeeffff done",
    ) == [0, 0]


def test_right_aligned_numbers_and_progress_bars_are_masked() -> None:
    assert len(set(templates("[  5%] load [##    ]", "[100%] load [######]"))) == 1


def test_lines_that_differ_in_one_word_of_several_are_one_template() -> None:
    names = ("alice", "bob", "carol")
    assert len(set(templates(*(f"user {name} logged in from 10.0.0.{7}" for name in names)))) == 1


def test_lines_of_other_words_are_other_templates() -> None:
    assert len(set(templates("connection closed by peer", "cache miss for key", "started"))) == 3


@given(
    lines=st.lists(
        st.lists(st.sampled_from(["a", "b", "cc", "7", "0xab", "x=1"]), max_size=6).map(" ".join),
        max_size=30,
    ),
    seed=st.integers(0, 99),
)
def test_the_order_of_lines_does_not_change_which_are_alike(lines: list[str], seed: int) -> None:
    order = list(range(len(lines)))
    random.Random(seed).shuffle(order)
    straight = mine(lines).templates
    shuffled = mine([lines[at] for at in order]).templates
    assert [straight[at] for at in order] == list(shuffled)


def test_one_line_among_many_is_rare_and_many_different_ones_are_not() -> None:
    assert rarity(["a"] * 255 + ["b"])[-1] == 8
    assert max(rarity(list(range(200)))) == 0


def test_a_rare_template_a_rare_word_and_a_far_number_stand_out() -> None:
    lines = [
        f"{at:02d}:00:01 worker {at % 4} heartbeat ok in {40 + at % 9} ms" for at in range(200)
    ]
    lines[50] = "12:00:01 disk sda is read-only"
    lines[90] = "13:00:01 worker 2 heartbeat late in 44 ms"
    lines[120] = "14:00:01 worker 2 heartbeat ok in 9800 ms"
    assert {50, 90, 120} == {one.record for one in uncommon(mine(lines))}


def test_a_leaf_of_the_tree_stays_small_whatever_comes() -> None:
    rng = random.Random(4)
    lines = ["".join(rng.choices("abcdefgh", k=9)) + " q" for _ in range(3_000)]
    lines = [f"go {line} {line[::-1]} {line[::2]}" for line in lines]
    assert len(set(mine(lines).templates)) < 100

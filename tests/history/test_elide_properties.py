"""What holds of every history, whatever its results hold."""

import json
from typing import TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.history.rules import outputs
from tests.history.rules.histories import Did, Kept, elide, history, put, ran, read

from ullage.history.piece import Piece

MADE = st.sampled_from(
    [
        outputs.pip_download(),
        outputs.satisfied(),
        outputs.applied(),
        outputs.listing(),
        outputs.build(1),
        outputs.build(2),
        outputs.log(),
        outputs.source(),
        json.dumps([{"id": at, "state": "open"} for at in range(300)]),
        "id,state\n" + "\n".join(f"{at},open" for at in range(700)),
        "Traceback (most recent call last):\n  File \"a.py\", line 3\nKeyError: 'x'",
    ]
)
TEXTS = st.one_of(
    MADE,
    st.text(max_size=400),
    st.lists(MADE, min_size=2, max_size=3).map("\n".join),
    st.builds(lambda text, times: text * times, st.text(max_size=12), st.integers(20, 600)),
)
Pieces: TypeAlias = tuple[Piece, ...]
CALLS = st.one_of(
    st.builds(ran, st.sampled_from(["ls", "make", "pip install x", "rsync -av a b"]), TEXTS),
    st.builds(read, st.sampled_from(["a.py", "b.py"]), TEXTS),
    st.builds(Did, st.sampled_from(["write_file"]), st.just({"path": "a.py"}), TEXTS),
    st.builds(Did, st.just("orders"), st.just({}), TEXTS, st.booleans()),
)
HISTORIES = st.lists(CALLS, max_size=7).map(lambda did: history(*did))


@given(HISTORIES, st.integers(1, 40_000))
@settings(max_examples=60, deadline=None)
def test_each_step_makes_a_text_smaller_and_no_step_comes_after_enough(
    pieces: Pieces,
    over: int,
) -> None:
    now = {index: len(piece.message.text) for index, piece in enumerate(pieces)}
    left = over
    for one in elide(pieces, over=over):
        assert left > 0
        assert len(one.text) < now[one.index]
        left -= now[one.index] - len(one.text)
        now[one.index] = len(one.text)


@given(HISTORIES, st.sets(st.integers(0, 15)))
@settings(max_examples=40, deadline=None)
def test_what_is_untouched_stays(pieces: Pieces, kept: set[int]) -> None:
    taken = {one.index for one in elide(pieces, guard=Kept(frozenset(kept)))}

    assert not taken & kept
    assert all(pieces[index].is_result for index in taken)


@given(HISTORIES, st.lists(st.sampled_from(["cargo_017.csv", "tidal-maps", "quay-3", "open"])))
@settings(max_examples=40, deadline=None)
def test_what_must_stay_stays(pieces: Pieces, words: list[str]) -> None:
    guard = Kept(words=words, pieces=pieces)

    for one in elide(pieces, guard=guard):
        old = pieces[one.index].message.text
        assert all(word in one.text for word in words if word in old)


@given(HISTORIES)
@settings(max_examples=40, deadline=None)
def test_a_second_run_changes_nothing(pieces: Pieces) -> None:
    once = put(pieces, elide(pieces))

    assert elide(once) == []


@given(HISTORIES)
@settings(max_examples=30, deadline=None)
def test_the_same_history_gives_the_same_steps(pieces: Pieces) -> None:
    assert elide(pieces) == elide(pieces)


@given(HISTORIES)
@settings(max_examples=30, deadline=None)
def test_json_stays_json_unless_a_placeholder_takes_its_place(pieces: Pieces) -> None:
    for one in elide(pieces, "long-tails"):
        text = pieces[one.index].message.text
        try:
            json.loads(text)
        except ValueError:
            continue
        json.loads(one.text)

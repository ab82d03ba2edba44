"""What a summariser is shown: all of it, in requests that fit."""

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st
from tests.history.summary_runs import FILLER, call, piece

from ullage.counting.count import counter
from ullage.cutter.grapheme import pattern
from ullage.history.piece import Piece
from ullage.history.summary_input import Material, materials_of, portions, shown_whole
from ullage.transcript.message import Role

ROOM = 100
ROLES: list[Role] = ["user", "assistant", "tool"]
TEXTS = st.one_of(
    st.text(max_size=40),
    st.text(alphabet="ab \n\r,{}🇩🇪e\u0301", max_size=400),
    st.sampled_from(
        [FILLER * 9, "x" * 700, "row 1\n" * 90, "👩‍👩‍👧" * 60, "\n" * 300, "漢字" * 200]
    ),
)


def chars(text: str) -> int:
    return len(text)


@st.composite
def histories(draw: st.DrawFn) -> tuple[Piece, ...]:
    found = []
    for _ in range(draw(st.integers(0, 6))):
        role: Role = draw(st.sampled_from(ROLES))
        calls = (call("run", draw(TEXTS)),) if role == "assistant" and draw(st.booleans()) else ()
        answers = "c1" if role == "tool" else None
        found.append(piece(role, draw(TEXTS), calls=calls, answers=answers))
    return tuple(found)


@given(histories())
def test_every_character_of_every_piece_is_in_exactly_one_request(
    pieces: tuple[Piece, ...],
) -> None:
    materials = materials_of(pieces, range(len(pieces)))
    shown: dict[int, list[str]] = defaultdict(list)
    for each in portions(materials, ROOM, chars):
        for one in each.slices:
            assert one.index is not None
            assert one.part == len(shown[one.index]) + 1
            assert f"\n{one.text}" in f"\n{each.text}"
            shown[one.index].append(one.text)
    assert {index: "".join(texts) for index, texts in shown.items()} == {
        one.index: one.text for one in materials
    }
    for index, piece_of in enumerate(pieces):
        whole = "".join(shown[index])
        assert piece_of.message.text in whole
        assert all(one.arguments in whole for one in piece_of.message.calls)


@given(histories(), st.sampled_from([chars, counter(), counter("claude-sonnet-4-5")]))
def test_no_request_shows_more_than_there_is_room_for(pieces, size) -> None:  # type: ignore[no-untyped-def]
    for each in portions(materials_of(pieces, range(len(pieces))), ROOM, size):
        assert size(each.text) <= ROOM


@given(histories())
def test_a_piece_that_fits_a_request_is_not_divided(pieces: tuple[Piece, ...]) -> None:
    materials = {one.index: one for one in materials_of(pieces, range(len(pieces)))}
    for each in portions(tuple(materials.values()), ROOM, chars):
        for one in each.slices:
            assert one.of == 1 or len(materials[one.index].text) > ROOM - 60


@given(histories())
def test_what_is_shown_whole_is_proven_by_the_requests(pieces: tuple[Piece, ...]) -> None:
    parts = portions(materials_of(pieces, range(len(pieces))), ROOM, chars)
    assert shown_whole(parts) == tuple(range(len(pieces)))
    for left_out in range(len(parts)):
        rest = [one for at, one in enumerate(parts) if at != left_out]
        assert not set(parts[left_out].indices) & set(shown_whole(rest))


def test_a_large_piece_is_divided_at_whole_lines() -> None:
    material = Material(index=0, role="tool result", text="a row of the table\n" * 50)
    texts = [one.text for each in portions([material], ROOM, chars) for one in each.slices]
    assert len(texts) > 5
    assert all(text.endswith("table\n") and text.startswith("a row") for text in texts)


def test_a_line_that_is_too_long_is_divided_at_whole_graphemes() -> None:
    family = "👩‍👩‍👧"
    material = Material(index=0, role="user", text=family * 100)
    texts = [one.text for each in portions([material], ROOM, chars) for one in each.slices]
    assert len(texts) > 5
    assert all(set(pattern().findall(text)) == {family} for text in texts)


def test_an_error_and_a_picture_are_said_with_the_piece() -> None:
    pieces = (piece("tool", "no such file", answers="c9", failed=True, solid=True),)
    (material,) = materials_of(pieces, [0])
    assert material.role == "tool result, an error"
    assert (
        material.text
        == "a tool, call c9\nno such file\n(and a part that is no text and cannot be shown)"
    )
    assert material.unseen is not None

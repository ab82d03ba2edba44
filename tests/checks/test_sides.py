"""Two texts side by side, as excerpts around the losses."""

from hypothesis import given
from hypothesis import strategies as st

from ullage.checks.sides import MOST, Piece, sides
from ullage.cutter.excerpt import ends

WORDS = st.lists(st.sampled_from([f"word-{number:05d} " for number in range(900)]), max_size=300)


def shown(pieces: tuple[Piece, ...] | list[Piece]) -> int:
    return sum(one.chars for one in pieces if one.kind != "missing")


@given(WORDS, st.integers(min_value=0, max_value=300), st.integers(min_value=0, max_value=300))
def test_every_character_is_shown_or_counted(words: list[str], start: int, end: int) -> None:
    produced = "".join(words)
    delivered = "".join([*words[:start], "[cut here] ", *words[max(start, end) :]])

    both = sides(produced, delivered)

    assert both.produced is not None
    assert shown(list(both.produced)) == len(produced)
    assert shown(list(both.delivered)) == len(delivered)
    assert len(both.produced) <= 3 * MOST


def test_what_is_lost_is_marked_and_what_is_put_in_too() -> None:
    head, lost, tail = (
        "".join(f"{word} {number} " for number in range(14)) for word in ("first", "gone", "last")
    )
    both = sides(head + lost + tail, head + "[...]" + tail)

    assert both.produced is not None
    assert [one.kind for one in both.produced] == ["same", "lost", "same"]
    assert both.produced[1].text == lost
    assert [(one.kind, one.chars) for one in both.delivered] == [
        ("same", len(head)),
        ("added", len("[...]")),
        ("missing", len(lost)),
        ("same", len(tail)),
    ]


def test_a_cut_end_is_marked_where_the_text_ends() -> None:
    text = "".join(f"row {number}\n" for number in range(400))

    both = sides(text, text.removesuffix(text[1000:]))

    assert both.delivered[-1] == Piece(kind="missing", text="", chars=len(text) - 1000)


def test_of_an_unknown_side_nothing_is_said() -> None:
    both = sides(None, "what was given")

    assert both.produced is None
    assert both.produced_chars is None
    assert [one.kind for one in both.delivered] == ["same"]


def test_equal_texts_have_no_loss() -> None:
    both = sides("the same text, as it was", "the same text, as it was")

    assert both.produced is not None
    assert {one.kind for one in (*both.produced, *both.delivered)} == {"same"}


def test_a_very_long_text_is_shown_in_a_few_thousand_characters() -> None:
    text = "".join(f"row {number} of very many\n" for number in range(200_000))

    both = sides(text, text.removesuffix(text[50_000:]))

    pieces = [*(both.produced or ()), *both.delivered]
    assert sum(len(one.text) for one in pieces) < 4000
    assert any(one.kind == "left out" and one.of == "lost" for one in pieces)


@given(st.text(max_size=300), st.integers(0, 50), st.integers(0, 50))
def test_two_ends_and_what_is_between_are_the_whole(text: str, head: int, tail: int) -> None:
    both = ends(text, head, tail)

    assert len(both.head) + both.left_out + len(both.tail) == len(text)
    assert text.startswith(both.head)
    assert text.endswith(both.tail)


def test_ends_split_no_grapheme() -> None:
    family = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"
    both = ends(family * 20, 7, 7)

    assert both.head == family
    assert both.tail in (family, family * 2)

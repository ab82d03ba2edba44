import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.ledger.level import levelled

PIECE = "[piece of secret:1a2b3c4d]"
RAW = "sk-" + "a1B2c3D4e5"


@pytest.mark.parametrize(
    "around",
    ['{{"id": 7, "key": "{}"}}', "the key begins with {}", "{} is it", "a {} b {} c", "{}"],
)
def test_a_piece_that_only_one_text_shows_is_redacted_in_both(around: str) -> None:
    redacted = around.format(PIECE, PIECE)

    assert levelled(around.format(RAW, RAW), redacted) == (redacted, redacted)
    assert levelled(redacted, around.format(RAW, RAW)) == (redacted, redacted)


def test_each_side_may_hold_what_the_other_shows() -> None:
    other = "[secret:99999999]"
    shown = "ghp" + "_" + "x9Y8" * 4

    found = levelled(f"one {PIECE}, and then {shown}.", f"one {RAW}, and then {other}.")

    assert found == (f"one {PIECE}, and then {other}.",) * 2


def test_a_row_is_found_among_its_likes_when_others_were_cut() -> None:
    rows = [f'{{"id": {number}, "note": "plain-text-{number}"}}' for number in range(9)]
    produced = [*rows, f'{{"id": 9, "note": "{RAW}"}}']
    delivered = [rows[0], f'{{"id": 9, "note": "{PIECE}"}}']

    text, _ = levelled("\n".join(produced), "\n".join(delivered))

    assert text == "\n".join([*rows, delivered[1]])


def test_what_could_be_several_things_stays() -> None:
    text = f'"note": "{RAW}"\n"note": "{RAW[::-1]}"'

    assert levelled(text, f'"note": "{PIECE}"')[0] == text


def test_words_are_not_taken_for_a_secret() -> None:
    text = '"note": "delivered-late"'

    assert levelled(text, f'"note": "{PIECE}"')[0] == text


@given(first=st.text(), second=st.text())
def test_texts_without_placeholders_stay(first: str, second: str) -> None:
    assert levelled(first, second) == (first, second)

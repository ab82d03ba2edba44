"""The page as a text: its colours, its policy, what it says, what it leaves out."""

import re
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.report.page.pages import ROWS, SLICED, Given, page_of, same, scanned, transcript, usual

from ullage.checks.flow import Flow
from ullage.report.page.evidence import evidence_words
from ullage.report.page.flow import rows_of
from ullage.report.page.head import lost_of, sentence
from ullage.report.page.lengths import bin_of, edge
from ullage.report.page.markup import Safe, escaped, tag, visible
from ullage.report.page.palette import DARK, GROUNDS, LIGHT, SHAPES, TEXT
from ullage.report.page.pieces import number, percent


def luminance(colour: str) -> float:
    """The relative luminance of a colour (WCAG 2.2)."""
    parts = [int(colour.lstrip("#")[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (
        one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_words_and_shapes_stand_out_from_their_grounds(colours: dict[str, str]) -> None:
    pairs = [(name, ground, 4.5) for name, ground in product(TEXT, GROUNDS)]
    pairs += [(name, ground, 3.0) for name, ground in product(SHAPES, GROUNDS)]
    pairs += [("ink", ground, 4.5) for ground in ("lost-soft", "added-soft", "kept-soft")]
    low = [
        f"{name} on {ground}: {contrast(colours[name], colours[ground]):.2f}"
        for name, ground, least in pairs
        if contrast(colours[name], colours[ground]) < least
    ]
    assert low == []


def test_both_themes_name_the_same_colours() -> None:
    assert set(LIGHT) == set(DARK)


def test_the_style_names_no_colour_of_its_own() -> None:
    text = page_of([])
    used = set(re.findall(r"var\(--([\w-]+)\)", text))

    assert used <= set(LIGHT)


def test_nothing_is_loaded_from_anywhere() -> None:
    text = page_of(usual())

    assert "default-src &#x27;none&#x27;" in text
    assert re.findall(r"""(?:src|href)=["'](?!#)[^"']*|@import|url\(""", text) == []


@given(st.text())
def test_no_text_can_end_its_element_or_turn_the_line(text: str) -> None:
    made = str(tag("p", text, title=text)).removeprefix("<p").removesuffix("</p>")

    assert "<" not in made
    assert made.count('"') == 2
    assert "\u202e" not in made
    assert not re.search("[\x00-\x08\x0b-\x1f\ud800-\udfff]", made)


def test_what_cannot_be_seen_is_written_as_a_code() -> None:
    assert visible("a\u202eb\x00\ud800\tc\n") == "a⟨U+202E⟩b⟨U+0000⟩⟨U+D800⟩\tc\n"


def test_markup_of_our_own_is_not_escaped_twice() -> None:
    assert escaped(Safe("<b>")) == "<b>"
    assert escaped("<b>") == "&lt;b&gt;"


def test_the_sentence_says_what_was_measured() -> None:
    done, pictures = scanned(usual())

    said = sentence(done, lost_of(done, pictures.flow))

    assert said.startswith("25 of 44 tool results (56.8 %) did not reach the model whole")
    assert "for 1 more result that is not known" in said


def test_the_sentence_does_not_take_what_is_not_known_for_whole() -> None:
    done, pictures = scanned([transcript("s", [Given(produced=None, delivered="a text")])])

    assert "a cut that leaves no sign would not show" in sentence(
        done, lost_of(done, pictures.flow)
    )


def test_the_band_takes_off_at_its_boundary_what_was_lost_there() -> None:
    done, pictures = scanned([transcript("s", [Given(produced=ROWS, delivered=SLICED)])])

    rows = {one.name: one for one in rows_of(done, pictures.flow)}

    assert rows["Produced"].before.known == len(ROWS)
    assert rows["budget"].lost == len(ROWS) - len(SLICED)
    assert rows["Given to the model"].before.known == len(SLICED)
    assert rows["serialise"].words == "nothing lost"
    assert rows["retain"].words.startswith("n/a")


def test_what_was_produced_is_not_guessed_from_what_arrived() -> None:
    done, pictures = scanned([transcript("s", [Given(produced=None, delivered="a text")])])

    rows = {one.name: one for one in rows_of(done, pictures.flow)}

    assert rows["Produced"].before.known == 0
    assert rows["Produced"].before.unknown == len("a text")
    assert rows["budget"].lost is None


def test_an_empty_scan_has_a_band_of_nothing() -> None:
    done, _ = scanned([])

    assert all(not one.before.known for one in rows_of(done, Flow()))


@given(st.integers(min_value=1, max_value=10**9))
def test_a_length_falls_into_the_bar_that_names_it(length: int) -> None:
    at = bin_of(length)

    assert edge(at) <= length < edge(at + 1) or edge(at) == edge(at + 1)


def test_figures_are_written_with_their_units() -> None:
    words = evidence_words(
        {
            "produced_chars": 33370,
            "fill_percent": 6.2,
            "parts": {"$.late": [0, 128]},
            "where": "harness",
            "broken": True,
            "nothing": None,
            "ids": [f"id-{number}" for number in range(20)],
        }
    )

    assert words[:5] == [
        ("produced", "33\u2009370 characters"),
        ("fill", "6.2 %"),
        ("parts", "$.late: 0 of 128"),
        ("lost in", "the harness, after the tool"),
        ("broken", "yes"),
    ]
    assert words[5][1].endswith("id-11, and 8 more")


def test_numbers_are_never_made_up() -> None:
    assert (number(None), percent(None), percent(1, 0)) == ("n/a", "n/a", "n/a")
    assert (number(1234567), percent(1, 3), percent(0, 3)) == (
        "1\u2009234\u2009567",
        "33.3 %",
        "0 %",
    )


def secret() -> str:
    return "sk-" + "proj-" + "Zx9" * 12


def test_secrets_are_taken_out_of_every_text_of_the_page() -> None:
    made = f"password is {secret()} " + ROWS
    sessions = [transcript("s", [Given(produced=made, delivered=made.removesuffix(ROWS))])]

    text = page_of(
        sessions,
        clean=lambda one: one.replace(secret(), "[secret]"),
        passed_over=[f"{secret()}: is empty"],
    )

    assert secret() not in text
    assert text.count("[secret]") >= 2
    assert secret() in page_of(sessions, clean=same)


def test_a_name_as_long_as_a_book_is_shown_with_its_length() -> None:
    name = "n" * 1_000_000
    session = transcript(name, [Given(produced=ROWS, delivered=SLICED, tool=name)])

    text = page_of([session])

    assert len(text) < 200_000
    assert "(1000000 characters)" in text


def test_texts_are_left_out_where_nobody_wants_them() -> None:
    text = page_of(usual(), per_check=0)

    assert "order-0199" not in text
    assert "Texts were left out" in text


def test_the_page_is_the_same_from_the_same_sessions(tmp_path: Path) -> None:
    assert page_of(usual()) == page_of(usual())

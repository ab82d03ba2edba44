"""Cleaning of terminal output."""

import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.cutter.clean import clean

SHARED = Path(os.environ.get("ULLAGE_SHARED", "../shared"))
PIECES = st.sampled_from(
    [
        *(
            "a",
            "bc",
            " ",
            "\n",
            "\r\n",
            "\r",
            "\b",
            "\t",
            "\x00",
            "\x07",
            "\x1b",
            "\x1b[",
            "31",
            "m",
        ),
        *(
            "\x1b[0;31m",
            "\x1b[2K",
            "\x1b]8;;http://a.test\x1b\\",
            "\x1b]0;title\x07",
            "\x1b]",
            "\x9b",
        ),
        *("\x1b(B", "\x1b7", "\x1bP1", "\\", "é", "\x9c", "\x00" * 9),
    ]
)
TERMINAL = st.lists(PIECES, max_size=40).map("".join)


def test_a_text_without_anything_special_is_returned_itself() -> None:
    text = "one\ttwo\r\nthree é\n" + "x" * 1000
    assert clean(text).text is text
    assert clean(text).also == ()


@pytest.mark.parametrize(
    ("coded", "plain"),
    [
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b[?25lhidden\x1b[?25h", "hidden"),
        ("\x1b]8;;file:///a.toml\x1b\\a.toml\x1b]8;;\x1b\\ ok", "a.toml ok"),
        ("\x1b]0;a title\x07text", "text"),
        ("\x1bP+q544e\x1b\\text", "text"),
        ("\x1b(Btext\x1b7\x1b8\x1b=", "text"),
        ("\x9b31mtext", "text"),
        ("end\x1b", "end"),
        ("end\x1b[", "end"),
        ("end\x1b[38;5", "end"),
        ("end\x1b]8;;http://x.te", "end"),
        ("end\x1b]8;;http://x.test\x1b", "end"),
    ],
)
def test_terminal_codes_go_also_unfinished_ones_at_the_end(coded: str, plain: str) -> None:
    assert clean(coded).text == plain


def test_a_code_that_lost_its_end_does_not_swallow_the_next_lines() -> None:
    assert "second line" in clean("\x1b]8;;http://a.test\nsecond line\n").text


def test_redraws_fold_to_the_first_and_the_last_state_of_their_line() -> None:
    bar = "\r".join(f"\x1b[2Kload {percent:3}%" for percent in range(101))
    done = clean(f"before\n\r{bar}\nafter\n")
    assert done.text == "before\nload   0%\nload 100%\nafter\n"
    assert done.also == ("terminal codes taken out (101)", "100 redraws folded")


def test_crlf_line_ends_are_not_redraws() -> None:
    assert clean("a\r\n\x1b[1mb\x1b[0m\r\n").text == "a\r\nb\r\n"


def test_a_line_redrawn_in_a_crlf_text_keeps_its_line_ends() -> None:
    assert clean("1%\r50%\r99%\r\nend\r\n").text == "1%\r\n99%\r\nend\r\n"


def test_a_text_of_carriage_returns_only_keeps_its_lines() -> None:
    assert clean("id,name\r1,a\r2,b\r").text == "id,name\r1,a\r2,b\r"


def test_backspaces_are_applied_as_a_terminal_does() -> None:
    done = clean("N\bNA\bAME\n_\bx\nabc\b\bX\n|\b/\b-\bdone\n")
    assert done.text == "NAME\nx\naXc\ndone\n"
    assert done.also == ("8 backspaces applied",)


def test_control_bytes_go_and_a_long_run_leaves_a_placeholder() -> None:
    done = clean("version: 3.2\n" + "\x00" * 60 + "\nbuild\x07 id: 77\x01\n")
    assert done.text == "version: 3.2\n[60 control bytes]\nbuild id: 77\n"
    assert done.also == ("62 control bytes taken out",)


def test_one_of_a_kind_is_said_in_the_singular() -> None:
    assert clean("a\x07b").also == ("1 control byte taken out",)


@given(text=TERMINAL)
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    once = clean(text)
    assert clean(once.text).text == once.text
    assert clean(once.text).also == ()


@given(text=TERMINAL | st.text(max_size=200))
def test_no_code_and_no_control_byte_is_left(text: str) -> None:
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", clean(text).text)


@given(text=st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=200))
def test_text_of_printed_characters_is_untouched(text: str) -> None:
    assert clean(text).text == text


@pytest.mark.parametrize(
    "hostile",
    [
        "x" * 5_000_000,
        "\x1b[31mx" * 100_000,
        "\x1b]8;;a" * 100_000,
        "\x1b" * 300_000,
        "\x1b]0;" + "x" * 3_000_000,
        "\x1bP" + "\x1b[" * 200_000,
        "a\r" * 500_000 + "\n",
        "a\b" * 500_000,
        "\x00" * 3_000_000,
    ],
    ids=lambda text: repr(text[:8]),
)
def test_hostile_text_is_cleaned_in_linear_time(hostile: str) -> None:
    clean(hostile)


def test_the_reported_progress_bar_becomes_plain_text() -> None:
    source = SHARED / "cases/33-ansi-progress/input.log"
    if not source.exists():
        pytest.skip(f"{source} is not here")
    done = clean(source.read_bytes().decode())
    assert "ERROR conf.toml: unknown key 'retires' (did you mean 'retries'?)" in done.text
    assert "100 redraws folded" in done.also
    assert "\x1b" not in done.text

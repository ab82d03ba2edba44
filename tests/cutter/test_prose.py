"""Plain prose, and shortening one long string."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ullage.cutter import grapheme, notice
from ullage.cutter.blocks import cut_blocks
from ullage.cutter.budget import chars
from ullage.cutter.keep import Keep
from ullage.cutter.prose import paragraphs, read
from ullage.cutter.shorten import GAP, Spelling, least, shorten_text
from ullage.cutter.values import Cut

SENTENCES = [
    "The harbour was quiet when the first boats came in with the morning tide.",
    "Nobody had told the clerk that the ledger would be needed before noon.",
    "She walked along the wall and counted the lamps as she had done for years.",
    "By evening the wind had turned, and the talk in the inn turned with it.",
]
NEEDLES = ["NEEDLE-7731", "the hidden code is 7731", "¡ATENCIÓN!", "0xDEADBEEF"]
OTHERS = {
    "json": '{"id": 1, "name": "row"}\n' * 30,
    "log": "2026-02-01 10:00:00 INFO service started on port 8080.\n" * 40,
    "diff": "diff --git a/x b/x\n@@ -1,2 +1,2 @@\n-old line\n+new line\n" * 10,
    "csv": "id,name,qty\n" + "".join(f"{n},item {n},{n * 3}\n" for n in range(60)),
    "tree": "".join(f"[{n}] link 'Page {n}'\n" for n in range(100, 160)),
    "listing": "".join(f"drwxr-xr-x 2 root root 4096 file{n}\n" for n in range(50)),
    "yaml": "".join(f"key{n}: value {n}\n" for n in range(60)),
}


def cut(text: str, limit: int) -> Cut:
    layout = read(text)
    assert layout is not None
    return cut_blocks(layout, text, chars(limit), keep=Keep(), inside=True)


def essay(count: int, rng: random.Random) -> str:
    return "\n\n".join(" ".join(rng.choices(SENTENCES, k=4)) for _ in range(count)) + "\n"


def filler(length: int, rng: random.Random) -> str:
    words = [
        "lorem",
        "ipsum",
        "dolor",
        "sit",
        "amet",
        "consectetur",
        "adipiscing",
        "elit",
        "sed",
        "do",
        "eiusmod",
        "tempor",
    ]
    return " ".join(rng.choices(words, k=length // 5))[:length]


@pytest.mark.parametrize("kind", OTHERS)
def test_text_of_another_format_is_not_prose(kind: str) -> None:
    assert read(OTHERS[kind]) is None


def test_an_essay_is_prose() -> None:
    assert read(essay(12, random.Random(1))) is not None


def test_wrapped_prose_is_prose() -> None:
    text = "\n\n".join(
        " ".join(SENTENCES).replace(" the ", "\nthe ").replace(" and ", "\nand ") for _ in range(9)
    )

    assert read(text) is not None


def test_chinese_prose_is_prose() -> None:
    assert read("码头在清晨很安静，第一批船随潮水进港。没有人告诉职员中午之前需要账本。\n\n" * 20)


def test_one_long_line_is_read() -> None:
    assert read("x" * 5000) is not None


def test_whole_paragraphs_are_kept_where_they_stand() -> None:
    text = essay(30, random.Random(2))
    done = cut(text, 3000)

    body = done.text.partition("\n\n")[2].rstrip("\n")
    source = text.rstrip("\n").split("\n\n")
    kept = [source.index(one) for one in body.split("\n\n") if one in source]
    assert len(kept) == done.account.parts[0].delivered


def test_a_paragraph_unlike_the_others_is_kept_wherever_it_stands() -> None:
    for place in (5, 20, 33):
        found = essay(40, random.Random(3)).split("\n\n")
        found[place] = "Invoice 4711 of Zweifel & Söhne AG was paid twice; claim back CHF 9000."
        assert found[place] in cut("\n\n".join(found), 2500).text


def test_a_closing_caveat_is_kept() -> None:
    found = essay(40, random.Random(4)).rstrip().split("\n\n")
    found.insert(21, "Note: all figures in this chapter are provisional.")

    assert found[21] in cut("\n\n".join(found), 2000).text


def test_the_total_of_paragraphs_is_stated_and_kept_by_a_second_cut() -> None:
    text = essay(50, random.Random(5))
    once = cut(text, 4000)
    twice = cut(once.text, 1500)

    assert "of 50 records" in once.text
    assert "of 50 records" in twice.text
    assert twice.text.count("[Cut") == 1


def test_a_single_long_paragraph_keeps_what_stands_out_in_it() -> None:
    rng = random.Random(6)
    text = filler(20_000, rng) + " NEEDLE-7731 " + filler(20_000, rng)

    assert "NEEDLE-7731" in cut(text, 1500).text


@settings(max_examples=50, deadline=None)
@given(count=st.integers(1, 40), seed=st.integers(0, 99), limit=st.integers(1, 6000))
def test_prose_of_any_length_stays_within_any_budget(count: int, seed: int, limit: int) -> None:
    text = essay(count, random.Random(seed))
    limit = min(limit, len(text) - 1)
    done = cut(text, limit)

    assert len(done.text) <= limit
    if limit >= done.account.floor + 20:  # room for the mark of a shortened paragraph
        assert done.text.startswith("[Cut")
    part = done.account.parts[0]
    gone = sum(last - first + 1 for first, last in part.left_out)
    assert part.produced == part.delivered + gone == count


@settings(max_examples=50, deadline=None)
@given(text=st.text("ab .\n", max_size=300))
def test_paragraphs_joined_are_the_text_again(text: str) -> None:
    joined = "\n".join(paragraphs(text))

    assert text.startswith(joined)
    assert not text[len(joined) :].strip()


@pytest.mark.parametrize("seed", range(20))
def test_a_needle_in_a_long_string_survives(seed: int) -> None:
    rng = random.Random(seed)
    needle = NEEDLES[seed % len(NEEDLES)]
    place = rng.randrange(2_000, 38_000)
    text = filler(place, rng) + f" {needle} " + filler(40_000 - place, rng)

    short = shorten_text(text, 1500)

    assert short is not None
    assert len(short) <= 1500
    assert needle in short


def test_a_string_that_fits_is_unchanged() -> None:
    assert shorten_text("short", 5) == "short"


def test_too_little_room_gives_nothing() -> None:
    assert shorten_text("x" * 1000, 10) is None


def test_the_ends_of_a_long_string_are_kept() -> None:
    short = shorten_text("BEGIN " + filler(9000, random.Random(1)) + " FINISH", 900)

    assert short is not None
    assert short.startswith("BEGIN ")
    assert "FINISH… [" in short


def test_a_second_cut_keeps_the_first_length_and_the_needle() -> None:
    rng = random.Random(7)
    text = filler(20_000, rng) + " NEEDLE-7731 " + filler(20_000, rng)
    once = shorten_text(text, 1500)
    assert once is not None
    twice = shorten_text(once, 700)

    assert twice is not None
    assert f"of {len(text)} characters]" in twice
    assert "NEEDLE-7731" in twice


def test_a_text_that_only_looks_cut_keeps_its_mark_as_text() -> None:
    text = "a" * 900 + "… [3 of 10 characters]"
    short = shorten_text(text, 300)

    assert short is not None
    assert f"of {len(text)} characters]" in short


CLUSTERS = st.sampled_from(["a", "b ", "é", "e\u0301", "👩‍👩‍👧", "🇩🇪", "\r\n", "𝒳", "x" * 50, ". "])


@settings(max_examples=50, deadline=None)
@given(parts=st.lists(CLUSTERS, max_size=400), room=st.integers(0, 900), again=st.integers(20, 900))
def test_a_shortened_string_fits_states_its_length_and_splits_no_grapheme(
    parts: list[str], room: int, again: int
) -> None:
    text = "".join(parts)
    short = shorten_text(text, room)
    if short is None or short == text:
        assert (short == text) == (len(text) <= room)
        return

    assert len(short) <= room
    check_pieces(text, short)
    twice = shorten_text(short, again)
    if twice is not None:
        assert len(twice) <= max(again, 0)
        check_pieces(text, twice)
    assert shorten_text(short, room) == short
    assert least(text) <= room


def check_pieces(text: str, short: str) -> None:
    """Every piece stands in the text where the gaps say, between grapheme boundaries."""
    mark = notice.STRING_MARK.search(short)
    if mark is None:
        assert short == f"[0 of {len(text)} characters]"
        return
    assert int(mark[2]) == len(text)
    edges = {0} | {match.end() for match in grapheme.pattern().finditer(text)}
    pieces = GAP.split(short[: mark.start()])
    at = kept = 0
    for piece, gap in zip(pieces[::2], [*pieces[1::2], "0"], strict=True):
        assert text.startswith(piece, at)
        assert {at, at + len(piece)} <= edges
        kept += len(piece)
        at += len(piece) + int(gap)
    assert kept == int(mark[1])


def test_another_spelling_counts_and_cuts_by_its_own_rules() -> None:
    pairs = Spelling(count=lambda text: len(text) // 2, boundary=lambda _, at: at - at % 2)
    short = shorten_text("ab" * 3000, 801, pairs)

    assert short is not None
    assert short.endswith("of 3000 characters]")
    assert all(len(one) % 2 == 0 for one in GAP.split(notice.STRING_MARK.sub("", short))[::2])


@pytest.mark.parametrize(
    "text",
    [
        "x" * 5_000_000,
        "ab " * 1_700_000,
        "e\u0301" * 2_000_000,
        "a" + "\u0301" * 3_000_000,
        " … [3 characters] … " * 200_000,
    ],
    ids=["one word", "words", "clusters", "one cluster", "marks"],
)
def test_a_string_of_megabytes_is_shortened_in_bounded_time(text: str) -> None:
    short = shorten_text(text, 1500)

    assert short is not None
    assert len(short) <= 1500

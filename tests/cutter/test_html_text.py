"""HTML: reduced to its content, which is then cut."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ullage.cutter.blocks import cut_blocks
from ullage.cutter.budget import chars
from ullage.cutter.content import content
from ullage.cutter.html_text import read
from ullage.cutter.keep import Keep
from ullage.cutter.values import Cut

SHARED = Path(os.environ.get("ULLAGE_SHARED", "../shared"))
MENU = "<nav>" + "".join(f'<a href="/p/{at}">Page {at}</a>' for at in range(60)) + "</nav>"
STYLE = "<style>" + ".c{margin:0}" * 200 + "</style>"
OTHERS = {
    "xml": '<?xml version="1.0"?><orders><order id="1"><total>3</total></order></orders>',
    "svg": '<svg xmlns="http://www.w3.org/2000/svg"><customPart/></svg>',
    "prose": "The tag <b> makes text bold. Use <i> for italics, and close them both.\n" * 9,
    "json": '{"html": "<p>x</p>"}',
    "log": "<14>1 2026-02-01 host app - - started\n" * 9,
    "diff": "diff --git a/x.html b/x.html\n@@ -1 +1 @@\n-<p>a</p>\n+<p>b</p>\n",
    "tree": "[132] <button>Save</button>\n[133] <a>Home</a>\n",
    "markdown": "# Title\n\n<div>note</div>\n\ntext\n",
    "generics": "<T> void f(List<T> a) { }\n",
}


def cut(text: str, limit: int) -> Cut:
    layout = read(text)
    assert layout is not None
    return cut_blocks(layout, text, chars(limit), keep=Keep(), inside=True)


def page(body: str) -> str:
    return (
        f"<!doctype html><html><head><title>Shop</title>{STYLE}<script>var a = 1;</script></head>"
        f"<body>{MENU}<main>{body}</main><footer>{'fine print ' * 60}</footer></body></html>"
    )


def rows(count: int) -> str:
    cells = "".join(f"<tr><td>K{at}</td><td>{at % 40}</td></tr>" for at in range(count))
    return f"<table><tr><th>sku</th><th>qty</th></tr>{cells}</table>"


@pytest.mark.parametrize("kind", OTHERS)
def test_text_of_another_format_is_not_html(kind: str) -> None:
    assert read(OTHERS[kind]) is None


@pytest.mark.parametrize(
    "text",
    [
        "<!DOCTYPE html>\n<p>x",
        "<html><body>x</body></html>",
        "<!-- saved -->\n<div><p>one</p><p>two</p></div>",
        "<table><tr><td>1</td></tr></table>",
    ],
)
def test_a_page_or_a_fragment_is_html(text: str) -> None:
    assert read(text) is not None


def test_scripts_styles_menus_and_comments_are_taken_out() -> None:
    text = content(page("<!-- hidden --><p>Shown.</p><svg><text>x</text></svg>"))

    assert text == "# Shop\n\nShown.\n"


def test_it_is_said_that_markup_was_taken_out() -> None:
    text = page("<p>Shown.</p>")
    done = cut(text, 500)

    assert f"taken out ({len(text)} to 15 characters)" in done.text
    assert done.text.endswith("# Shop\n\nShown.\n")


def test_headings_lists_and_links_become_markdown() -> None:
    text = content(
        "<h2>Plans</h2><ul><li>one<ul><li>deep</li></ul></li><li><a href='http://x.test/a'>two</a>"
        "</li></ul><ol><li>first</li><li>second</li></ol>"
    )

    assert text == ("## Plans\n\n- one\n  - deep\n- two (http://x.test/a)\n1. first\n2. second\n")


def test_of_many_links_only_the_text_stays() -> None:
    links = "".join(
        f"<p><a href='http://x.test/{at}'>link {at}</a> and words</p>" for at in range(30)
    )

    assert "http" not in content(links)
    assert "link 29" in content(links)


def test_a_table_becomes_rows_with_its_header() -> None:
    assert content(rows(2)) == "| sku | qty |\n|---|---|\n| K0 | 0 |\n| K1 | 1 |\n"


def test_a_table_that_lays_out_a_page_is_no_table() -> None:
    text = content(f"<table><tr><td>Left words</td><td>{rows(2)}</td></tr></table>")

    assert text == "Left words\n\n| sku | qty |\n|---|---|\n| K0 | 0 |\n| K1 | 1 |\n"


def test_a_pipe_in_a_cell_is_escaped() -> None:
    assert "| a\\|b | 1 |" in content("<table><tr><td>x<td>y<tr><td>a|b<td>1</table>")


def test_entities_are_resolved() -> None:
    assert content("<p>caf&eacute; &amp; 5 &lt; 6&nbsp;km</p>") == "café & 5 < 6\xa0km\n"


def test_preformatted_text_keeps_its_lines() -> None:
    assert content("<pre>a\n  b ```\n</pre>") == "````\na\n  b ```\n````\n"


def test_text_that_looks_like_markdown_is_escaped() -> None:
    assert content("<p># not a heading</p><p>```</p>") == "\\# not a heading\n\n\\```\n"


def test_a_short_footer_that_is_no_menu_stays() -> None:
    text = content("<p>Price: 4.</p><footer>All prices are provisional.</footer>")

    assert text.endswith("All prices are provisional.\n")


def test_the_words_of_a_picture_stay() -> None:
    assert content("<p><img src='data:x' alt='a chart'></p>") == "[image: a chart]\n"


def test_unclosed_tags_lose_no_text() -> None:
    assert content("<div><p>one<p>two<b>three") == "one\n\ntwothree\n"


def test_a_greater_sign_in_an_attribute_ends_no_tag() -> None:
    assert content('<p title="a > b">text</p>') == "text\n"


def test_a_script_that_never_ends_goes_on_to_the_end_as_in_a_browser() -> None:
    assert content("<p>a</p><script>var x;<p>not shown</p>") == "a\n"


def test_a_table_too_long_for_the_budget_keeps_header_and_whole_rows() -> None:
    done = cut(page(f"<h1>Stock</h1>{rows(300)}<p>Figures are provisional.</p>"), 1200)

    assert "| sku | qty |\n|---|---|\n| K0 | 0 |" in done.text
    assert "of 300 records" in done.text
    assert "Figures are provisional." in done.text


def test_a_second_cut_still_says_that_markup_was_taken_out() -> None:
    from ullage.cutter.markdown import read as read_markdown

    once = cut(page(f"<h1>Stock</h1>{rows(300)}"), 2000)
    layout = read_markdown(once.text)
    assert layout is not None
    twice = cut_blocks(layout, once.text, chars(900), keep=Keep(), inside=True)

    assert twice.text.count("menus and footers taken out") == 1
    assert "of 300 records" in twice.text


TAGS = st.sampled_from(["p", "div", "table", "tr", "td", "th", "li", "ul", "nav", "pre", "a", "h1"])
PIECES = st.one_of(
    st.text("ab<>&|#`\"' \n\x00é", max_size=12),
    TAGS.map(lambda name: f"<{name}>"),
    TAGS.map(lambda name: f"</{name}>"),
    st.sampled_from(["<!--", "-->", "<script>", "</script>", "<a href='http://x.test'>", "&#60;"]),
)


@settings(max_examples=50, deadline=None)
@given(pieces=st.lists(PIECES, max_size=60), limit=st.integers(1, 400))
def test_any_tags_within_any_budget(pieces: list[str], limit: int) -> None:
    text = "<!doctype html>" + "".join(pieces)
    done = cut(text, limit)

    assert len(done.text) <= limit
    assert "\x00" not in done.text
    for part in done.account.parts:
        gone = sum(last - first + 1 for first, last in part.left_out)
        assert part.produced == part.delivered + gone


@settings(max_examples=50, deadline=None)
@given(words=st.lists(st.text("abcdé", min_size=1, max_size=8), min_size=1, max_size=30))
def test_no_word_of_a_paragraph_is_lost(words: list[str]) -> None:
    text = content("".join(f"<p>{word}<b>{word}</b></p>" for word in words))

    kept = list(dict.fromkeys(text.split()))
    assert kept == list(dict.fromkeys(word + word for word in words))


HOSTILE = {
    "angles": "<" * 200_000,
    "open tags": "<a " * 100_000,
    "comments": "<!--" * 100_000,
    "end tags": "</a" * 100_000,
    "quotes": '<a ">' * 50_000 + '"',
    "tables": "<table><tr><td>" * 20_000 + "x",
    "navs": "<nav>" * 30_000 + "x",
    "depth": "<div>" * 100_000 + "x" + "</div>" * 100_000,
    "scripts": "<script>" * 100_000,
    "entities": "&#" * 200_000,
    "one line": "x" * 5_000_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_html_is_cut_in_bounded_time(kind: str) -> None:
    text = "<!doctype html>" + HOSTILE[kind]

    done = cut(text, 1000)

    assert len(done.text) <= 1000


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the shared cases (ULLAGE_SHARED)")
def test_the_case_of_a_price_table_behind_boilerplate() -> None:
    text = (SHARED / "cases/01-html-boilerplate/input.html").read_text(encoding="utf-8")
    done = cut(text, 1500)

    for plan in ("Amber", "Basin", "Cedar", "Delta", "Ember", "Fjord", "25.5 ct", "16.2 ct"):
        assert plan in done.text
    assert "Night starts at 22:30." in done.text

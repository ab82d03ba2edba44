"""Cutting XML: whole elements, well-formed with the same root."""

import re
from collections.abc import Sequence
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ullage.cutter.blocks import cut_blocks
from ullage.cutter.budget import chars
from ullage.cutter.keep import Rule, read_rules
from ullage.cutter.values import Cut
from ullage.cutter.xml_text import read

SHARES = st.floats(min_value=0, max_value=1)
TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=20
) | st.sampled_from(["", " ", "x" * 300, "a & b < c " * 40, "é👩‍👩‍👧" * 9, "]]>"])
NAMES = st.sampled_from(["item", "row", "a-b", "n:x", "é"])
SPACES = st.sampled_from(["", "\n", "\n  ", " ", "\r\n"])
NOT_XML = {
    "JSON": '{"a": "<b/>"}',
    "prose": "It says <b>so</b>.\nAnd more.\n",
    "log": "<14>Jan 1 10:00:00 host app: up\n<14>Jan 1 10:00:01 host app: down\n",
    "diff": "--- a/x.xml\n+++ b/x.xml\n@@ -1 +1 @@\n-<a/>\n+<b/>\n",
    "Markdown": "# Title\n\n<br/>\n\n- one\n",
    "HTML": "<!DOCTYPE html>\n<html><body><p>x</p></body></html>",
    "HTML that is no XML": "<div><p>one<br></div>",
    "accessibility tree": '[132] link "<a/>"\n',
    "two roots": "<a/>\n<b/>\n",
    "torn": "<a><b/><c>",
    "entities": '<!DOCTYPE a [<!ENTITY x "y">]><a><b>&x;</b></a>',
}


def cut(text: str, limit: int, keep: Sequence[Rule] = ()) -> Cut:
    layout = read(text)
    assert layout is not None
    return cut_blocks(layout, text, chars(limit), keep=read_rules(keep), inside=True)


def limit_for(text: str, share: float) -> int:
    """A budget between a notice of any wording and the size of a text."""
    floor = cut(text, 1).account.floor + 60
    assume(floor < len(text))
    return floor + round((len(text) - 1 - floor) * share)


@st.composite
def elements(draw: st.DrawFn, depth: int = 0) -> str:
    """One element with attributes, text, CDATA, comments and children."""
    name = draw(NAMES)
    attributes = f" id={quoteattr(draw(TEXTS))}" if draw(st.booleans()) else ""
    if draw(st.integers(0, 5)) == 0:
        return f"<{name}{attributes}/>"
    inner = draw(
        st.sampled_from(["<!-- note -->", "<?pi x?>", "<![CDATA[<raw>]]>", ""])
        | TEXTS.map(escape)
        | (st.lists(elements(depth + 1), max_size=4).map("".join) if depth < 2 else st.just(""))
    )
    return f"<{name}{attributes}>{inner}</{name}>"


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A document with a prologue, white space of some kind between its elements, and an end."""
    space = draw(SPACES)
    between = st.sampled_from(["", "", "<!-- between -->", "words", "<?pi?>"])
    inner = "".join(
        f"{space}{draw(between)}{space}{one}" for one in draw(st.lists(elements(), max_size=10))
    )
    if draw(st.booleans()):
        inner = f"{space}<list>{inner}{space}</list>{space}<end/>"
    prologue = draw(
        st.sampled_from(["", '<?xml version="1.0"?>\n', "<!-- head -->\n<!DOCTYPE r>\n"])
    )
    end = draw(st.sampled_from(["", "\n", "\n<!-- foot -->\n"]))
    return f'{prologue}<r xmlns:n="u" a="x>y">{inner}{space}</r>{end}'


@pytest.mark.parametrize("name", NOT_XML)
def test_other_text_is_not_xml(name: str) -> None:
    assert read(NOT_XML[name]) is None


@settings(max_examples=80)
@given(text=documents(), share=SHARES)
def test_what_is_left_is_well_formed_under_the_same_root(text: str, share: float) -> None:
    limit = limit_for(text, share)

    done = cut(text, limit)

    assert len(done.text) <= limit
    root = ElementTree.fromstring(done.text)
    assert (root.tag, root.attrib) == ("r", {"a": "x>y"})
    assert f'<r xmlns:n="u" a="x>y"><!-- {done.notice} -->' in done.text
    for part in done.account.parts:
        left_out = sum(last - first + 1 for first, last in part.left_out)
        assert part.produced == part.delivered + left_out


@given(ids=st.lists(TEXTS, min_size=3, max_size=40), space=SPACES, share=SHARES)
def test_kept_elements_keep_their_bytes_and_their_order(
    ids: list[str], space: str, share: float
) -> None:
    source = [f"<item id={quoteattr(one)}/>" for one in ids]
    text = f"<r>{''.join(space + one for one in source)}{space}</r>"
    done = cut(text, limit_for(text, share))

    (part,) = done.account.parts
    gone = {at for low, high in part.left_out for at in range(low, high + 1)}
    assert re.findall(r"<item [^>]*?/>(?=\s*<)", done.text) == re.findall(
        r"<item [^>]*?/>(?=\s*<)",
        "".join(one for at, one in enumerate(source) if at not in gone) + "<",
    )


@settings(max_examples=40)
@given(text=documents(), share=SHARES, again=SHARES)
def test_a_second_smaller_cut_is_well_formed_and_keeps_one_notice(
    text: str, share: float, again: float
) -> None:
    once = cut(text, limit_for(text, share))
    twice = cut(once.text, max(once.account.floor + 30, round(len(once.text) * again)))

    assert twice.text.count("<!-- Cut") <= 1
    ElementTree.fromstring(twice.text)


def test_a_second_cut_states_the_first_total_of_each_list() -> None:
    lists = [f"<{name}>\n{'<i>text</i>' * 1}{'<i>x</i>' * 90}\n</{name}>" for name in "ab"]
    text = "<r>\n" + "\n".join(lists) + "\n</r>\n"
    twice = cut(cut(text, 700).text, 400)

    assert "$.a " in twice.notice
    assert twice.notice.count("of 91 records") == 2


def test_a_rare_value_and_what_the_caller_wants_are_kept() -> None:
    rows = [f'  <item id="{at}"><status>ok</status></item>' for at in range(90)]
    rows[17] = rows[17].replace("ok", "bad")
    done = cut("<r>\n" + "\n".join(rows) + "\n</r>\n", 500, keep=["id=41"])

    assert rows[17] in done.text
    assert rows[41] in done.text


def test_members_beside_a_list_stay() -> None:
    items = "".join(f"    <i>{at}</i>\n" for at in range(90))
    text = f"<r>\n  <total>90</total>\n  <list>\n{items}  </list>\n  <note>end</note>\n</r>\n"
    done = cut(text, 300)

    root = ElementTree.fromstring(done.text)
    assert [one.tag for one in root] == ["total", "list", "note"]
    assert "$.list" in done.notice


def test_a_comment_between_elements_stays_with_the_next() -> None:
    rows = "".join(f"  <!-- about {at} -->\n  <i>{at}</i>\n" for at in range(60))
    done = cut(f"<r>\n{rows}</r>\n", 400)

    kept = [one.text for one in ElementTree.fromstring(done.text)]
    assert all(f"  <!-- about {at} -->\n  <i>{at}</i>\n" in done.text for at in kept[1:])
    assert done.text.count("about") == len(kept)


def test_a_long_text_is_shortened_between_its_tags_and_no_entity_is_split() -> None:
    text = f"<r><i>short</i><i a='1'>{'a &amp; b ' * 900}</i><i><![CDATA[{'<x>' * 900}]]></i></r>"
    done = cut(text, 700)

    texts = [one.text or "" for one in ElementTree.fromstring(done.text)]
    assert texts[1].endswith("of 5400 characters]")
    assert texts[2].endswith("of 2700 characters]")


def test_a_notice_with_two_hyphens_is_still_a_comment() -> None:
    rows = "".join(f"<a--b>{at}</a--b>" * 9 + "<c/>" for at in range(3))
    done = cut(f"<r>{rows}</r>", 200, keep=["x=--->"])

    ElementTree.fromstring(done.text)


def test_below_its_floor_only_the_empty_root_stays_or_nothing() -> None:
    text = f'<n:r xmlns:n="u" long="{"x" * 90}">{"<i/>" * 50}</n:r>'
    empty = '<n:r xmlns:n="u"/>'

    assert cut(text, 40).text == empty
    assert cut(text, len(empty) - 1).text == ""
    ElementTree.fromstring(empty)


@pytest.mark.parametrize(
    "text",
    [
        "<a>" * 10**5 + "</a>" * 10**5,
        "<r>" + "<a/><b/>" * 20_000 + "</r>",
        "<r " + " ".join(f'a{at}="1"' for at in range(10**5)) + "/>",
        f"<r><a>{'x' * 10**6}</a><b/></r>",
        f"<r a='{'x' * 10**6}",
        "<" * 10**6,
        "<!--" + "-" * 10**6,
        '<!DOCTYPE l [<!ENTITY a "x">'
        + "".join(f'<!ENTITY a{at} "&a{at - 1};&a{at - 1};">' for at in range(1, 50))
        + "]><l>&a49;</l>",
        "<r>\ud800<a/></r>",
    ],
    ids=["levels", "runs", "attributes", "text", "quote", "<", "comment", "entities", "surrogate"],
)
def test_hostile_text_is_read_in_bounded_time(text: str) -> None:
    layout = read(text)

    assert layout is None or len(cut(text, 2000).text) <= 2000


@pytest.mark.parametrize("space", ["", "\n"])
def test_no_element_that_is_left_out_would_still_fit(space: str) -> None:
    items = [f"<row id='{at}'>{'x' * (at % 7)}</row>" for at in range(60)]
    text = f"<rows>{space}{space.join(items)}{space}</rows>"
    for limit in range(150, len(text), 11):
        layout = read(text)
        assert layout is not None
        done = cut_blocks(layout, text, chars(limit), keep=read_rules([]), inside=False)
        (part,) = done.account.parts
        gone = [items[at] for low, high in part.left_out for at in range(low, high + 1)]
        assert all(len(one) + len(space) > limit - len(done.text) for one in gone)

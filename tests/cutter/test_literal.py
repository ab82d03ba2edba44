"""Python literals: whole items, balanced brackets, the notice as a first item."""

import ast
import datetime
import json
import os
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import ullage
from ullage.cutter.blocks import cut_blocks
from ullage.cutter.budget import chars
from ullage.cutter.keep import Keep, Rule, read_rules
from ullage.cutter.literal import read
from ullage.cutter.python_fit import shorten_item
from ullage.cutter.python_spans import is_literal
from ullage.cutter.upstream import upstream_marks
from ullage.cutter.values import Cut

SHARED = Path(os.environ.get("ULLAGE_SHARED", "../shared"))
OTHERS = {
    "json list": '[1, 2, {"a": null}]',
    "json without words": '{"a": [1, 2.5], "b": "x"}',
    "prose": "(The harbour was quiet.) Nobody had told the clerk.",
    "log": "[INFO] started\n[INFO] stopped",
    "diff": "diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+b\n",
    "csv": "id,name\n1,a\n2,b\n",
    "tree": "[132] link 'Home'\n[133] button 'Save'",
    "tree line": "[132] [133]",
    "bare words": "[error, failed]",
    "javascript": "{a: 1, b: 2}",
    "yaml": "{name: x, list: [a, b]}",
    "open": "[1, 2, (3, 4]",
    "unclosed": "[1, 2, 'three",
    "no commas": "[1 2 3]",
    "notice": "[Cut: 3 of 5 records]",
    "number": "42",
    "string": "'text'",
}


def cut(value: object, limit: int, *keep: Rule, inside: bool = True) -> Cut:
    text = value if isinstance(value, str) else repr(value)
    layout = read(text)
    assert layout is not None
    return cut_blocks(layout, text, chars(limit), keep=read_rules(keep), inside=inside)


def rows(count: int) -> list[dict[str, Any]]:
    return [{"id": at, "name": f"it's {at}", "ok": None} for at in range(count)]


@pytest.mark.parametrize("kind", OTHERS)
def test_text_of_another_format_is_no_literal(kind: str) -> None:
    assert read(OTHERS[kind]) is None


@pytest.mark.parametrize(
    "text",
    [
        "[(1, 'a'), (2, None)]",
        "{'a': 1}",
        "(1,)",
        "{1, 2}",
        "[Decimal('0.50'), datetime.datetime(2026, 2, 1, 8, 0)]",
        "Row(id=1, name='x')",
        "OrderedDict([('a', 1)])",
        "defaultdict(<class 'list'>, {'a': [1]})",
        "[b'\\x00', r'a\\b', 'it\\'s', \"it's\", '''a'b''', u'x', 1.5e3, -2, 3j, nan, ...]",
        "('one '\n 'two', 3)",
        "[<Status.OK: 'ok'>, <Row object at 0x7f00>]",
        "  [1,\n   'two',\n  ]\n",
    ],
)
def test_what_python_prints_is_a_literal(text: str) -> None:
    assert read(text) is not None


def test_whole_items_are_kept_as_they_stand() -> None:
    value = [("2026-02-01", Decimal(at), datetime.date(2026, 2, 1), "it's") for at in range(99)]
    done = cut(value, 900)

    kept = done.account.parts[0].delivered
    assert sum(repr(one) in done.text for one in value) == kept > 5
    assert "of 99 records" in done.text


def test_the_notice_is_the_first_element_of_a_list() -> None:
    done = cut(rows(90), 900)

    assert ast.literal_eval(done.text)[0] == {"_ullage": done.notice}


def test_the_notice_is_the_first_member_of_a_dict() -> None:
    done = cut({"rows": rows(90), "ok": True}, 900)

    assert next(iter(ast.literal_eval(done.text).items())) == ("_ullage", done.notice)


def test_the_notice_in_a_set_can_be_hashed() -> None:
    done = cut({f"a{at}" for at in range(200)}, 500)

    assert ("_ullage", done.notice) in ast.literal_eval(done.text)


def test_a_tuple_of_one_stays_a_tuple() -> None:
    text = "('" + "a" * 90 + "', '" + "b" * 300 + "')"

    assert isinstance(ast.literal_eval(cut(text, 110, inside=False).text), tuple)


def test_lists_in_a_dict_get_a_fair_share_and_scalars_stay() -> None:
    done = cut({"early": rows(100), "total": 200, "late": rows(100)}, 2000)
    value = ast.literal_eval(done.text)

    assert value["total"] == 200
    assert len(value["early"]) > 10
    assert len(value["late"]) > 10
    assert "$.early" in done.text


def test_a_far_number_is_kept_wherever_it_stands() -> None:
    for place in (20, 77, 150):
        data = [(at, Decimal(at % 7), "x") for at in range(200)]
        data[place] = (place, Decimal(90_000), "x")
        assert repr(data[place]) in cut(data, 900).text


def test_keep_by_equation_reads_the_items() -> None:
    assert repr(rows(90)[41]) in cut(rows(90), 700, "id=41").text


def test_a_call_is_looked_through_to_its_rows() -> None:
    inner = ", ".join(f"Row(id={at}, name='n')" for at in range(200))
    done = cut(f"Result(rows=[{inner}], total=200)", 700)

    assert done.text.startswith("Result(rows=[{'_ullage': 'Cut")
    assert done.text.endswith("Row(id=199, name='n')], total=200)")
    assert is_literal(done.text)


def test_a_dict_in_a_dict_is_looked_through() -> None:
    done = cut({"data": {"rows": rows(100), "more": rows(100)}, "ok": True}, 1500)
    value = ast.literal_eval(done.text)

    assert value["ok"] is True
    assert len(value["data"]["rows"]) > 5
    assert "$.data.rows" in done.text


def test_a_call_of_scalars_has_its_notice_as_an_argument() -> None:
    done = cut(f"Row(a=1, b='{'x' * 900}', c=None)", 300)

    assert done.text.startswith("Row(_ullage='Cut")
    assert done.text.endswith("of 900 characters]', c=None)")


def test_a_long_string_in_an_item_keeps_what_stands_out() -> None:
    data = [{"id": 1, "body": "lorem ipsum " * 900 + "NEEDLE-7731" + " dolor sit" * 900}]

    assert "NEEDLE-7731" in cut(data, 1200).text


def test_no_escape_is_split() -> None:
    data = ["\u200d\x00\n" * 500]
    for limit in range(120, 160):
        (_, kept) = ast.literal_eval(cut(data, limit).text)
        assert set(kept.partition("…")[0]) <= set("\u200d\x00\n")


def test_bytes_are_never_shortened() -> None:
    assert shorten_item(repr((b"\x00" * 300, 1)), 200) is None


def test_beside_a_member_called_like_the_notice_there_is_none() -> None:
    value = {"_ullage": "mine", **{f"k{at}": at for at in range(90)}}

    assert ast.literal_eval(cut(value, 300).text)["_ullage"] == "mine"


def test_a_second_cut_keeps_one_notice_and_the_first_totals() -> None:
    for value in (
        rows(200),
        {"a": rows(99), "data": rows(200)},
        (1, *range(200)),
        {"d": {"x": rows(200)}},
    ):
        once = cut(value, 1800 if value != (1, *range(200)) else 500)
        twice = cut(once.text, len(once.text) // 2)

        assert twice.text.count("_ullage") == 1
        assert "of 200 records" in twice.text or "of 201 records" in twice.text


def test_the_smallest_cut_is_the_empty_root_with_its_notice() -> None:
    done = cut(rows(200), 39)

    assert done.text == "[{'_ullage': 'Cut: 0 of 200 records.'}]"
    assert done.account.floor == 39


def test_below_the_floor_the_root_is_empty() -> None:
    assert cut(rows(200), 38).text == "[]"
    assert cut(rows(200), 1).account.below_floor


def test_a_mark_of_an_earlier_cut_is_a_finding() -> None:
    text = repr([("note", "abc ... (812 characters truncated) ... xyz" + "x" * 900)])
    (found,) = ullage.cut(text, chars(300)).findings

    assert found.check == "cut-upstream"
    assert "812 characters truncated" in str(found.evidence["mark"])


@pytest.mark.parametrize(
    "text",
    [
        "abc ... truncated",
        "abc... [truncated]",
        "abc … (12 more lines omitted)",
        "<truncated>",
        "[output truncated: 3000 lines]",
        "... 40 rows omitted ...",
    ],
)
def test_marks_of_other_cutters_are_known(text: str) -> None:
    assert [one.check for one in upstream_marks(text)] == ["cut-upstream"]


@pytest.mark.parametrize(
    "text",
    ["The list was truncated by hand.", "a truncated cone", "wait...", "[omit]", "TRUNCATE x"],
)
def test_words_about_cutting_are_no_marks(text: str) -> None:
    assert not list(upstream_marks(text))


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=30)
    | st.binary(max_size=20)
    | st.sampled_from(["it's", 'say "x"', "a\\b", "\u200d👩‍👩‍👧", "x" * 300, "#,:=[(<"])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=12)
        | st.lists(inner, max_size=12).map(tuple)
        | st.dictionaries(st.text(max_size=9) | st.integers(), inner, max_size=8)
    ),
    max_leaves=50,
)
LITERALS = st.one_of(
    st.lists(VALUES, min_size=1, max_size=30),
    st.lists(VALUES, min_size=1, max_size=30).map(tuple),
    st.dictionaries(st.text(max_size=9), VALUES, min_size=1, max_size=12),
    st.sets(st.text(max_size=12), min_size=1, max_size=40),
)
SHARES = st.floats(0, 1)


@settings(max_examples=30, deadline=None)
@given(value=LITERALS, share=SHARES)
@example(value={"rows": [1, 2, 3] * 200}, share=0.1)
@example(value=[[[["deep"] * 90]]], share=0.5)
@example(value=("only",), share=0.99)
def test_from_its_floor_on_a_cut_is_a_literal_of_the_same_root(value: Any, share: float) -> None:
    text = repr(value)
    layout = read(text)
    assume(layout is not None)
    limit = max(1, round(share * (len(text) - 1)))
    done = cut(text, limit)

    assert len(done.text) <= limit
    if limit >= done.account.floor + 20 and done.text:
        assert type(ast.literal_eval(done.text)) is type(value)
        assert done.text.count("_ullage") == max(text.count("_ullage"), 1)
    for part in done.account.parts:
        gone = sum(last - first + 1 for first, last in part.left_out)
        assert part.produced == part.delivered + gone


@settings(max_examples=30, deadline=None)
@given(
    data=st.lists(st.tuples(st.integers(), st.text(max_size=20)), min_size=2, max_size=60),
    share=SHARES,
)
def test_kept_items_are_the_source_in_order(data: list[tuple[int, str]], share: float) -> None:
    done = cut(data, max(1, round(share * (len(repr(data)) - 1))))
    (part,) = done.account.parts
    assume(part.delivered and not part.shortened and done.text)
    assume(part.path == "$")  # one item that is nearly all of the list is cut itself

    gone = {at for first, last in part.left_out for at in range(first, last + 1)}
    kept = [repr(one) for at, one in enumerate(data) if at not in gone]
    assert done.text.partition("}, ")[2][:-1] == ", ".join(kept)


@settings(max_examples=30, deadline=None)
@given(value=LITERALS, first=st.floats(0.4, 0.9), second=st.floats(0.4, 0.9))
def test_a_second_cut_of_any_literal_leaves_one_notice(
    value: Any, first: float, second: float
) -> None:
    text = repr(value)
    assume(len(text) > 200 and read(text) is not None)
    once = cut(text, round(first * len(text)))
    assume(once.text and read(once.text) is not None)
    twice = cut(once.text, max(1, round(second * len(once.text))))

    assert twice.text.count("'_ullage'") <= max(text.count("'_ullage'"), 1)


HOSTILE = {
    "open": "[" * 100_000,
    "lists": "[" * 100_000 + "'x'" + "]" * 100_000,
    "tuples": "(" * 100_000 + ")" * 100_000,
    "dicts": "{1: " * 100_000 + "1" + "}" * 100_000,
    "calls": "f(" * 100_000 + ")" * 100_000,
    "mixed": "[('a', " * 50_000 + ")]" * 50_000,
    "quotes": "[" + "'" * 100_001 + "]",
    "triple": "[" + "'''a" * 100_000,
    "long string": "['" + "a" * 5_000_000 + "']",
    "unclosed": "['" + "a" * 5_000_000,
    "items": "[" + "'a'," * 100_000 + "]",
    "angles": "[" + "<a " * 100_000 + "]",
    "keys": "{" + "".join(f"'k{at}': {at}," for at in range(50_000)) + "}",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_literals_are_cut_in_bounded_time(kind: str) -> None:
    layout = read(HOSTILE[kind])
    if layout is not None:
        done = cut_blocks(layout, HOSTILE[kind], chars(2000), keep=Keep(), inside=True)
        assert len(done.text) <= 2000


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the shared cases (ULLAGE_SHARED)")
def test_the_case_of_a_list_of_rows() -> None:
    folder = SHARED / "cases/10-python-repr-rows"
    done = cut((folder / "input.txt").read_text(encoding="utf-8"), 1500)

    assert "of 80 records" in done.text
    assert is_literal(done.text)
    upstream = (folder / "input.upstream.txt").read_text(encoding="utf-8")
    assert [one.check for one in upstream_marks(upstream)] == ["cut-upstream"]


DEEP: dict[str, Any] = {
    "a list in an item": [
        {"id": at, "list": list(range(5000 if at == 3 else 3))} for at in range(20)
    ],
    "a list in a list": [[[at] * 3, ["x"] * (4000 if at == 3 else 3)] for at in range(20)],
    "a dict in a tuple": [(at, {"rows": rows(900 if at == 3 else 1), "n": at}) for at in range(20)],
    "one item in a dict": {"rows": [{"id": 1, "list": rows(900)}], "n": 1},
    "a document in a string": [
        {"id": at, "body": json.dumps({"rows": rows(900 if at == 3 else 1), "n": at})}
        for at in range(20)
    ],
    "words": [{"id": at, "log": "word " * (9000 if at == 3 else 1)} for at in range(20)],
}


@pytest.mark.parametrize("name", DEEP)
def test_what_is_long_inside_an_item_is_shortened_by_its_own_rules(name: str) -> None:
    source = repr(DEEP[name])
    done = ullage.cut(source, chars(3000), handle=lambda _: "r1")

    value = ast.literal_eval(done.text)
    assert 1800 < len(done.text) <= 3000
    assert sum(part.shortened for part in done.account.parts) == 1
    assert "shortened" in done.notice
    assert "r1" in done.notice
    if isinstance(value, list):
        assert len(value) == 21  # the notice, and each item
        assert value[1:4] == DEEP[name][:3]
    if "document" in name:
        inner = json.loads(value[4]["body"])
        assert inner["n"] == 3
        assert "of 900 records" in inner["_ullage"]
    assert ullage.cut(done.text, chars(3000)).text == done.text


def test_a_far_number_in_a_list_inside_an_item_stays() -> None:
    value: list[Any] = [{"id": 1, "ms": [at % 5 for at in range(4000)]}, {"id": 2, "ms": [3]}]
    value[0]["ms"][2222] = 99_999

    assert "99999" in ullage.cut(repr(value), chars(900)).text


def test_the_columns_of_a_row_are_never_left_out() -> None:
    value = [(at, "word " * 4000, at, [1] * 900) for at in range(4)]
    done = ullage.cut(repr(value), chars(3000))

    kept = ast.literal_eval(done.text)[1:]
    assert kept
    assert all(len(row) == 4 and row[0] == row[2] for row in kept)


@pytest.mark.parametrize("value", [[""], ["", 1], ("", "abc"), {"a": "", "b": "x"}, {"", "0"}])
def test_a_literal_with_an_empty_string_is_cut_at_every_budget(value: object) -> None:
    text = repr(value)
    for limit in range(1, len(text)):
        assert len(ullage.cut(text, ullage.chars(limit), format="repr").text) <= limit

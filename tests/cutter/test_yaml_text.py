"""Cutting YAML: whole items, members and documents, loadable with the same root."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import ullage
from ullage.cutter.blocks import cut_blocks
from ullage.cutter.budget import chars
from ullage.cutter.keep import Rule, read_rules
from ullage.cutter.values import Cut
from ullage.cutter.yaml_text import read

SHARES = st.floats(min_value=0, max_value=1)
TEXTS = st.text(max_size=12) | st.sampled_from(
    [
        "# no",
        "- x",
        "a: b",
        "line\n# two\n\n  three\n",
        "x" * 200,
        "é👩 ",
        "...",
        "---",
        "'\"",
        "&a *a",
    ]
)
SCALARS = st.none() | st.booleans() | st.integers() | TEXTS
NAMES = st.text("abcdef", min_size=1, max_size=6)
ITEMS = st.dictionaries(
    NAMES, SCALARS | st.lists(SCALARS, max_size=3) | st.dictionaries(NAMES, SCALARS, max_size=2),
    min_size=1, max_size=4,
)  # fmt: skip
LISTS = st.lists(ITEMS, min_size=2, max_size=25)
OBJECTS = st.dictionaries(NAMES, LISTS | ITEMS | SCALARS, min_size=1, max_size=6)
STYLES = st.fixed_dictionaries(
    {
        "default_flow_style": st.just(False),
        "sort_keys": st.just(False),
        "allow_unicode": st.booleans(),
        "explicit_start": st.booleans(),
        "explicit_end": st.booleans(),
        "default_style": st.sampled_from([None, "|", '"', "'"]),
        "width": st.sampled_from([20, 80]),
    }
)
NOT_YAML = {
    "JSON": '{"a": [1, 2], "b": {"c": 1}}',
    "prose": "Note: this is a sentence.\nIt goes on, and on.\nThen it ends.\n",
    "log of key and value": "INFO: started\nWARN: slow\nINFO: done\n",
    "log": "2026-01-01 10:00:00 INFO: up\n2026-01-01 10:00:01 INFO: down\n",
    "diff": "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a: 1\n+a: 2\n",
    "Markdown": "# Title\n\nText: here.\n\n- one\n- two\n\n## More\n\n- three\n",
    "bullets": "- buy milk\n- call Ann\n- write: later\n",
    "front matter": "---\ntitle: x\ntags:\n  - a\n---\n# Heading\n\nText of the page.\n",
    "accessibility tree": '[132] link "Home"\n[133] button "Go"\n',
    "headers": "Content-Type: text/html\nDate: Mon, 01 Jan 2026 10:00:00 GMT\nServer: x\n",
    "code": "def f(a):\n    return a\n\nclass B:\n    x = 1\n",
    "traceback": 'Traceback (most recent call last):\n  File "x.py", line 1, in y\nKeyError: 1\n',
    "CSV": "a,b\n1,2\n3,4\n",
    "NDJSON": '{"a": 1}\n{"a": 2}\n',
    "XML": "<a>\n  <b>x: 1</b>\n</a>\n",
    "an alias without an anchor": "- a: *b\n- c: 1\n",
    "duplicate keys": "a:\n  b: 1\na:\n  b: 2\n",
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


def is_within(part: Any, whole: Any) -> bool:
    """Whether one value is another with items, members and ends of texts left out."""
    if isinstance(whole, dict) and isinstance(part, dict):
        return all(key in whole and is_within(one, whole[key]) for key, one in part.items())
    if isinstance(whole, list) and isinstance(part, list):
        rest = iter(whole)
        return all(any(is_within(one, other) for other in rest) for one in part)
    shortened = isinstance(whole, str) and isinstance(part, str)
    return part is None or part == whole or shortened


@pytest.mark.parametrize("name", NOT_YAML)
def test_other_text_is_not_yaml(name: str) -> None:
    assert read(NOT_YAML[name]) is None


@settings(max_examples=80)
@given(value=LISTS | OBJECTS, style=STYLES, share=SHARES)
def test_what_is_left_loads_and_is_part_of_the_source(
    value: Any, style: dict[str, Any], share: float
) -> None:
    text = yaml.safe_dump(value, **style)
    assume(read(text) is not None and yaml.safe_load(text) == value)
    limit = limit_for(text, share)

    done = cut(text, limit)

    assert len(done.text) <= limit
    assert done.text.startswith(f"# {done.notice}\n")
    loaded = yaml.safe_load(done.text)
    assert type(loaded) is type(value)
    assert is_within(loaded, value)
    for part in done.account.parts:
        left_out = sum(last - first + 1 for first, last in part.left_out)
        assert part.produced == part.delivered + left_out


@settings(max_examples=40)
@given(values=st.lists(LISTS | OBJECTS, min_size=2, max_size=8), share=SHARES)
def test_of_several_documents_what_is_left_loads(values: list[Any], share: float) -> None:
    text = yaml.safe_dump_all(values, default_flow_style=False, sort_keys=False)
    assume(read(text) is not None)
    done = cut(text, limit_for(text, share))

    assert is_within(list(yaml.safe_load_all(done.text)), values)


@settings(max_examples=40)
@given(items=LISTS, style=STYLES, share=SHARES, again=SHARES)
def test_a_second_smaller_cut_keeps_one_notice_and_the_first_total(
    items: list[Any], style: dict[str, Any], share: float, again: float
) -> None:
    text = yaml.safe_dump(items, **style)
    assume(read(text) is not None)
    once = cut(text, limit_for(text, share)).text
    assume(read(once) is not None)
    twice = cut(once, max(80, round(len(once) * again)))

    assert twice.text.count("# Cut") <= 1
    assert f" of {len(items)} records" in twice.notice


@settings(max_examples=30)
@given(
    count=st.integers(5, 40),
    anchors=st.lists(st.tuples(st.integers(0, 39), st.integers(0, 39)), min_size=1, max_size=6),
    share=SHARES,
)
def test_an_alias_never_stays_without_its_anchor(
    count: int, anchors: list[tuple[int, int]], share: float
) -> None:
    items: list[dict[str, Any]] = [{"id": at, "links": []} for at in range(count)]
    for one, other in anchors:
        shared = {"of": one % count}
        items[one % count]["links"].append(shared)
        items[other % count]["links"].append(shared)
    for value in (items, {"all": items, "n": 1}, {f"k{at}": one for at, one in enumerate(items)}):
        text = yaml.safe_dump(value, default_flow_style=False, sort_keys=False)
        done = cut(text, limit_for(text, share))

        assert is_within(yaml.safe_load(done.text), value)


def test_each_list_of_a_mapping_has_a_share_and_scalars_stay() -> None:
    value = {
        "kind": "List",
        "early": [{"id": at} for at in range(90)],
        "late": [{"id": at} for at in range(90)],
        "total": 180,
    }
    done = cut(yaml.safe_dump(value, sort_keys=False), 500)

    loaded = yaml.safe_load(done.text)
    assert (loaded["kind"], loaded["total"]) == ("List", 180)
    assert len(loaded["early"]) > 10
    assert len(loaded["late"]) > 10


def test_a_rare_value_and_what_the_caller_wants_are_kept() -> None:
    rows = [{"id": at, "status": "Running", "restarts": at % 3} for at in range(90)]
    rows[17]["status"] = "CrashLoopBackOff"
    rows[23]["restarts"] = 570
    done = cut(yaml.safe_dump({"items": rows}, sort_keys=False), 500, keep=["id=41"])

    kept = [row["id"] for row in yaml.safe_load(done.text)["items"]]
    assert {17, 23, 41} <= set(kept)


def test_comments_stay_with_the_item_below_them() -> None:
    items = "".join(f"# about {at}\n- id: {at}\n  # inside {at}\n  n: 1\n" for at in range(40))
    done = cut(f"# head\n\n{items}", 300)

    kept = [row["id"] for row in yaml.safe_load(done.text)]
    assert done.text.split("\n")[1] == "# head"
    assert all(f"# about {at}\n- id: {at}\n  # inside {at}\n" in done.text for at in kept)
    assert done.text.count("# about") == len(kept)


def test_a_comment_sign_inside_a_quoted_scalar_is_no_comment() -> None:
    text = "".join(f'- "a: {at}\n# not a comment"\n- b: {at}\n- c: 1\n' for at in range(30))

    assert is_within(yaml.safe_load(cut(text, 300).text), yaml.safe_load(text))


def test_lines_of_a_block_scalar_can_be_left_out() -> None:
    text = "name: x\nlog: |\n" + "".join(f"  line {at}\n\n" for at in range(200)) + "end: y\n"
    done = cut(text, 300)

    loaded = yaml.safe_load(done.text)
    assert (loaded["name"], loaded["end"]) == ("x", "y")
    assert loaded["log"].startswith("line 0\n")
    assert "$.log" in done.notice


def test_a_list_of_which_nothing_was_left_stays_stated_in_a_second_cut() -> None:
    once = "# Cut: $.a 0 of 40 records; $.b 39 of 40 records.\na:\nb:\n" + "- id: 2\n" * 39

    assert "$.a 0 of 40 records" in cut(once, 300).notice


def test_an_emptied_root_is_read_again_with_its_notice() -> None:
    layout = read("# Cut: $.a 0 of 2 records.\n{}\n")

    assert layout is not None
    assert layout.insert(layout.before, "Cut.") == "# Cut.\n{}\n"
    assert [one.path for one in layout.blocks] == ["$.a"]


def test_below_its_floor_only_the_empty_root_stays_or_nothing() -> None:
    text = yaml.safe_dump([{"id": at} for at in range(40)])

    assert yaml.safe_load(cut(text, 30).text) == []
    assert cut(text, 2).text == "[]"
    assert cut(text, 1).text == ""


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x]\n" + "".join(f"b{at}: [{'*a, ' * 9}]\n" for at in range(9)),
        "a:\n  b: " + "[" * 10**5,
        "- " * 10**5 + "a\n",
        "".join(" " * at + "a:\n" for at in range(2000)),
        "a:\n  b: '" + "x" * 10**6,
        "a:\n  b: " + "x" * 10**6 + "\nc:\n  - d: 1\n",
        "? " * 10**5,
        "a:\n- b: 1\n" + "- b: 1\n" * 30_000,
        "a: \ud800\nb:\n  c: \x00\n",
    ],
    ids=["aliases", "flow", "dashes", "levels", "quote", "scalar", "keys", "items", "surrogate"],
)
def test_hostile_text_is_read_in_bounded_time(text: str) -> None:
    layout = read(text)

    assert layout is None or len(cut(text, 2000).text) <= 2000


def test_aliases_are_never_followed() -> None:
    bomb = "a0: &a0 [x]\n" + "".join(
        f"a{at}: &a{at} [{', '.join([f'*a{at - 1}'] * 9)}]\n" for at in range(1, 60)
    )
    layout = read(bomb + "list:\n" + "- id: 1\n" * 100)

    assert layout is not None
    assert [len(one.records) for one in layout.blocks]


LONG = {
    "words": "word " * 10_000,
    "lines": "".join(f"step {at} is done\n" for at in range(3000)),
    "a document": json.dumps({"rows": list(range(9000)), "total": 9000}),
    "base64": "A1b2C3d4" * 6000,
    "graphemes": "é👩‍👩‍👧\u2028\u0085\ufeff" * 5000,
    "surrogates and quotes": "\"'\\\t" * 9000,
}


@pytest.mark.parametrize("style", ["|", '"', "'", None])
@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("place", ["item", "member", "flow"])
def test_a_long_scalar_of_one_entry_is_shortened_and_the_others_stay(
    name: str, style: str | None, place: str
) -> None:
    items: Any = [{"id": at, "log": LONG[name] if at == 3 else "short"} for at in range(6)]
    if place == "member":
        items = {"first": {"x": 1}, "log": LONG[name], "last": "y"}
    flow = None if place == "flow" else False
    text = yaml.safe_dump(
        items, default_style=style, allow_unicode=True, sort_keys=False, default_flow_style=flow
    )
    done = cut(text, 2000)

    loaded = yaml.safe_load(done.text)
    log = str((loaded if place == "member" else loaded[3])["log"])
    assert len(done.text) > 700 or name == "base64"
    assert is_within(loaded, yaml.safe_load(text))
    if (place, style) == ("member", "|"):
        return  # its lines are records
    assert sum(part.shortened for part in done.account.parts) == 1
    assert "shortened" in done.notice
    if name == "a document":
        assert json.loads(log)["total"] == 9000
    elif name != "base64":
        assert log.endswith(f"of {len(LONG[name])} characters]")
    assert cut_of_all(done.text, 2000) == done.text


def cut_of_all(text: str, limit: int) -> str:
    return ullage.cut(text, chars(limit)).text


def test_a_scalar_with_an_anchor_a_tag_or_of_a_key_is_never_shortened() -> None:
    long = "word " * 300
    for text in (f"- &a {long}\n- *a\n", f"- !x {long}\n- b\n", f"- ? {long}\n  : 1\n- b: 2\n"):
        done = ullage.cut(text, chars(300), format="yaml")
        assert "word" not in done.text or done.account.format != "yaml"


@pytest.mark.parametrize("head", ["a:", "a: # why", '"a b: c":', "a:\n# why\n"])
def test_a_list_that_is_emptied_stays_a_list(head: str) -> None:
    body = "\n".join(f"- id: {at}\n  text: {'x' * 40}" for at in range(30))
    text = f"{head}\n{body}\nmany:\n" + "".join(f"  k{at}:\n    n: {at}\n" for at in range(40))
    assert yaml.safe_load(text)
    emptied = 0
    for limit in range(100, 400, 23):
        done = cut(text, limit)
        loaded = yaml.safe_load(done.text)
        assert len(done.text) <= limit
        for one in loaded.values():
            assert isinstance(one, list | dict)
            emptied += one in ([], {})
        assert cut_of_all(done.text, limit) == done.text
    assert emptied


def test_a_document_of_a_stream_that_is_emptied_stays_of_its_kind() -> None:
    first = yaml.safe_dump([{"id": at, "text": "x" * 40} for at in range(30)])
    second = yaml.safe_dump({"items": [{"id": at, "text": "y" * 40} for at in range(30)], "n": 1})
    text = f"---\n{first}---\n{second}"
    for limit in range(100, 700, 37):
        kinds = [type(one) for one in yaml.safe_load_all(cut(text, limit).text)]
        assert set(kinds) <= {list, dict}, (limit, kinds)


def pods(count: int) -> list[dict[str, Any]]:
    labels = [{f"label-{n}": f"value-{n}" for n in range(12)} for _ in range(count)]
    return [{"id": at, "kind": "Pod", "labels": one} for at, one in enumerate(labels)]


@pytest.mark.parametrize("limit", [600, 900, 1500])
def test_items_that_cannot_be_shortened_stay_whole_where_they_fit(limit: int) -> None:
    text = yaml.safe_dump({"items": pods(80), "kind": "List"})
    done = ullage.cut(text, chars(limit))
    kept = yaml.safe_load(done.text)["items"]
    assert limit - len(done.text) < len(text) / 80
    assert kept[0]["id"] == 0
    assert {len(one["labels"]) for one in kept} == {12}


def test_an_item_that_can_be_shortened_stays_beside_items_that_cannot() -> None:
    items = pods(80)
    items[40] = {"id": 40, "message": "word " * 200}
    done = ullage.cut(yaml.safe_dump({"items": items}), chars(1500))
    kept = {one["id"]: one for one in yaml.safe_load(done.text)["items"]}
    assert len(kept) > 2
    assert "characters]" in kept[40]["message"]

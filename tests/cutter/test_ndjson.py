"""Cutting NDJSON: whole lines, their bytes unchanged."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ullage.cutter.blocks import cut_blocks
from ullage.cutter.budget import chars
from ullage.cutter.keep import Rule, read_rules
from ullage.cutter.ndjson import read
from ullage.cutter.values import Cut

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
RECORDS = st.lists(
    st.dictionaries(st.text("abcde", min_size=1, max_size=5), VALUES, max_size=5)
    | st.lists(st.integers(), max_size=4),
    min_size=2,
    max_size=20,
)
SHARES = st.floats(min_value=0, max_value=1)
NOT_NDJSON = {
    "one JSON object": '{"a": 1}',
    "pretty JSON": '{\n  "a": [\n    1,\n    2\n  ]\n}',
    "prose": "First line.\nSecond, with a comma.\nThird.",
    "log": "2026-01-01 10:00:00 INFO started\n2026-01-01 10:00:01 INFO done\n",
    "diff": "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
    "Markdown": "# Title\n\n- one\n- two\n",
    "accessibility tree": '[132] link "Home"\n[133] button "Go"\n[134] text\n',
    "numbers": "1\n2\n3\n",
    "CSV": "a,b\n1,2\n3,4\n5,6\n",
    "a JSON line, then text": '{"a": 1}\nthen it stopped\n',
    "a damaged line between two": '{"a": 1}\n{"a": {"a": 2}\n{"a": 3}\n',
}


def cut(text: str, limit: int, keep: Sequence[Rule] = ()) -> Cut:
    layout = read(text)
    assert layout is not None
    return cut_blocks(layout, text, chars(limit), keep=read_rules(keep), inside=True)


def limit_for(text: str, share: float) -> int:
    """A budget between a notice of any wording and the size of a text."""
    floor = cut(text, 1).account.floor + 30
    assume(floor < len(text))
    return floor + round((len(text) - 1 - floor) * share)


@pytest.mark.parametrize("name", NOT_NDJSON)
def test_other_text_is_not_ndjson(name: str) -> None:
    assert read(NOT_NDJSON[name]) is None


@settings(max_examples=60)
@given(
    rows=RECORDS,
    share=SHARES,
    ending=st.sampled_from(["\n", "\r\n", "\n\n", " \n"]),
    ends=st.booleans(),
)
def test_kept_lines_keep_their_bytes_and_their_order(
    rows: list[Any], share: float, ending: str, ends: bool
) -> None:
    lines = [json.dumps(row, ensure_ascii=False) + ending.removesuffix("\n") for row in rows]
    text = "\n".join(lines) + ("\n" if ends else "")
    limit = limit_for(text, share)

    done = cut(text, limit)

    assert len(done.text) <= limit
    first, *kept = [line for line in done.text.split("\n") if line]
    assert json.loads(first) == {"_ullage": done.notice}
    (part,) = done.account.parts
    gone = {at for low, high in part.left_out for at in range(low, high + 1)}
    source = [one for one in text.split("\n") if one.strip()]
    assert part.produced == len(rows) == part.delivered + len(gone)
    assert len(kept) == part.delivered
    if not part.shortened:
        assert kept == [one for at, one in enumerate(source) if at not in gone]
    assert all(isinstance(json.loads(one), dict | list) for one in kept)


@settings(max_examples=40)
@given(rows=RECORDS, share=SHARES, again=SHARES)
def test_a_second_smaller_cut_keeps_one_notice_and_the_first_total(
    rows: list[Any], share: float, again: float
) -> None:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    once = cut(text, limit_for(text, share)).text
    layout = read(once)
    assume(layout is not None and len(once) > 80)
    twice = cut(once, max(60, round(len(once) * again)))

    assert twice.text.count("_ullage") <= 1
    assert f" of {len(rows)} records" in twice.notice


@settings(max_examples=40)
@given(rows=RECORDS, share=SHARES)
def test_below_its_floor_the_text_is_empty_and_says_so(rows: list[Any], share: float) -> None:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    floor = cut(text, 1).account.floor

    done = cut(text, max(1, round((floor - 1) * share)))

    assert (done.text, done.account.below_floor) == ("", True)


def test_what_stands_out_is_kept() -> None:
    rows = [{"id": at, "status": "paid", "amount": 10 + at % 7} for at in range(300)]
    rows[111]["status"] = "fraud"
    rows[222]["amount"] = 98_231
    text = "".join(json.dumps(row) + "\n" for row in rows)

    done = cut(text, 900)

    assert '"fraud"' in done.text
    assert "98231" in done.text


def test_what_the_caller_wants_is_kept() -> None:
    text = "".join(json.dumps({"id": at}) + "\n" for at in range(300))

    assert '{"id": 177}\n' in cut(text, 200, keep=["id=177"]).text


def test_an_outsized_line_is_shortened_and_stays_one_line_of_json() -> None:
    rows: list[Any] = [{"id": at, "log": "short"} for at in range(20)]
    rows[7]["log"] = "line\n" * 2000
    text = "".join(json.dumps(row) + "\r\n" for row in rows)

    done = cut(text, 1500)

    lines = [line for line in done.text.split("\n") if line]
    long = [json.loads(line) for line in lines if "of 10000 characters]" in line]
    assert [one["id"] for one in long] == [7]
    assert done.account.parts[0].shortened == 1
    assert all(line.endswith("\r") for line in lines[1:])


@pytest.mark.parametrize(
    "end", ['{"id": 5, "te', '{"id": 5, "n": 1', '{"idle"', "[1, tru", '{"a": "x\\']
)
def test_a_torn_last_line_is_left_out_and_said(end: str) -> None:
    text = "".join(json.dumps({"id": at}) + "\n" for at in range(50)) + end

    done = cut(text, 200)

    assert "last line torn" in done.notice
    assert end not in done.text
    assert done.account.parts[0].produced == 50
    assert [one.check for one in done.findings] == ["cut-upstream"]


def test_a_second_cut_still_says_that_the_last_line_was_torn() -> None:
    text = "".join(json.dumps({"id": at}) + "\n" for at in range(50)) + '{"id": 5'

    assert "last line torn" in cut(cut(text, 300).text, 200).notice


def test_hostile_lines_are_cut_within_the_budget() -> None:
    text = "\n".join(["[" * 10**5 + "]" * 10**5, '{"a": 1' + "0" * 10**6 + "}", '{"b": 2}', "[]"])

    done = cut(text, 500)

    assert len(done.text) <= 500
    assert done.account.parts[0].produced == 4

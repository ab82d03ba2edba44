"""Properties of the JSON cut: any value, any budget."""

import json
from typing import Any

from hypothesis import assume, example, given
from hypothesis import strategies as st
from tests.cutter.json_tokens import tokens

from ullage.cutter import path, spans
from ullage.cutter.budget import chars
from ullage.cutter.cut import cut

TEXTS = st.text(max_size=30) | st.sampled_from(
    [
        "",
        "x" * 400,
        "é" * 90,
        "👩‍👩‍👧" * 30,
        "🇩🇪" * 20,
        "a\u0301" * 60,
        '"\\\n\t' * 30,
        "\u2028" * 9,
    ]
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=-(10**40), max_value=10**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
)
KEYS = st.text(max_size=12) | st.sampled_from(["id", "a b", 'q"', "_ullage", "rows", "\u0000"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=12) | st.dictionaries(KEYS, inner, max_size=8),
    max_leaves=60,
)
RECORDS = st.lists(
    st.fixed_dictionaries({"id": st.integers(), "name": TEXTS}, optional={"cpu": st.floats(0, 1)}),
    max_size=60,
)
DOCUMENTS = (
    VALUES | RECORDS | st.fixed_dictionaries({"early": RECORDS, "late": RECORDS, "n": SCALARS})
)
# How the same value is written: compact, spaced, indented, escaped.
WRITERS = st.sampled_from(
    [
        {"separators": (",", ":"), "ensure_ascii": False},
        {},
        {"indent": 2, "ensure_ascii": False},
        {"ensure_ascii": True},
    ]
)
SHARES = st.floats(min_value=0, max_value=1)


def budget_between(low: int, high: int, share: float) -> int:
    return low + round((high - low) * share)


def our_notice(value: Any, root: str) -> bool:
    if root == "object":
        return next(iter(value), None) == "_ullage"
    return bool(value) and isinstance(value[0], dict) and list(value[0]) == ["_ullage"]


@given(value=DOCUMENTS, writer=WRITERS, share=SHARES)
@example(value={"rows": [1, 2, 3] * 200}, writer={}, share=0.1)
@example(value=[[[[["deep"] * 90]]]], writer={}, share=0.2)
def test_from_its_floor_on_a_cut_fits_parses_and_keeps_its_root(
    value: Any, writer: dict[str, Any], share: float
) -> None:
    text = json.dumps(value, **writer)
    floor = cut(text, chars(1)).account.floor
    assume(floor < len(text))
    limit = budget_between(max(floor, 1), len(text), share)

    done = cut(text, chars(limit))

    assert len(done.text) <= limit
    assert type(json.loads(done.text)) is type(value)
    assert not done.account.below_floor


@given(value=DOCUMENTS, writer=WRITERS, share=SHARES)
def test_below_its_floor_a_cut_is_the_empty_root_or_nothing(
    value: Any, writer: dict[str, Any], share: float
) -> None:
    text = json.dumps(value, **writer)
    floor = cut(text, chars(1)).account.floor
    limit = budget_between(1, floor - 1, share)
    assume(1 <= limit < min(floor, len(text)))

    done = cut(text, chars(limit))

    empty = {"object": "{}", "array": "[]", "string": '""'}.get(spans.kind(text), "")
    assert done.text == (empty if len(empty) <= limit else "")
    assert done.account.below_floor == (done.text == "")
    assert done.notice


@given(value=DOCUMENTS, writer=WRITERS)
def test_what_fits_is_returned_unchanged(value: Any, writer: dict[str, Any]) -> None:
    text = json.dumps(value, **writer)

    done = cut(text, chars(len(text)))

    assert (done.text, done.notice, done.complete) == (text, "", True)


@given(value=DOCUMENTS, writer=WRITERS, share=SHARES)
def test_every_part_adds_up(value: Any, writer: dict[str, Any], share: float) -> None:
    text = json.dumps(value, **writer)
    done = cut(text, chars(budget_between(1, len(text), share)))

    for part in done.account.parts:
        left_out = sum(last - first + 1 for first, last in part.left_out)
        if part.unit == "characters" and part.delivered == 0 and not part.left_out:
            continue  # a scalar of which nothing is left
        assert part.produced == part.delivered + left_out, part


@given(rows=RECORDS, share=SHARES, writer=WRITERS)
def test_a_kept_record_keeps_its_bytes_and_its_place(
    rows: list[dict[str, Any]], share: float, writer: dict[str, Any]
) -> None:
    text = json.dumps(rows, **writer)
    done = cut(text, chars(budget_between(1, len(text), share)))
    assume(not done.complete and done.account.parts)
    part = done.account.parts[0]
    assume(not part.shortened)

    kept = [one for one in spans.items(done.text or "[]") if '"_ullage"' not in one]
    source = spans.items(text)
    gone = {at for first, last in part.left_out for at in range(first, last + 1)}
    whole = [one for at, one in enumerate(source) if at not in gone]
    assert len(kept) == part.delivered == len(whole)
    for one, before in zip(kept, whole, strict=True):
        assert tokens(one) == tokens(before)


def test_an_indented_record_that_lost_white_space_only_is_not_shortened() -> None:
    rows = [{"id": n, "spec": {"image": f"app:{n}", "args": ["a", "b"]}} for n in range(40)]
    done = cut(json.dumps({"items": rows}, indent=8), chars(700))

    assert all(one in rows for one in json.loads(done.text)["items"])
    assert "shortened" not in done.notice
    assert [part.path for part in done.account.parts if not part.whole] == ["$.items"]


@given(value=DOCUMENTS, share=SHARES)
def test_a_cut_of_a_cut_with_the_same_budget_changes_nothing(value: Any, share: float) -> None:
    text = json.dumps(value)
    limit = budget_between(1, len(text), share)
    once = cut(text, chars(limit))

    assert cut(once.text, chars(limit)).text == once.text


@given(rows=st.lists(st.integers(0, 99), min_size=40, max_size=90), share=SHARES, again=SHARES)
def test_a_second_smaller_cut_keeps_one_notice_and_the_first_total(
    rows: list[int], share: float, again: float
) -> None:
    text = json.dumps({"rows": rows, "ok": True})
    once = cut(text, chars(budget_between(70, len(text) - 1, share)))
    twice = cut(once.text, chars(budget_between(60, len(once.text), again)))

    assert twice.text.count("_ullage") == 1
    assert f"of {len(rows)} records" in twice.text or "of 2 members" in twice.text


@given(
    rows=st.lists(st.text("ab", min_size=1, max_size=9), min_size=12, max_size=80),
    share=st.floats(min_value=0.3, max_value=1),
)
def test_no_record_left_out_would_still_fit(rows: list[str], share: float) -> None:
    text = json.dumps(rows, separators=(",", ":"))
    limit = budget_between(1, len(text) - 1, share)
    done = cut(text, chars(limit), notice="apart")
    (part,) = done.account.parts

    source = spans.items(text)
    gone = [source[at] for first, last in part.left_out for at in range(first, last + 1)]
    assert gone
    assert all(len(one) + 1 > limit - len(done.text) for one in gone)


@given(value=DOCUMENTS, share=SHARES)
def test_with_the_notice_apart_the_text_holds_no_word_of_ours(value: Any, share: float) -> None:
    text = json.dumps(value)
    assume("_ullage" not in text)
    done = cut(text, chars(budget_between(1, len(text), share)), notice="apart")

    assert "_ullage" not in done.text


@given(text=st.text(max_size=300), share=SHARES)
def test_any_text_is_cut_within_its_budget_without_an_error(text: str, share: float) -> None:
    limit = budget_between(1, max(len(text), 1), share)

    done = cut(text, chars(limit))

    assert len(done.text) <= limit


@given(key=KEYS)
def test_a_path_tells_whether_it_leads_through_a_list(key: str) -> None:
    quoted = json.dumps(key)
    assert not path.in_a_list(path.member("$", quoted))
    assert path.in_a_list(path.item(path.member("$", quoted), 3))


def test_a_string_of_which_nothing_is_left_is_no_delivered_one() -> None:
    done = cut(json.dumps([{"id": 0, "name": "🇩🇪" * 20, "cpu": 0.5}]), chars(110))

    assert "[0 of 40 characters]" in done.text
    (name,) = [part for part in done.account.parts if part.path == "$[0].name"]
    assert (name.delivered, name.produced) == (0, 40)
    assert "shortened" in done.notice

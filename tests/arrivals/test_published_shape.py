"""The published shape through every treatment that a harness gives it."""

import json
from typing import Any

import pytest

from ullage.arrivals.arrival import Arrival, arrival
from ullage.arrivals.label import label

Rows = dict[str, list[dict[str, Any]]]


def whole(one: Arrival) -> dict[str, int]:
    return {part.path: part.delivered for part in one.parts}


def test_a_prefix_of_6000_keeps_30_early_records_and_no_late_one(published_text: str) -> None:
    one = arrival(published_text, published_text[:6_000])

    assert [(part.path, part.delivered, part.produced) for part in one.parts] == [
        ("$.early_list", 30, 118),
        ("$.late_list", 0, 128),
    ]
    assert (one.form, one.valid, one.notice.grade) == ("broken", False, "none")
    assert one.rate == 30 / 246
    assert label(one) == "invalid-syntax"


def test_the_record_at_the_cut_arrived_in_part_with_the_fields_that_did(
    published_text: str,
) -> None:
    one = arrival(published_text, published_text[:6_000])

    assert one.records.partial == 1
    fields = {(field.path, field.field): field.delivered for field in one.fields}
    assert fields["$.early_list", "id"] == 31
    assert fields["$.early_list", "note"] == 30
    assert fields["$.late_list", "id"] == 0


def test_keys_reversed_a_prefix_keeps_only_late_records(
    published: Rows, published_text: str
) -> None:
    turned = json.dumps(dict(reversed(published.items())), separators=(",", ":"))

    one = arrival(published_text, turned[:6_000])

    assert whole(one) == {"$.early_list": 0, "$.late_list": 77}


def test_a_cut_in_the_middle_keeps_both_ends_and_its_mark_is_a_notice(
    published_text: str, middle_cut: str
) -> None:
    one = arrival(published_text, middle_cut)

    assert whole(one) == {"$.early_list": 50, "$.late_list": 128}
    assert one.valid is False
    assert one.notice.grade == "cut"
    assert (
        one.notice.text == "..._This content has been truncated to stay below 20000 characters_..."
    )


def test_a_mark_without_line_breaks_inside_a_string_is_found_as_well(published_text: str) -> None:
    cut = published_text[:10_000] + "…13370 chars truncated…" + published_text[-10_000:]

    one = arrival(published_text, cut)

    assert whole(one) == {"$.early_list": 50, "$.late_list": 128}
    assert one.notice.grade == "counts"


def test_wherever_the_middle_is_cut_the_records_of_both_ends_are_found(
    published_text: str,
) -> None:
    for at in range(9_700, 10_050, 13):
        cut = published_text[:at] + "[...]" + published_text[-at:]

        one = arrival(published_text, cut)

        early = published_text[:at].count('"},{"id":"e-')
        tail = published_text[-at:]
        # One more may end right at the cut. A mark inside a string leaves a text that still parses.
        assert early <= whole(one)["$.early_list"] - tail.count('{"id":"e-') <= early + 1
        assert whole(one)["$.late_list"] >= tail.count('{"id":"l-')
        assert one.valid is parses(cut)


def parses(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def test_wrapped_in_words_all_of_it_arrived(published_text: str) -> None:
    wrapped = f"Execution logs:\nnone\nLast output from code snippet:\n{published_text}\nDone."

    one = arrival(published_text, wrapped)

    assert (one.rate, one.form, one.valid, one.notice.grade) == (1, "json-in-text", True, "none")


def test_a_wrapped_cut_is_a_cut(published_text: str) -> None:
    one = arrival(published_text, "Observation:\n" + published_text[:6_000])

    assert whole(one) == {"$.early_list": 30, "$.late_list": 0}
    assert (one.valid, one.notice.grade, one.notice.text) == (False, "none", "")


@pytest.mark.parametrize(
    ("form", "valid", "rewrite"),
    [
        ("json", True, lambda value: json.dumps(value, indent=2)),
        ("json", True, lambda value: json.dumps(value, sort_keys=True)),
        ("python-repr", False, repr),
        ("double-encoded", True, lambda value: json.dumps(json.dumps(value))),
        ("double-encoded", True, lambda value: json.dumps(json.dumps(json.dumps(value)))),
        ("double-encoded", True, lambda value: json.dumps({"result": json.dumps(value)})),
        ("json", True, lambda value: json.dumps({"result": value, "ok": True})),
    ],
)
def test_in_another_spelling_every_record_arrived(
    published: Rows, published_text: str, form: str, valid: bool, rewrite: Any
) -> None:
    one = arrival(published_text, rewrite(published))

    assert (one.form, one.valid, one.rate, one.notice.grade) == (form, valid, 1, "none")


@pytest.mark.parametrize(
    ("rewrite", "early"),
    [
        (repr, 38),
        (lambda value: json.dumps({"result": json.dumps(value, separators=(",", ":"))}), 37),
        (lambda value: json.dumps(value), 38),
    ],
)
def test_a_cut_of_another_spelling_keeps_the_records_before_it(
    published: Rows, published_text: str, rewrite: Any, early: int
) -> None:
    one = arrival(published_text, rewrite(published)[:8_000])

    assert whole(one) == {"$.early_list": early, "$.late_list": 0}
    assert one.valid is False
    assert one.notice.grade == "none"


def test_a_cut_inside_an_envelope_is_invalid_though_the_envelope_parses(
    published_text: str,
) -> None:
    one = arrival(published_text, json.dumps({"output": published_text[:8_000]}))

    assert whole(one)["$.early_list"] == 40
    assert one.valid is False


def test_our_own_cut_is_valid_and_its_notice_is_no_record(
    published: Rows, published_text: str
) -> None:
    said = "early_list 15 of 118 records, late_list 38 of 128; the rest: ullage ledger get ab12cd"
    kept = {"early_list": published["early_list"][:15], "late_list": published["late_list"][-38:]}

    one = arrival(published_text, json.dumps({"_ullage": said} | kept))

    assert whole(one) == {"$.early_list": 15, "$.late_list": 38}
    assert (one.valid, one.notice.text) == (True, said)
    assert one.notice.grade == "way-back"
    assert label(one) == "ok"

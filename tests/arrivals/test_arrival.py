"""What counts as arrived: records, fields, keys, lines and rates."""

import json
from typing import Any

import pytest

from ullage.arrivals.arrival import Arrival, arrival
from ullage.arrivals.label import label
from ullage.arrivals.parts import parts_of


def compare(produced: Any, delivered: Any, **options: Any) -> Arrival:
    return arrival(json.dumps(produced), json.dumps(delivered), **options)


def counts(one: Arrival) -> dict[str, tuple[int, int, int]]:
    return {part.path: (part.produced, part.delivered, part.partial) for part in one.parts}


def fields(one: Arrival) -> dict[str, tuple[int, int]]:
    return {field.field: (field.produced, field.delivered) for field in one.fields}


def test_the_parts_are_the_outermost_lists_and_lists_in_records_are_none() -> None:
    value: Any = {"a": {"odd key": [{"x": [1, 2]}]}, "b": [3], "total": 4, 'q"uote': []}

    assert [(part.path, len(part.records)) for part in parts_of(value)] == [
        ('$.a["odd key"]', 1),
        ("$.b", 1),
        (r'$["q\"uote"]', 0),
    ]


@pytest.mark.parametrize(
    ("value", "path", "number"),
    [([1, 2], "$", 2), ({"a": {"b": 1}}, "$", 1), (7, "$", 1), ({}, "$", 0), (None, "$", 0)],
)
def test_a_value_without_lists_is_one_record(value: Any, path: str, number: int) -> None:
    (part,) = parts_of(value)

    assert (part.path, len(part.records)) == (path, number)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1", "1.0", True),
        ("1e3", "1000", True),
        ("1", "true", False),
        ("0", "false", False),
        ("0", "-0.0", True),
        ("NaN", "NaN", True),
        ("null", '""', False),
        ('"1"', "1", False),
        ("12345678901234567890", "12345678901234567000", False),
        ("0.1", "0.10", True),
        ('"\\u00e9"', '"é"', True),
    ],
)
def test_scalars_are_compared_by_value(one: str, other: str, same: bool) -> None:
    compared = arrival(f'[{{"v": {one}, "w": 1}}]', f'[{{"w": 1, "v": {other}}}]')

    assert (compared.records.delivered == 1) is same


def test_two_equal_records_need_two_deliveries() -> None:
    row = {"id": 1, "v": "x"}

    assert compare([row, row], [row]).records.delivered == 1
    assert compare([row], [row, row, row]).records.delivered == 1


def test_equal_records_of_two_parts_are_told_apart_by_path() -> None:
    row = {"id": 1, "v": "x"}

    assert counts(compare({"a": [row], "b": [row]}, {"a": [], "b": [row]})) == {
        "$.a": (1, 0, 0),
        "$.b": (1, 1, 0),
    }


def test_a_nested_list_of_a_delivered_record_is_no_delivery_of_a_part() -> None:
    value = {"tags": ["x", "y"], "rows": [{"id": 1, "tags": ["x", "y"]}]}

    one = compare(value, {"rows": value["rows"]})

    assert counts(one) == {"$.tags": (2, 0, 0), "$.rows": (1, 1, 0)}


def test_a_record_with_fields_added_is_whole_and_one_with_fields_dropped_is_partial() -> None:
    rows = [{"id": n, "name": f"n{n}", "cpu": n / 7} for n in range(4)]
    delivered = [rows[0] | {"rank": 1}, {"id": 1, "name": "n1"}, {"id": 2, "name": "other"}]

    one = compare({"rows": rows}, {"top": delivered})

    assert counts(one) == {"$.rows": (4, 1, 2)}
    assert fields(one) == {"id": (4, 3), "name": (4, 2), "cpu": (4, 1)}


def test_ids_of_two_parts_are_not_mixed_up() -> None:
    a = [{"id": 1, "v": "a"}]
    b = [{"id": 1, "v": "b"}]

    one = compare({"a": a, "b": b}, {"b": [{"id": 1}]})

    assert counts(one) == {"$.a": (1, 0, 0), "$.b": (1, 0, 1)}


def test_a_reference_inside_a_delivered_record_is_not_the_record() -> None:
    rows = [{"id": 1, "v": "a"}, {"id": 2, "v": "b", "parent": {"id": 1, "v": "?"}}]

    assert counts(compare(rows, rows[1:])) == {"$": (2, 1, 0)}


def test_an_identifying_leaf_may_stand_deeper() -> None:
    rows = [{"node": {"uid": f"u-{n}"}, "v": "same"} for n in range(3)]

    one = compare({"edges": rows}, {"edges": [{"node": {"uid": "u-1"}}]})

    assert counts(one) == {"$.edges": (3, 0, 1)}


def test_key_names_the_identifying_field() -> None:
    rows = [{"id": n, "sku": f"s{n}", "v": "x"} for n in range(3)]

    by_id = compare(rows, [{"sku": "s1", "v": "x"}])
    by_sku = compare(rows, [{"sku": "s1", "v": "x"}], key="sku")

    assert (by_id.records.partial, by_sku.records.partial) == (0, 1)


def test_scalars_of_a_torn_list_arrived_as_far_as_they_are_complete() -> None:
    value = json.dumps({"ids": [f"c-{n}" for n in range(50)]})

    assert arrival(value, value[:60] + "[...]" + value[-40:]).records.delivered == 11
    assert arrival("[1, 2, 31]", "[1, 2, 3").records.delivered == 2


@pytest.mark.parametrize(
    "delivered",
    [
        "| id | cpu |\n|---|---|\n| c-0001 | 12.25 |\n| c-0003 | 77.5 |",
        "id: c-0001\ncpu: 12.25\n---\nid: c-0003\ncpu: 77.5\n",
        "id=c-0001 cpu=12.25\nid=c-0003 cpu=77.5\n",
        '"id": "c-0001", "cpu": 12.25 [...] "id": "c-0003", "cpu": 77.5 }',
    ],
)
def test_records_told_in_another_format_arrived_in_part(delivered: str) -> None:
    rows = [{"id": f"c-{n:04}", "cpu": cpu} for n, cpu in enumerate([9.5, 12.25, 30.75, 77.5])]

    one = arrival(json.dumps(rows), delivered)

    assert counts(one) == {"$": (4, 0, 2)}
    assert fields(one) == {"id": (4, 2), "cpu": (4, 2)}


def test_a_value_inside_a_longer_word_did_not_arrive() -> None:
    rows = [{"id": "c-1", "v": 1}, {"id": "c-11", "v": 2}]

    assert arrival(json.dumps(rows), "only id c-11 was bad").records.partial == 1


def test_key_reports_what_is_missing_too_often_and_new() -> None:
    rows = {"a": [{"id": 1}, {"id": 2}, {"id": 2}], "b": [{"id": "x", "ref": {"id": 9}}]}
    delivered = {"a": [{"id": 1}, {"id": 1}, {"id": 2}], "b": [{"id": 7}]}

    report = compare(rows, delivered, key="id").keys

    assert report is not None
    assert report.to_dict() == {
        "key": "id",
        "found": True,
        "produced": 4,
        "delivered": 4,
        "missing": [{"value": 2, "times": 1}, {"value": "x", "times": 1}],
        "duplicated": [{"value": 1, "times": 1}],
        "unexpected": [{"value": 7, "times": 1}],
    }


def test_keys_are_found_in_torn_text_as_well(middle_cut: str, published_text: str) -> None:
    report = arrival(published_text, middle_cut, key="id").keys

    assert report is not None
    # 50 early ones whole, one torn, and the 128 late ones.
    assert (report.produced, report.delivered, len(report.missing)) == (246, 179, 67)
    assert report.unexpected == ()


def test_lines_of_other_text_are_a_multiset() -> None:
    text = "GET / 200\nGET / 200\nGET /x 404\n"

    one = arrival(text, "GET / 200\nGET /x 404\n")

    assert (one.records.produced, one.records.delivered) == (3, 2)
    assert one.rate == 2 / 3
    assert one.valid is None
    assert label(one) == "silent-cut"


def test_a_torn_line_arrived_in_part() -> None:
    text = "first line of the log\nsecond line of the log\nthird line of the log\n"

    one = arrival(text, text[:35])

    assert (one.records.delivered, one.records.partial) == (1, 1)


def test_lines_inside_an_envelope_arrived() -> None:
    text = "sku,qty\na,1\nb,2\n"

    one = arrival(text, json.dumps({"output": text}))

    assert (one.rate, label(one)) == (1, "ok")


def test_one_long_line_is_measured_by_characters() -> None:
    text = " ".join(f"word{n}" for n in range(200))

    one = arrival(text, text[: len(text) // 4])

    assert one.rate == pytest.approx(0.25, abs=0.01)


@pytest.mark.parametrize("text", ["[]", "{}", "null", '""', '{"rows": []}', "", "  \n"])
def test_where_nothing_was_produced_there_is_no_rate(text: str) -> None:
    one = arrival(text, text)

    assert one.rate is None
    assert label(one) == "nothing-produced"


@pytest.mark.parametrize("text", ["[]", '{"rows": []}', "null", "some text", '[{"id": 1}]', "7"])
def test_what_was_delivered_as_nothing_is_lost(text: str) -> None:
    one = arrival(text, " ")

    assert (one.rate, one.form, label(one)) == (0, "empty", "cut-to-empty")


@pytest.mark.parametrize("text", ["sku,qty\n", '{"rows": [], "error": "timeout after 30s"}'])
def test_no_records_but_words_are_something(text: str) -> None:
    assert arrival(text, text).rate == 1
    assert arrival(text, "Observation:\n" + text).rate == 1
    assert arrival(text, "-").rate == 0


@pytest.mark.parametrize(
    ("produced", "delivered", "word"),
    [
        ('[{"id": 1}, {"id": 2}]', '[{"id": 1}]', "silent-cut"),
        ('[{"id": 1}, {"id": 2}]', '[{"id": 1}, {"_ullage": "1 of 2 records"}]', "ok"),
        ('[{"id": 1}, {"id": 2}]', '[{"id": 1}, {"i', "invalid-syntax"),
        ('[{"id": 1}, {"id": 2}]', "[{'id': 1}, {'id': 2}]", "invalid-syntax"),
        ('[{"id": 1}, {"id": 2}]', '[{"id":2},{"id":1}]', "ok"),
        ("a\nb\nc", "a\n[2 lines left out]", "ok"),
    ],
)
def test_the_label_names_the_first_check_that_fails(
    produced: str, delivered: str, word: str
) -> None:
    assert label(arrival(produced, delivered)) == word


def test_the_document_has_its_members_in_order() -> None:
    document = compare([{"id": 1}], [], key="id", boundary="retain").to_dict()

    assert list(document) == [
        "boundary",
        "valid",
        "form",
        "notice",
        "records",
        "parts",
        "fields",
        "keys",
        "stopped",
        "rate",
    ]
    assert document["boundary"] == "retain"
    assert document["parts"] == [{"path": "$", "produced": 1, "delivered": 0, "partial": 0}]


@pytest.mark.parametrize(
    "delivered",
    [
        "[" * 200_000,
        '{"a":' * 6_000,
        '{"id":1,' * 25_000,
        "a:'" * 60_000,
        "x" * 200_000,
        '{"id": 1} ' * 20_000,
        '[[{"id": 1}], ' * 14_000,
        "\n" * 200_000,
        "id: 1 " * 30_000,
        "-" * 200_000,
        "-.+" * 60_000 + '{"id": 1',
    ],
    ids=lambda text: f"{text[:8]!r}-{len(text)}",
)
def test_a_hostile_delivered_text_is_judged_in_bounded_time(
    published_text: str, delivered: str
) -> None:
    arrival(published_text, delivered, key="id")
    arrival(delivered, published_text, key="id")


@pytest.mark.parametrize("marked", ["produced", "delivered", "both"])
def test_a_byte_order_mark_is_no_loss(marked: str) -> None:
    rows = json.dumps([{"id": number, "v": "x" * 9} for number in range(30)])

    one = arrival(
        "\ufeff" * (marked != "delivered") + rows, "\ufeff" * (marked != "produced") + rows
    )

    assert (one.records.produced, one.records.delivered, one.valid) == (30, 30, True)
    assert not one.lost


def test_every_character_is_found_where_lines_are_alike_and_the_middle_is_gone() -> None:
    """The beginnings of lines are alike: a short stretch of one is no part of another."""
    made = "\n".join(
        f"2026-03-02T06:{at // 60 % 60:02d}:{at % 60:02d}Z INFO queue: job {at * 7919 % 9973} "
        f"host=cache-{at * 31 % 97} took={at * 7919 % 99991} state=running {'abcdefgh'[at % 8] * 9}"
        for at in range(400)
    )
    delivered = f"output:\n\n{made[:5_000]}…cut…{made[-5_000:]}"

    assert arrival(made, delivered).chars == 10_000

"""The cut by its rules, one at a time."""

import json
from typing import Any

import pytest

import ullage
from ullage.cutter.budget import Budget, chars
from ullage.cutter.cut import cut


def rows(count: int, **extra: Any) -> list[dict[str, Any]]:
    return [
        {"id": number, "name": f"row {number}", "cpu": number % 5, **extra}
        for number in range(count)
    ]


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def two_lists() -> dict[str, Any]:
    return {"early": rows(100, pad="x" * 80), "late": rows(100), "total": 200}


def delivered(done: ullage.Cut) -> dict[str, tuple[int, int]]:
    return {part.path: (part.delivered, part.produced) for part in done.account.parts}


def test_every_list_keeps_a_share_and_scalars_beside_them_stay() -> None:
    done = cut(compact(two_lists()), chars(3000))
    value = json.loads(done.text)

    assert value["total"] == 200
    assert len(value["early"]) > 5
    assert len(value["late"]) > 15


def test_a_part_that_needs_less_gives_the_rest_away() -> None:
    done = cut(compact({"few": rows(3), "many": rows(300)}), chars(3000))
    value = json.loads(done.text)

    assert value["few"] == rows(3)
    assert len(done.text) > 2900


def test_the_notice_is_the_first_member_of_an_object() -> None:
    done = cut(compact(two_lists()), chars(3000))

    assert next(iter(json.loads(done.text))) == "_ullage"
    assert json.loads(done.text)["_ullage"] == done.notice


def test_the_notice_is_the_first_element_of_a_list() -> None:
    done = cut(compact(rows(200)), chars(2000))

    assert json.loads(done.text)[0] == {"_ullage": done.notice}


def test_the_notice_states_kept_of_total_for_each_part() -> None:
    done = cut(compact(two_lists()), chars(3000))

    for path, (kept, total) in delivered(done).items():
        assert f"{path} {kept} of {total} records" in done.notice


def test_first_and_last_record_are_kept() -> None:
    value = json.loads(cut(compact(rows(300)), chars(2000)).text)

    assert (value[1], value[-1]) == (rows(300)[0], rows(300)[-1])


def test_a_far_number_is_kept_wherever_it_stands() -> None:
    for place in (20, 77, 150, 279):
        data = rows(300)
        data[place]["cpu"] = 9_000
        assert data[place] in json.loads(cut(compact(data), chars(1500)).text)


def test_a_rare_value_is_kept_wherever_it_stands() -> None:
    data = [{"id": number, "status": "paid"} for number in range(300)]
    data[131]["status"] = "fraud"

    assert data[131] in json.loads(cut(compact(data), chars(1000)).text)


def test_a_record_of_another_shape_is_kept() -> None:
    data: list[Any] = [{"id": number} for number in range(300)]
    data[222] = {"id": 222, "error": "timeout"}

    assert data[222] in json.loads(cut(compact(data), chars(1000)).text)


def test_the_account_says_why_a_record_was_kept() -> None:
    data = rows(300)
    data[150]["cpu"] = 9_000
    (part,) = cut(compact(data), chars(1500)).account.parts

    assert (part.kept[0], part.kept[150], part.kept[299]) == ("first", "unusual cpu", "last")


def test_keep_by_equation_keeps_the_record() -> None:
    value = json.loads(cut(compact(rows(300)), chars(1000), keep=["id=137"]).text)

    assert rows(300)[137] in value


def test_keep_by_function_keeps_the_record() -> None:
    done = cut(compact(rows(300)), chars(1000), keep=[lambda row: row == rows(300)[42]])

    assert rows(300)[42] in json.loads(done.text)


def test_keep_by_path_keeps_a_whole_member() -> None:
    data = {"rows": rows(300), "summary": {"text": "s" * 900}}

    value = json.loads(cut(compact(data), chars(1500), keep=["$.summary"]).text)

    assert value["summary"] == data["summary"]


def test_keep_by_path_reaches_into_a_list() -> None:
    value = json.loads(cut(compact({"rows": rows(300)}), chars(900), keep=["$.rows[211]"]).text)

    assert rows(300)[211] in value["rows"]


def test_the_budget_wins_over_keep_and_the_loss_is_named() -> None:
    data = {"rows": rows(30), "summary": "s" * 900}

    done = cut(compact(data), chars(500), keep=["$.summary"])

    assert len(done.text) <= 500
    assert done.account.not_kept == ("$.summary",)
    assert "no room to keep $.summary" in done.notice


def test_a_long_string_is_cut_at_a_grapheme_with_its_length_stated() -> None:
    value = json.loads(cut(compact({"log": "👩‍👩‍👧" * 200, "code": 7}), chars(200)).text)

    kept, _, mark = value["log"].partition("… ")
    assert value["code"] == 7
    assert kept == "👩‍👩‍👧" * (len(kept) // 5)
    assert mark == f"[{len(kept)} of 1000 characters]"


def test_an_escape_is_never_split() -> None:
    text = json.dumps({"log": '\U0001f600\n\t"' * 300})

    for limit in range(60, 400):
        json.loads(cut(text, chars(limit)).text)


def test_an_outsized_record_is_shortened_and_the_others_stay_whole() -> None:
    data = [{"id": 1, "log": "x" * 9_000}, *rows(12)]

    value = json.loads(cut(compact(data), chars(2000)).text)

    assert [one["id"] for one in value[1:]] == [1, *range(12)]
    assert value[2:] == rows(12)


def test_a_root_string_keeps_its_notice_inside() -> None:
    done = cut(json.dumps("word " * 200), chars(100))

    assert json.loads(done.text).endswith("of 1000 characters]")
    assert len(done.text) <= 100


@pytest.mark.parametrize("text", ["1234567890", "true", "null"])
def test_a_scalar_that_does_not_fit_leaves_nothing_and_says_so(text: str) -> None:
    done = cut(text, chars(2))

    assert (done.text, done.account.below_floor, done.account.floor) == ("", True, len(text))


def test_a_second_cut_keeps_the_first_totals() -> None:
    once = cut(compact(two_lists()), chars(3000))
    twice = cut(once.text, chars(1200))

    assert twice.text.count("_ullage") == 1
    assert {total for _, total in delivered(twice).values()} == {100}


def test_a_second_cut_of_a_list_keeps_the_first_total() -> None:
    thrice = compact(rows(500))
    for limit in (3000, 1000, 300):
        thrice = cut(thrice, chars(limit)).text

    assert "of 500 records" in thrice


def test_white_space_between_records_is_cut_first_and_that_is_said() -> None:
    text = json.dumps({"rows": rows(4)}, indent=1).replace("\n", "\n\n\n\n\n\n\n\n")
    whole = json.dumps({"rows": rows(4)}, indent=1)

    done = cut(text, chars(len(text) - 10))

    assert json.loads(done.text)["rows"] == json.loads(whole)["rows"]
    assert "white space only" in done.notice
    assert not done.complete


def test_a_foreign_member_called_like_ours_is_data_and_the_notice_stays_apart() -> None:
    data = {"_ullage": "a barrel's empty part", "rows": rows(200)}

    done = cut(compact(data), chars(1000))

    assert done.text.count("_ullage") == 1
    assert json.loads(done.text)["_ullage"] == data["_ullage"]
    assert "of 200 records" in done.notice


def test_bytes_that_are_not_utf8_become_a_stated_placeholder() -> None:
    assert cut(b'{"a":"\xff\xfe"}', chars(100)).text == '{"a":"[2 bytes that are not UTF-8]"}'


def test_a_python_value_is_written_as_compact_json() -> None:
    assert cut({"a": [1, None, "é"]}, chars(100)).text == '{"a":[1,null,"é"]}'


def test_a_python_value_that_json_cannot_hold_is_wrong_usage() -> None:
    with pytest.raises(TypeError, match="a value that JSON can hold"):
        cut({"a": object()}, chars(100))


def test_text_is_cut_by_whole_lines() -> None:
    text = "\n".join(f"line {number}" for number in range(200))

    done = cut(text, chars(300))

    head, *kept = done.text.split("\n")
    assert head == f"[Cut: {len(kept)} of 200 lines]"
    assert set(kept) < set(text.split("\n"))


def test_one_long_line_is_cut_at_a_grapheme_with_its_length_stated() -> None:
    done = cut("🇩🇪" * 400, chars(101))

    flags = done.text.count("🇩🇪")
    assert flags > 5
    assert "of 800 characters" in done.text
    assert "🇩" not in done.text.replace("🇩🇪", "")


def test_what_is_not_json_is_cut_as_text_and_that_is_said() -> None:
    done = cut("{'a': 1}\n" * 90, chars(200), format="json")

    assert done.account.format == "text"
    assert done.account.fallback


@pytest.mark.parametrize(("policy", "kept"), [("prefix", "aaab"), ("middle", "aacc")])
def test_the_naive_policies_slice_by_position(policy: Any, kept: str) -> None:
    assert cut("aaabbbccc", chars(4), policy=policy).text == kept


@pytest.mark.parametrize("limit", [0, -1])
def test_a_budget_below_one_is_wrong_usage(limit: int) -> None:
    with pytest.raises(ValueError, match="1 or more"):
        chars(limit)


def test_a_budget_that_is_no_whole_number_is_wrong_usage() -> None:
    with pytest.raises(TypeError, match="whole number"):
        Budget(limit=True)


@pytest.mark.parametrize(
    "wrong", [{"format": "docx"}, {"policy": "smart"}, {"notice": "below"}, {"keep": ["id"]}]
)
def test_a_word_that_is_not_known_is_wrong_usage(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        cut("x" * 99, chars(9), **wrong)


@pytest.mark.parametrize(
    "text",
    [
        '{"a":' * 30_000 + "1" + "}" * 30_000,
        "[" * 100_000 + "]" * 100_000,
        "[" + ",".join(map(str, range(300_000))) + "]",
        "{" + ",".join(f'"k{number}":[{number}]' for number in range(100_000)) + "}",
        json.dumps("x" * 3_000_000),
        '["\\ud83d' + "\\ud83d" * 50_000 + '"]',
        "\x00" * 100_000,
    ],
    ids=["deep objects", "deep lists", "many records", "many keys", "long", "surrogates", "nul"],
)
def test_hostile_input_is_cut_in_bounded_time(text: str) -> None:
    done = cut(text, chars(1000))

    assert len(done.text) <= 1000


def test_the_strongest_standout_is_kept_even_where_little_fits() -> None:
    data = [{"id": 1000 + number, "status": "shipped"} for number in range(100)]
    data[61]["status"] = "refunded"

    done = cut(compact(data), chars(120), notice="apart")

    assert data[61] in json.loads(done.text)


def test_the_notice_says_by_which_rules_records_were_kept() -> None:
    done = cut(compact(rows(300)), chars(2000), keep=["id=42"])

    assert "Kept: what was asked for, first, last, an even sample." in done.notice


def test_a_rule_that_nothing_fits_is_named() -> None:
    data = {"rows": rows(300), "a": {"b": [1, {"c": 2}]}}

    done = cut(compact(data), chars(900), keep=["id=99999", "id=3", "$.none", "$.a.b[1].c"])

    assert done.account.not_found == ("$.none", "id=99999")


def test_what_fits_has_the_account_of_its_lists() -> None:
    done = cut(compact({"rows": rows(3), "more": {"few": [1, 2]}}), chars(900))

    assert done.account.format == "json"
    assert delivered(done) == {"$.rows": (3, 3), "$.more.few": (2, 2)}
    assert done.account.produced.records == 5


def test_a_count_in_the_data_that_no_longer_fits_is_said() -> None:
    data = {"row_count": 300, "page": 300_000, "rows": rows(300), "meta": {"total": 300}}

    done = cut(compact(data), chars(2000))

    assert "$.row_count counts all 300" in done.notice
    assert "page" not in done.notice
    assert json.loads(done.text)["row_count"] == 300


def test_the_way_back_is_named_and_the_whole_is_kept_once() -> None:
    kept: list[str] = []

    def handle(whole: str) -> str:
        kept.append(whole)
        return 'list_pods(part="late", start=38)'

    text = compact(two_lists())
    done = cut(text, chars(3000), handle=handle)

    assert kept == [text]
    assert 'get the rest with `list_pods(part="late", start=38)`' in done.notice
    assert ullage.arrival(text, done.text).notice.grade == "way-back"


def test_what_fits_needs_no_way_back() -> None:
    def handle(whole: str) -> str:
        raise AssertionError(whole)

    assert cut("[1]", chars(10), handle=handle).complete


def test_lines_name_the_way_back_too() -> None:
    text = "\n".join(f"line {number}" for number in range(200))

    done = cut(text, chars(400), handle=lambda whole: f"read_log({len(whole)})")

    assert f"get the rest with `read_log({len(text)})`" in done.text.split("\n")[0]


def test_nothing_of_a_result_stays_in_memory_once_it_is_cut() -> None:
    from ullage.cutter.shorten import look

    cut(json.dumps({"log": "some words " * 4_000}), chars(900))

    assert look.cache_info().currsize == 0


def test_a_key_that_stands_twice_keeps_both_lists() -> None:
    first, second = ([{name: number} for number in range(60)] for name in "xy")
    text = f'{{"a":{compact(first)},"a":{compact(second)}}}'

    done = cut(text, chars(500))

    assert '{"x":0}' in done.text
    assert '{"y":59}' in done.text
    assert {part.path for part in done.account.parts} == {"$.a", "$.a#2"}


def test_a_line_that_only_looks_like_a_notice_is_data() -> None:
    text = "[Cut scene: take 3 of 10 done]\n" + "\n".join(f"line {n}" for n in range(60))

    done = cut(text, chars(400))

    assert "[Cut scene: take 3 of 10 done]" in done.text
    assert "of 61 lines" in done.notice


def test_with_the_notice_apart_strings_that_are_documents_are_pure_too() -> None:
    done = cut(compact({"body": json.dumps(rows(200))}), chars(500), notice="apart")

    assert "_ullage" not in done.text


def test_a_part_that_must_stay_and_is_too_large_gets_what_room_there_is() -> None:
    data = {"rows": rows(300), "more": rows(300), "total": 600}
    done = cut(compact(data), chars(2000), keep=["$.rows"])
    value = json.loads(done.text)

    assert len(done.text) > 1900
    assert len(value["rows"]) > 30
    assert (len(value["more"]) < 3, value["total"]) == (True, 600)
    assert done.account.not_kept == ("$.rows",)


def test_parts_that_must_stay_come_in_the_order_of_their_rules() -> None:
    data = {"log": rows(300), "errors": rows(12), "more": rows(300), "rest": rows(90)}
    value = json.loads(cut(compact(data), chars(2000), keep=["$.errors", "$.more"]).text)

    assert value["errors"] == rows(12)
    assert len(value["more"]) > 20
    assert len(value["log"]) + len(value["rest"]) < 3


def test_a_record_that_must_stay_and_is_too_large_is_shortened() -> None:
    data = [{"id": at, "text": "word " * (900 if at == 7 else 1)} for at in range(90)]
    done = cut(compact(data), chars(1000), keep=["$[7]"])

    assert '"id":7,' in done.text
    assert done.account.not_kept == ("$[7]",)


def test_any_part_that_must_stay_never_makes_a_cut_worse_than_none() -> None:
    data = {"a": rows(40), "b": {"c": rows(40), "d": "x" * 500}, "e": "y" * 900, "n": 1}
    for limit in range(60, 2500, 83):
        for rule in ("$.a", "$.b", "$.b.c", "$.b.d", "$.e", "$.a[7]", "$.b.c[3].name"):
            done = cut(compact(data), chars(limit), keep=[rule])
            assert len(done.text) <= limit
            assert isinstance(json.loads(done.text), dict)


ORDERS = {"orders": [{"id": n, "total": n % 8} for n in range(100)], "more": "x" * 300}


@pytest.mark.parametrize("limit", range(85, 300, 5))
def test_beside_members_that_are_gone_a_list_that_was_cut_is_told(limit: int) -> None:
    done = cut(json.dumps(ORDERS), chars(limit))

    if json.loads(done.text).get("orders"):
        assert "of 100 records" in done.notice


@pytest.mark.parametrize("limit", range(90, 300, 10))
def test_a_second_cut_of_another_member_keeps_the_first_total_of_a_list(limit: int) -> None:
    once = cut(json.dumps(ORDERS), chars(limit))
    again = cut(once.text, chars(limit - 12))

    if json.loads(again.text).get("orders") and "members" not in again.notice:
        assert "of 100 records" in again.notice


def test_a_number_that_is_1_by_chance_counts_no_list_of_one() -> None:
    status = {"phase": "Running", "restarts": 1, "conditions": [{"type": "Ready", "ok": True}]}
    pod = {
        "labels": {f"label-{n}": f"value {n}" for n in range(9)},
        "status": status,
        "containers": [{"name": "main", "image": "registry" * 6}],
    }
    text = json.dumps({"pods": [{"id": n, **pod} for n in range(50)]})
    notices = [cut(text, chars(limit)).notice for limit in range(600, 1200, 10)]

    assert any("conditions 0 of 1 record" in one for one in notices)
    assert not any("counts all" in one for one in notices)

"""What must stay is found through strings that hold documents, and reported by its path."""

import json
from typing import Any

import pytest
from tests.cutter.test_layers import LAYERS

from ullage import Cut, chars, cut
from ullage.cutter.keep import read_rules

ROWS = [{"id": at, "name": f"row {at}", "cpu": at % 7} for at in range(300)]
BODY = {"rows": ROWS, "summary": {"text": "s" * 300}, "total": 300}
WRAPPED: dict[str, tuple[Any, str]] = {
    "a member": ({"body": json.dumps(BODY), "ok": True}, "$.body"),
    "an MCP envelope": (
        {"content": [{"type": "text", "text": json.dumps(BODY)}]},
        "$.content[0].text",
    ),
    "an odd key": ({"a b": {"c": json.dumps(BODY)}, "n": 1}, '$["a b"].c'),
    "two strings deep": ({"body": json.dumps({"in": json.dumps(BODY)})}, "$.body|$.in"),
    "a string of a string": ({"body": json.dumps(json.dumps(BODY))}, "$.body"),
}  # fmt: skip


def body_of(value: Any) -> Any:
    """The document inside whatever is around it."""
    while True:
        if isinstance(value, str):
            value = json.loads(value)
        elif "rows" in value or "summary" in value:
            return value
        else:
            value = next(one for key, one in value.items() if key != "_ullage")
            value = value[-1]["text"] if isinstance(value, list) else value


def cut_wrapped(name: str, limit: int, *rules: str) -> Cut:
    done = cut(json.dumps(WRAPPED[name][0]), chars(limit), keep=rules)
    assert len(done.text) <= limit
    return done


@pytest.mark.parametrize("name", WRAPPED)
def test_a_record_inside_a_string_is_kept_by_its_field(name: str) -> None:
    done = cut_wrapped(name, 1500, "id=137")

    assert ROWS[137] in body_of(json.loads(done.text))["rows"]
    assert (done.account.not_kept, done.account.not_found) == ((), ())


@pytest.mark.parametrize("name", WRAPPED)
def test_a_record_inside_a_string_is_kept_by_its_path(name: str) -> None:
    place = f"{WRAPPED[name][1]}|$.rows[137]"
    done = cut_wrapped(name, 1500, place)

    assert ROWS[137] in body_of(json.loads(done.text))["rows"]
    assert (done.account.not_kept, done.account.not_found) == ((), ())


@pytest.mark.parametrize("name", WRAPPED)
def test_a_member_inside_a_string_is_kept_whole_by_its_path(name: str) -> None:
    done = cut_wrapped(name, 1000, f"{WRAPPED[name][1]}|$.summary")

    assert body_of(json.loads(done.text))["summary"] == BODY["summary"]
    assert done.account.not_kept == ()


@pytest.mark.parametrize("name", WRAPPED)
def test_the_budget_wins_and_what_was_lost_inside_a_string_is_named(name: str) -> None:
    place = f"{WRAPPED[name][1]}|$.summary"
    done = cut_wrapped(name, 250, place)

    assert done.account.not_kept == (place,)


@pytest.mark.parametrize("name", WRAPPED)
def test_a_record_that_had_no_room_inside_a_string_is_named(name: str) -> None:
    rules = [f"id={at}" for at in range(100, 200)]
    done = cut_wrapped(name, 1500, *rules)

    kept = {row["id"] for row in body_of(json.loads(done.text))["rows"]}
    assert done.account.not_kept == tuple(f"id={at}" for at in range(100, 200) if at not in kept)
    assert 0 < len(done.account.not_kept) < 100


@pytest.mark.parametrize("name", WRAPPED)
def test_what_is_nowhere_inside_a_string_is_reported(name: str) -> None:
    places = (f"{WRAPPED[name][1]}|$.nothing", "$.rows|$.x")
    done = cut_wrapped(name, 1500, *places, "id=999")

    assert done.account.not_found == (*places, "id=999")


@pytest.mark.parametrize("name", LAYERS)
def test_rules_reach_through_a_wrapping_of_the_whole(name: str) -> None:
    wrap, unwrap = LAYERS[name]
    done = cut(wrap(json.dumps(BODY)), chars(1400), keep=["id=137", "$.summary", "$.nope"])

    value = json.loads(unwrap(done.text))
    assert ROWS[137] in value["rows"]
    assert value["summary"] == BODY["summary"]
    assert (done.account.not_kept, done.account.not_found) == ((), ("$.nope",))


def test_a_string_that_is_whole_is_looked_into_before_a_rule_is_called_unfound() -> None:
    data = {"body": json.dumps({"rows": ROWS[:3]}), "log": ["x" * 50] * 200}
    done = cut(json.dumps(data), chars(1000), keep=["id=2", "$.body|$.rows[1]"])

    assert (done.account.not_kept, done.account.not_found) == ((), ())


def test_of_many_rules_only_those_that_had_no_room_are_named() -> None:
    rows = [{"id": at, "pad": "x" * 20} for at in range(90)]
    for text in (json.dumps(rows), "".join(json.dumps(row) + "\n" for row in rows)):
        done = cut(text, chars(400), keep=[f"id={at}" for at in range(90)])
        kept = {f"id={at}" for at in range(90) if f'"id": {at},' in done.text}
        assert kept
        assert set(done.account.not_kept) == {f"id={at}" for at in range(90)} - kept


def test_a_list_that_is_left_out_whole_names_the_record_that_had_to_stay() -> None:
    data = {f"list {at}": [{"id": at * 100 + n} for n in range(50)] for at in range(60)}
    done = cut(json.dumps(data), chars(200), keep=["id=4711"])

    assert "4711" in done.text or done.account.not_kept == ("id=4711",)


@pytest.mark.parametrize("rule", ["$.a|$.b[3]", '$["x y"]|$|$[0]', "$|$.a"])
def test_a_path_through_a_string_is_read(rule: str) -> None:
    assert read_rules([rule]).paths == (rule,)


def test_a_path_that_goes_through_nothing_is_wrong_usage() -> None:
    with pytest.raises(ValueError, match="cannot read it from character 4"):
        read_rules(["$.a|b"])

"""Fields that arrive in few calls or in none, against where they stand."""

import json
import random
from typing import Any

from tests.checks.by_hand import asked, gathered, given, session

from ullage.checks.field_arrival import Fields
from ullage.checks.session import Session
from ullage.transcript.finding import Finding


def payload(draw: random.Random, early: int, late: int) -> str:
    def rows(number: int, name: str) -> list[dict[str, Any]]:
        return [
            {"pid": draw.randrange(10**6), name: f"{name} {draw.random()}"} for _ in range(number)
        ]

    return json.dumps({"early_list": rows(early, "begun"), "late_list": rows(late, "resident")})


def sliced(calls: int, size: int, *, late: int = 40, tool: str = "trace") -> Session:
    draw = random.Random(f"{calls} {size}")
    entries = []
    for number in range(calls):
        text = payload(draw, 20, late)
        entries += [asked(f"c{number}", tool), given(f"c{number}", text[:size], text)]
    return session(entries)


def without_late(calls: int) -> Session:
    """Calls that are cut right behind the name of the late list."""
    draw = random.Random(calls)
    entries = []
    for number in range(calls):
        text = payload(draw, 20, 40)
        kept = text[: text.index("late_list") + 12]
        entries += [asked(f"c{number}", "trace"), given(f"c{number}", kept, text)]
    return session(entries)


def named(found: list[Finding], check: str) -> Finding:
    (one,) = [each for each in found if each.check == check]
    return one


def test_a_slice_that_keeps_early_fields_and_loses_late_ones_is_an_asymmetry() -> None:
    found = gathered(Fields(), sliced(12, 1500))

    one = named(found, "field-asymmetry")
    lowest, highest = one.evidence["lowest"], one.evidence["highest"]
    assert isinstance(lowest, dict)
    assert isinstance(highest, dict)
    assert (lowest["arrived"], lowest["calls"], highest["arrived"]) == (0, 12, 12)
    assert lowest["stands_at"] > highest["stands_at"]
    assert lowest["interval"][1] < highest["interval"][0]
    positions = one.evidence["arrival_by_position"]
    assert isinstance(positions, list)
    assert positions[0] == 1.0
    assert one.boundary == "budget"


def test_fields_that_arrive_in_no_call_are_named_by_their_part() -> None:
    one = named(gathered(Fields(), without_late(12)), "field-never-arrives")

    assert one.evidence["fields"] == ["pid", "resident"]
    assert one.evidence["part"] == "$.late_list"
    assert (one.call_id, one.tool) == ("c0", "trace")


def test_the_ratio_is_stated_where_the_lowest_field_arrives_sometimes() -> None:
    one = named(gathered(Fields(), sliced(40, 1500), sliced(4, 100_000)), "field-asymmetry")

    assert one.evidence["ratio"] == 11.0
    assert one.evidence["calls"] == 44


def test_calls_that_arrive_whole_say_nothing() -> None:
    assert gathered(Fields(), sliced(30, 100_000)) == []


def test_too_few_calls_say_nothing() -> None:
    assert gathered(Fields(), sliced(4, 1500)) == []


def test_a_cut_that_hits_all_fields_alike_is_no_asymmetry() -> None:
    entries = []
    for number in range(12):
        rows = [{"id": number * 100 + one, "n": one * 7919} for one in range(40)]
        text = json.dumps(rows)
        entries += [asked(f"c{number}"), given(f"c{number}", json.dumps(rows[:20]), text)]

    assert gathered(Fields(), session(entries)) == []


def test_tools_are_judged_apart() -> None:
    found = gathered(Fields(), sliced(12, 1500), sliced(30, 100_000, tool="other"))

    assert {one.tool for one in found} == {"trace"}

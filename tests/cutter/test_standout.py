"""Which records of a list are unlike the others."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.cutter.standout import standouts

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)


def found(records: list[Any]) -> list[int]:
    return [one.record for one in standouts(records)]


def pods(count: int) -> list[dict[str, Any]]:
    rng = random.Random(count)
    return [
        {"name": f"pod-{n}", "phase": "Running", "cpu": round(rng.uniform(1, 3), 2), "ready": True}
        for n in range(count)
    ]


@pytest.mark.parametrize(
    ("field", "value"),
    [("cpu", 97.5), ("cpu", -40.0), ("phase", "Failed"), ("ready", False), ("phase", None)],
)
@pytest.mark.parametrize("count", [12, 40, 400, 4_000])
def test_one_odd_value_stands_out_at_any_size(field: str, value: Any, count: int) -> None:
    records = pods(count)
    records[count // 3][field] = value

    assert found(records)[:1] == [count // 3]


def test_a_far_number_stands_out_of_a_column_of_zeros() -> None:
    records = [{"cpu": 0.0, "n": n} for n in range(40)]
    records[5]["cpu"], records[9]["cpu"], records[31]["cpu"] = 0.1, 0.3, 97.0

    assert found(records)[0] == 31


def test_a_rare_field_stands_out() -> None:
    records: list[dict[str, Any]] = list(pods(50))
    records[17] = {**records[17], "error": "timeout"}

    assert found(records) == [17]


def test_a_number_inside_a_nested_object_stands_out() -> None:
    records = [{"id": n, "use": {"cpu": n % 3}} for n in range(60)]
    records[44]["use"] = {"cpu": 900}

    assert found(records) == [44]


def test_names_counters_and_evenly_spread_numbers_do_not_stand_out() -> None:
    assert found([{"id": n, "name": f"row {n}", "share": n / 100} for n in range(200)]) == []


def test_two_equally_common_values_are_both_usual() -> None:
    assert found([{"side": "left" if n % 2 else "right"} for n in range(100)]) == []


def test_few_records_have_no_usual() -> None:
    assert found([{"v": 1}] * 6 + [{"v": 900}]) == []


def test_a_whole_number_beyond_floats_and_infinities_are_taken() -> None:
    records: list[Any] = [{"v": n % 3} for n in range(30)]
    records[4]["v"], records[8]["v"], records[12]["v"] = 10**400, float("inf"), float("nan")

    assert {4, 8} <= set(found(records))


@given(records=st.lists(JSON, max_size=30))
def test_any_records_are_judged_without_an_error(records: list[Any]) -> None:
    places = found(records)

    assert len(places) == len(set(places))
    assert all(0 <= place < len(records) for place in places)


def test_a_negative_number_among_positive_ones_stands_out_however_near_it_is() -> None:
    records = [{"amount": 5.0 + (n * 37) % 245} for n in range(500)]
    records[478]["amount"] = -1.0

    assert found(records) == [478]


def test_numbers_on_both_sides_of_zero_are_usual() -> None:
    assert found([{"change": (n * 37) % 41 - 20} for n in range(200)]) == []

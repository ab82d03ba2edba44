"""Arrival over many calls."""

import json

from ullage.arrivals.arrival import arrival
from ullage.arrivals.rates import call_rates


def test_a_part_is_counted_by_call_and_by_record() -> None:
    rows = [{"id": n, "v": "x"} for n in range(4)]
    produced = json.dumps({"a": rows, "b": rows[:1]})
    delivered = [
        produced,
        json.dumps({"a": rows[:2], "b": []}),
        json.dumps({"a": [], "b": []}),
    ]

    rates = call_rates(arrival(produced, text) for text in delivered)

    a, b = rates.parts
    assert (a.path, a.calls, a.whole, a.in_part, a.absent) == ("$.a", 3, 1, 1, 1)
    assert (a.produced, a.delivered, a.by_call, a.by_record) == (12, 6, 1 / 3, 1 / 2)
    assert (b.calls, b.whole, b.absent, b.by_record) == (3, 1, 2, 1 / 3)
    fields = {(one.path, one.field): (one.produced, one.delivered) for one in rates.fields}
    assert fields["$.a", "v"] == (12, 6)


def test_a_call_that_produced_nothing_of_a_part_says_nothing_about_it() -> None:
    rates = call_rates([arrival('{"a": []}', '{"a": []}')])

    (part,) = rates.parts
    assert (part.calls, part.by_call, part.by_record) == (0, None, None)


def test_no_calls_give_no_rates() -> None:
    assert call_rates([]).parts == ()

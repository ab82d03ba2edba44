"""Rules that hold for any value and any text."""

import json
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ullage.arrivals.arrival import arrival
from ullage.arrivals.join import sightings
from ullage.arrivals.label import label
from ullage.arrivals.read import read

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=20)
)
JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5)
    ),
    max_leaves=20,
)
RECORDS = st.lists(
    st.fixed_dictionaries({"n": st.integers(0, 5), "t": st.text(max_size=5)}), max_size=12
)
# Texts that look like what a cut leaves: brackets, quotes, escapes and words.
TORN = st.text(alphabet=list("{}[]()\"',:\\ \n…0123abtn.-_"), max_size=80)


def is_nothing(value: Any) -> bool:
    """Whether a value holds neither a record nor a scalar."""
    if isinstance(value, dict):
        return all(is_nothing(inner) and inner is not None for inner in value.values())
    return value in (None, [], "") and value is not False and value != 0


@given(JSON)
def test_what_is_delivered_unchanged_arrived_whole(value: Any) -> None:
    text = json.dumps(value)

    one = arrival(text, text)

    assert one.records.delivered == one.records.produced
    assert all(part.delivered == part.produced for part in one.parts)
    assert all(field.delivered == field.produced for field in one.fields)
    assert one.valid is True
    assert one.notice.grade == "none"
    assert one.rate in (1, None)
    assert label(one) in ("ok", "nothing-produced")


@given(JSON, st.sampled_from([0, 2]))
def test_spacing_and_order_of_keys_lose_nothing(value: Any, indent: int) -> None:
    one = arrival(json.dumps(value), json.dumps(value, indent=indent, sort_keys=True))

    assert one.records.delivered == one.records.produced
    assert one.valid is True
    assert one.rate in (1, None)


@given(JSON.filter(lambda value: isinstance(value, dict | list)))
def test_a_python_literal_loses_no_record(value: Any) -> None:
    one = arrival(json.dumps(value), repr(value))

    assert one.records.delivered == one.records.produced


@given(RECORDS, st.data())
def test_dropping_records_delivers_the_others(rows: list[dict[str, Any]], data: Any) -> None:
    dropped = data.draw(st.sets(st.integers(0, len(rows) - 1)) if rows else st.just(set()))
    kept = [row for number, row in enumerate(rows) if number not in dropped]

    one = arrival(json.dumps({"rows": rows}), json.dumps({"rows": kept}))

    assert one.records.delivered == len(kept)
    assert one.valid is True


@given(RECORDS, RECORDS)
def test_a_duplicate_never_hides_a_loss(
    produced: list[dict[str, Any]], delivered: list[dict[str, Any]]
) -> None:
    one = arrival(json.dumps(produced), json.dumps(delivered))

    wanted = Counter(json.dumps(row, sort_keys=True) for row in produced)
    there = Counter(json.dumps(row, sort_keys=True) for row in delivered)
    assert one.records.delivered == (wanted & there).total()


@given(RECORDS, st.integers(0, 400))
def test_a_prefix_delivers_exactly_the_records_that_end_in_it(
    rows: list[dict[str, Any]], limit: int
) -> None:
    text = json.dumps({"rows": rows})
    ends = [len(json.dumps({"rows": rows[: n + 1]})) - 2 for n in range(len(rows))]

    one = arrival(text, text[:limit])

    assert one.records.delivered == sum(end <= limit for end in ends)


@given(st.text(max_size=60) | TORN, st.text(max_size=60) | TORN)
@settings(max_examples=300)
def test_no_pair_of_texts_raises(produced: str, delivered: str) -> None:
    one = arrival(produced, delivered, key="id")

    assert one.rate is None or 0 <= one.rate <= 1
    assert one.records.delivered + one.records.partial <= one.records.produced
    assert json.dumps(one.to_dict())
    assert label(one)


@given(st.lists(TORN, max_size=5), st.lists(TORN, max_size=5))
def test_a_sighting_lies_inside_its_message_and_no_stretch_is_given_twice(
    produced: list[str], texts: list[str]
) -> None:
    found = [one for one in sightings(produced, texts) if one is not None]

    taken: set[tuple[int, int]] = set()
    for one in found:
        assert 0 <= one.start < one.end <= len(texts[one.index])
        stretch = {(one.index, at) for at in range(one.start, one.end)}
        assert not taken & stretch
        taken |= stretch


@given(TORN)
@settings(max_examples=300)
def test_pieces_stand_in_the_order_of_the_text(text: str) -> None:
    reading = read(text)

    position = 0
    for piece in reading.pieces:
        assert position <= piece.start <= piece.end
        position = piece.end

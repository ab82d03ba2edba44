"""Values are the same where they are written alike, however the quick way writes them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.arrivals.values import Json, canonical, decode, identity

NUMBERS = (
    st.integers()
    | st.floats()
    | st.sampled_from([0, -0.0, 1, 1.0, True, 2**64, 1e22, 1e-7, float("nan"), float("inf")])
)
TEXTS = st.text() | st.sampled_from(["null", "\ud800", "\x7f", "é", "1", ""])
VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


def as_read(value: Json) -> Json:
    """Return a value as it is read from a text: the only values that are ever compared."""
    return decode(json.dumps(value))


@given(VALUES, VALUES)
def test_two_values_have_one_identity_exactly_where_they_are_written_alike(
    one: Json, other: Json
) -> None:
    """Written alike is the rule, the identity a quicker way to ask."""
    one, other = as_read(one), as_read(other)
    assert (identity(one) == identity(other)) == (canonical(one) == canonical(other))


@given(VALUES)
def test_a_value_has_the_identity_of_its_copy_with_the_keys_in_another_order(value: Json) -> None:
    """The order of keys does not count."""
    one = as_read(value)
    assert identity(turned(one)) == identity(one)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1.0", "1", True),
        ("1e2", "100", True),
        ("NaN", "NaN", True),
        ("NaN", "null", False),
        ("Infinity", "-Infinity", False),
        ("true", "1", False),
        ('"1"', "1", False),
        ('"null"', "null", False),
        ('{"a": 1, "b": null}', '{"b": null, "a": 1.0}', True),
    ],
)
def test_values_that_are_spelled_in_two_ways_are_told_apart_by_value(
    one: str, other: str, *, same: bool
) -> None:
    """By value, not by spelling."""
    assert (identity(decode(one)) == identity(decode(other))) is same


def turned(value: Json) -> Json:
    """Return a value with the keys of each object in the opposite order."""
    if isinstance(value, dict):
        return {key: turned(inner) for key, inner in reversed(value.items())}
    return [turned(inner) for inner in value] if isinstance(value, list) else value

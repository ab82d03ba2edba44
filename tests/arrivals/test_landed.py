"""What landed is what arrival() says, with the state of every record by its place."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ullage import arrival, chars, cut
from ullage.arrivals.landed import Landed, landed, made

ROWS = [{"id": n, "name": f"row {n}", "tag": "x" * (n % 7)} for n in range(60)]
ESCAPE = "\x1b[31m"


def same(produced: str, delivered: str) -> Landed:
    """Assert that both say the same of two texts."""
    found, wanted = landed(made(produced), delivered), arrival(produced, delivered)
    assert found.valid == wanted.valid
    counts = [sum(getattr(one, name) for one in found.parts) for name in NAMES]
    assert counts == [getattr(wanted.records, name) for name in NAMES]
    if not found.by_lines:
        parts = [(one.path, one.produced, one.delivered, one.partial) for one in found.parts]
        assert parts == [
            (one.path, one.produced, one.delivered, one.partial) for one in wanted.parts
        ]
        assert tuple(field for one in found.parts for field in one.fields) == wanted.fields
    return found


NAMES = ("produced", "delivered", "partial")


@pytest.mark.parametrize(
    ("produced", "delivered"),
    [
        (f"{ESCAPE}first line\x1b[0m\nsecond line", "first line\nsecond line"),
        ("one line\nanother line\na third", "1\tone line\n2\tanother line\n3\ta third"),
        ("a whole line here\nand one that is torn", "a whole line here\nand one th"),
        (json.dumps("first line\nsecond line"), "first line"),
        ("first line\nsecond line", "he said: first line\nsecond line indeed"),
        ("same\nsame", json.dumps({"a": "same\nother", "b": "same"})),
        ("", "something"),
        ("[]", "[]"),
        ("5", "5"),
        ("[1]", "[1]"),
        (json.dumps(ROWS), json.dumps(ROWS)),
    ],
)
def test_texts_that_a_quicker_way_could_take_for_others(produced: str, delivered: str) -> None:
    same(produced, delivered)


def test_every_record_has_its_state_at_its_place() -> None:
    produced = json.dumps(ROWS, separators=(",", ":"))
    at = produced.index(',"name":"row 20"')

    (part,) = same(produced, produced[: at + 5]).parts

    assert part.states == bytes([2] * 20 + [1] + [0] * 39)


def test_records_are_those_of_the_part_or_the_lines() -> None:
    assert made(json.dumps({"rows": ROWS})).records(0) == tuple(ROWS)
    assert made("one\n\ntwo").records(0) == ["one", "two"]


LEAVES = st.none() | st.booleans() | st.integers(-9, 99_999) | st.text("ab é\n", max_size=6)
RECORDS = st.dictionaries(st.sampled_from(["id", "pid", "name", "x"]), LEAVES, max_size=3)
LISTS = st.lists(RECORDS | LEAVES, max_size=8)
VALUES = LISTS | st.dictionaries(st.sampled_from(["a", "b", "c"]), LISTS | LEAVES, max_size=3)
TEXTS = VALUES.map(json.dumps) | st.lists(st.text("abc de", max_size=12), max_size=8).map("\n".join)

WAYS: list[Callable[[str, int], str]] = [
    lambda text, n: text[:n],
    lambda text, n: text[: n // 2] + text[max(n // 2, len(text) - n // 2) :],
    lambda text, n: f"{text[:n]}\n[truncated: {len(text)} characters]",
    lambda text, n: cut(text, chars(max(n, 1))).text,
    lambda text, n: "\n".join(text.split("\n")[: n % 7]),
    lambda text, n: json.dumps(text[:n]),
    lambda text, n: json.dumps({"result": text}),
    lambda text, _: "\n".join(f"{n}\t{line}" for n, line in enumerate(text.split("\n"), 1)),
    lambda text, _: f"{ESCAPE}{text}\x1b[0m",
    lambda text, _: text,
]


@settings(max_examples=150, deadline=None)
@given(produced=TEXTS, way=st.sampled_from(WAYS), n=st.integers(0, 200))
def test_whatever_is_delivered_it_is_what_arrival_says(
    produced: str, way: Callable[[str, int], str], n: int
) -> None:
    same(produced, way(produced, n))

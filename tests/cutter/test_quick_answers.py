"""What is told without a look at each value is what a look at each would tell."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ullage.cutter import spans
from ullage.cutter.choose import FEW, halving
from ullage.cutter.columns import columns
from ullage.cutter.encoded import ENCODED, may_hold_a_run
from ullage.cutter.events import Event, Reader, split, starts_event
from ullage.cutter.keep import Keep
from ullage.cutter.notice import Prior
from ullage.cutter.signals import TELLING, hints_of, signal
from ullage.cutter.standout import FAR, MAD_TO_SIGMA, has_nothing_far, median, standouts
from ullage.cutter.tree import Fitter
from ullage.cutter.upstream import MARK, WORDS, may_hold_marks
from ullage.cutter.whole import is_usual, lists

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["a", "b", "é", '"', "\\"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=6,
)
NUMBERS = st.one_of(st.integers(-20, 20), st.floats(-1e3, 1e3), st.integers(), st.just(1e300))


@st.composite
def like_records(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Records of which most have the same fields, of the same kinds."""
    first = draw(st.dictionaries(st.sampled_from(["a", "b", "c d", 'e"', "f"]), VALUES, max_size=4))
    others = st.one_of(
        st.fixed_dictionaries({key: st.one_of(st.just(one), VALUES) for key, one in first.items()}),
        st.just(first),
    )
    return [first, *draw(st.lists(others, min_size=8, max_size=30))]


@given(records=like_records(), part=st.integers(20, 400))
def test_columns_stand_out_as_decoded_records_do(records: list[Any], part: int) -> None:
    text = json.dumps(records)

    found = columns(text, spans.items(text), part=part)

    if found is not None:
        assert standouts(found) == standouts(json.loads(text))


def test_like_records_are_read_as_columns_whatever_their_fields_are_called() -> None:
    rows = [{"a b": n, "class": {"é": n % 2}, "list": [n] * n, "same": None} for n in range(9)]
    text = json.dumps(rows)

    found = columns(text, spans.items(text))

    assert found is not None
    assert set(found.fields) == {"a b", "class", "same"}


def test_a_record_with_another_field_makes_no_columns() -> None:
    text = json.dumps([{"a": 1}] * 9 + [{"a": 1, "b": 2}])
    assert columns(text, spans.items(text)) is None


@given(column=st.lists(NUMBERS, min_size=8, max_size=60))
def test_a_column_without_far_numbers_has_none(column: list[float]) -> None:
    if has_nothing_far(column):
        middle = median(column)
        distances = [abs(value - middle) for value in column]
        assert min(column) >= 0
        assert max(distances) <= FAR * MAD_TO_SIGMA * median(distances)


@given(text=st.lists(st.sampled_from([*WORDS, "...", "[", "]", " ", "12 rows ", "TRUNCATED"])))
def test_a_mark_of_a_cut_is_never_overlooked(text: list[str]) -> None:
    assert may_hold_marks("".join(text)) or MARK.search("".join(text)) is None


@given(
    text=st.lists(
        st.sampled_from(["data:image/png;base64,", "aB3/" * 16, "aB3\\/" * 60, "=", "\n", " ", "-"])
    )
)
def test_an_encoded_run_is_never_overlooked(text: list[str]) -> None:
    assert may_hold_a_run("".join(text)) or ENCODED.search("".join(text)) is None


@given(count=st.integers(1, 300), data=st.data())
def test_a_few_indices_come_in_the_order_of_all(count: int, data: st.DataObject) -> None:
    few = data.draw(st.lists(st.integers(0, count - 1), unique=True, max_size=count // FEW))
    everything = list(halving(range(count), count))

    assert sorted(everything) == list(range(count))
    assert list(halving(sorted(few), count)) == [one for one in everything if one in few]


LINES = st.sampled_from(
    [
        "2026-03-01 10:00:00 INFO step done",
        "2026-03-01 10:00:01 ERROR it failed",
        "Traceback (most recent call last):",
        '  File "a.py", line 3, in run',
        "ValueError: no",
        "panic: oh no",
        "goroutine 1 [running]:",
        "thread 'main' panicked at src/a.rs:3:",
        "src/a.c:3:4: error: no such name",
        "src/a.c: In function 'f':",
        "In file included from a.h:1,",
        "   3 |   x",
        "    at a.b(C.java:1)",
        "Caused by: no",
        "}",
        "… [4 more lines]",
        "",
        "  indented",
        "words and more words",
    ]
)


@given(lines=st.lists(LINES, max_size=12))
def test_lines_that_plainly_stand_alone_are_events_of_their_own(lines: list[str]) -> None:
    read: list[Event] = []
    start = 0
    while start < len(lines):
        reader = Reader(lines=lines, first=start)
        end = reader.end()
        known = reader.trace or starts_event(lines[start])
        read.append(Event(lines=tuple(lines[start:end]), known=known))
        start = end

    assert split(lines) == read


@given(
    words=st.lists(st.sampled_from([*TELLING, "timed out", "no errors", "ERROR", "0", ":", "ſ"]))
)
def test_the_hints_of_a_text_change_no_signal(words: list[str]) -> None:
    text = " ".join(words)
    assert signal(text, near_end=True, hints=hints_of(text)) == signal(text, near_end=True)


@given(value=VALUES, indent=st.sampled_from([None, 2]))
def test_the_lists_of_a_decoded_text_are_those_of_its_spans(value: Any, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    again = spans.decoded(text)

    if again is not None and is_usual(text, again):
        fitter = Fitter(keep=Keep(), prior=Prior())
        assert tuple(lists(again.value, "$", 0)) == fitter.whole(text, "$", 0)

"""What came through: the comparison of a produced text with what was delivered of it."""

from typing import Any

from benchmarks.documents import SIZES, fresh, two_lists
from benchmarks.timing import ORJSON, time_case

from ullage import arrival, chars, cut

GROUP = "arrival: 33 KB produced, 6,000 characters delivered"
TEXT = two_lists(SIZES["33 KB"])
ROUNDS = 200


def test_arrival_of_a_cut(benchmark: Any) -> None:
    """What came through of a cut by records."""
    delivered = cut(TEXT, chars(6_000)).text
    time_case(
        benchmark,
        lambda text: arrival(text, delivered),
        fresh(TEXT),
        group=GROUP,
        case="arrival of a cut",
        rounds=ROUNDS,
        floors=(ORJSON,),
    )


def test_arrival_of_a_prefix(benchmark: Any) -> None:
    """What came through of the first characters: JSON that breaks off."""
    delivered = TEXT[:6_000]
    time_case(
        benchmark,
        lambda text: arrival(text, delivered),
        fresh(TEXT),
        group=GROUP,
        case="arrival of a prefix",
        rounds=ROUNDS,
        floors=(ORJSON,),
    )


def test_arrival_by_key(benchmark: Any) -> None:
    """The same with a key, which names what is missing."""
    delivered = cut(TEXT, chars(6_000)).text
    time_case(
        benchmark,
        lambda text: arrival(text, delivered, key="id"),
        fresh(TEXT),
        group=GROUP,
        case='arrival of a cut, key="id"',
        rounds=ROUNDS,
        floors=(ORJSON,),
    )

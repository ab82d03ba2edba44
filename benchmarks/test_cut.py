"""The cut, from text, beside what reading and copying the same text cost."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from benchmarks.documents import SIZES, fresh, one_list, two_lists
from benchmarks.leading import cut_leading
from benchmarks.timing import ORJSON, Floor, memcpy, rounds_for, time_case

from ullage import chars, cut

BUDGET = 6_000
DOCUMENTS = {
    "33 KB object of two lists": two_lists(SIZES["33 KB"]),
    "1 MB list": one_list(SIZES["1 MB"]),
}
LEADING = Floor(name="leading records only", call=lambda text: cut_leading(text, BUDGET))
CASES: dict[str, Callable[[str], Any]] = {
    "json.loads": json.loads,
    "cut": lambda text: cut(text, chars(BUDGET)),
    'cut, notice="apart"': lambda text: cut(text, chars(BUDGET), notice="apart"),
    'cut, policy="prefix"': lambda text: cut(text, chars(BUDGET), policy="prefix"),
    'cut, policy="middle"': lambda text: cut(text, chars(BUDGET), policy="middle"),
    "cut, everything fits": lambda text: cut(text, chars(len(text))),
}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_is_timed_does_its_work(document: str) -> None:
    """A fast result of a broken design is none."""
    text = DOCUMENTS[document]
    for delivered in (cut_leading(text, BUDGET), cut(text, chars(BUDGET)).text):
        assert len(delivered) <= BUDGET
        assert json.loads(delivered)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("document", DOCUMENTS)
def test_cut(benchmark: Any, document: str, case: str) -> None:
    """The public call."""
    text = DOCUMENTS[document]
    time_case(
        benchmark,
        CASES[case],
        fresh(text),
        group=f"cut to {BUDGET:,} characters: {document}",
        case=case,
        rounds=rounds_for(len(text)),
        floors=(memcpy(len(text)), ORJSON, LEADING),
    )

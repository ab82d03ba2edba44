"""What each rule of quality costs: the same cut with one rule switched off, or put to use.

A rule that has no option is switched off here, inside the process that is timed, by replacing one
function of the cutter. Where that function is gone the case is skipped, and says so.
"""

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
from benchmarks.documents import SIZES, compact, fresh, one_list, records, two_lists
from benchmarks.timing import ORJSON, Floor, rounds_for, time_case

from ullage import chars, cut

BUDGET = 6_000
DOCUMENTS = {
    "33 KB object of two lists": two_lists(SIZES["33 KB"]),
    "1 MB list": one_list(SIZES["1 MB"]),
}


def has_pid_17(record: Any) -> bool:
    """Say whether a record must stay."""
    return bool(record["pid"] == 17)


WITH_OPTIONS: dict[str, Callable[[str], Any]] = {
    "- the notice, which stands apart": lambda text: cut(text, chars(BUDGET), notice="apart"),
    "+ keep by an equation": lambda text: cut(text, chars(BUDGET), keep=["id=17"]),
    "+ keep by a function": lambda text: cut(text, chars(BUDGET), keep=[has_pid_17]),
}
# The rule, the function that does it, and one that does nothing.
SWITCHED_OFF: dict[str, tuple[str, str, Callable[..., Any]]] = {
    "- what stands out": ("ullage.cutter.tree", "odd_ones", lambda inside: []),
    "- duplicate keys and lone surrogates": (
        "ullage.cutter.json_text",
        "faults",
        lambda source, delivered, **_: iter(()),
    ),
    "- marks of an earlier cut": (
        "ullage.cutter.cut",
        "cuts_before",
        lambda source, done: iter(()),
    ),
    "- counts that no longer match": (
        "ullage.cutter.json_text",
        "counted_before",
        lambda fitter, parts: [],
    ),
}


def few_records(size: int) -> str:
    """Return lists too short to have a usual record: nothing is looked for in them."""
    made = records(size)
    few = [made[at : at + 7] for at in range(0, len(made), 7)]
    few[0][0]["container"] = "call-000000"
    return compact({f"list_{at}": some for at, some in enumerate(few)})


ALL_RULES = Floor(name="all rules", call=lambda text: cut(text, chars(BUDGET)))
FLOORS = (ORJSON, ALL_RULES)


@pytest.mark.parametrize("case", WITH_OPTIONS)
@pytest.mark.parametrize("document", DOCUMENTS)
def test_option(benchmark: Any, document: str, case: str) -> None:
    """Rules that an option switches on or off."""
    time_case(
        benchmark,
        WITH_OPTIONS[case],
        fresh(DOCUMENTS[document]),
        group=f"cost of the rules: {document}",
        case=case,
        rounds=rounds_for(len(DOCUMENTS[document])),
        floors=FLOORS,
    )


@pytest.mark.parametrize("case", SWITCHED_OFF)
@pytest.mark.parametrize("document", DOCUMENTS)
def test_without(benchmark: Any, monkeypatch: pytest.MonkeyPatch, document: str, case: str) -> None:
    """Rules that are always on."""
    module, name, nothing = SWITCHED_OFF[case]
    original = getattr(import_module(module), name, None)
    if original is None:
        pytest.skip(f"{module}.{name} is not there any more")
    used = [original]
    monkeypatch.setattr(f"{module}.{name}", lambda *given, **named: used[-1](*given, **named))

    def without(text: str) -> None:
        used.append(nothing)
        cut(text, chars(BUDGET))
        used.pop()

    time_case(
        benchmark,
        without,
        fresh(DOCUMENTS[document]),
        group=f"cost of the rules: {document}",
        case=case,
        rounds=rounds_for(len(DOCUMENTS[document])),
        floors=FLOORS,
    )


def test_lists_too_short_for_standouts(benchmark: Any) -> None:
    """The same records in lists of seven, of which none can stand out."""
    text = few_records(SIZES["33 KB"])
    whole = fresh(DOCUMENTS["33 KB object of two lists"])
    time_case(
        benchmark,
        lambda one: cut(one, chars(BUDGET)),
        fresh(text),
        group="cost of the rules: 33 KB object of two lists",
        case="the same records in lists of seven",
        rounds=rounds_for(len(text)),
        floors=(ORJSON, replace(ALL_RULES, prepare=lambda _: next(whole))),
    )

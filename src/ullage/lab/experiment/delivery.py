"""From what a tool returned to the text that its call is answered with: order, text, budget."""

import reprlib
from collections.abc import Callable, Mapping
from functools import lru_cache

import msgspec

from ullage.cutter.budget import chars
from ullage.cutter.cut import cut
from ullage.lab.experiment.settings import BudgetRule, Limits, Order, Serialise, Settings
from ullage.lab.experiment.spilled import Spilled, paged

Result = Mapping[str, object]
LEVELS, MEMBERS, WORDS = 6, 40, 200
"""What a shortened repr shows of depth, of an object's members and of a string's characters."""


def as_json(result: Result, _: Limits) -> str:
    """Write a result as compact JSON."""
    return msgspec.json.encode(result).decode()


def as_repr(result: Result, limits: Limits) -> str:
    """Write a result as Python shows it, its lists shortened and its keys sorted."""
    shown = reprlib.Repr()
    shown.maxlevel, shown.maxdict, shown.maxstring = LEVELS, MEMBERS, WORDS
    shown.maxlist, shown.maxother, shown.maxlong = limits.listed, WORDS, WORDS
    return shown.repr(dict(result))


SERIALISE: dict[Serialise, Callable[[Result, Limits], str]] = {"json": as_json, "repr": as_repr}
ORDER: dict[Order, Callable[[Result], Result]] = {
    "as-is": lambda result: result,
    "reversed": lambda result: dict(reversed(list(result.items()))),
}


def whole(text: str, _: int, __: Spilled) -> str:
    """Let a text through."""
    return text


@lru_cache(maxsize=4096)
def by_records(text: str, limit: int) -> str:
    """Cut a text by whole records: the same cut is asked for in many runs, and costs milliseconds.

    The lists of a recording are what they are in every arm, for every agent and seed.
    """
    return cut(text, chars(limit)).text


def records(text: str, limit: int, _: Spilled) -> str:
    """Cut a text by whole records, with a notice in it."""
    return by_records(text, limit)


def prefix(text: str, limit: int, _: Spilled) -> str:
    """Keep the first characters and say nothing."""
    return cut(text, chars(limit), policy="prefix").text


def spill(text: str, limit: int, spilled: Spilled) -> str:
    """Show the first page of a text that is over the budget, and where the rest is."""
    return text if len(text) <= limit else paged(text, spilled.keep(text), 0, limit)


BUDGET: dict[BudgetRule, Callable[[str, int, Spilled], str]] = {
    "none": whole,
    "records": records,
    "prefix": prefix,
    "spill": spill,
}


def delivered(result: Result | str, settings: Settings, limits: Limits, spilled: Spilled) -> str:
    """Return the text that a harness answers a call with. A text stays one, but for the budget."""
    text = (
        result
        if isinstance(result, str)
        else SERIALISE[settings.serialise](ORDER[settings.order](result), limits)
    )
    return BUDGET[settings.budget](text, limits.budget, spilled)

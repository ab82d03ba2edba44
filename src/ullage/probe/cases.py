"""Which cases are tried, by what somebody wants to know."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from ullage.probe.case import Case, Format, Kind, Returns, Style

SIZES = (8_000, 16_000, 33_000, 64_000, 200_000)
TURNS = (12, 50)
SMALL, LARGE = 0, 33_000
HANDED_SIZE = 8_000
"""A result that hardly anybody cuts: what is looked at is the way behind it."""

WINDOW = 20_000
"""Tokens above the first prompt, from where the model refuses: a few results of `LARGE` characters.

A harness may say as much itself before anything was fetched."""

OVERFLOW_TURNS = 4
LAST_SIZE = 100_000
"""A result that alone is larger than `WINDOW`: without a history the refusal is met, too."""

HANDLE_SIZE = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be tried. `name` begins the tags of the cases, so that a ledger holds them apart.

    `sizes` are in characters, `turns` the numbers of things that a user says in a history.
    """

    name: str
    seed: str
    what: Sequence[Kind] = ("result", "user", "history")
    sizes: Sequence[int] = SIZES
    formats: Sequence[Format] = ("json",)
    returns: Sequence[Returns] = ("text",)
    turns: Sequence[int] = TURNS
    history_sizes: Sequence[int] = (SMALL, LARGE)
    variant: str = "default"
    model: str = "gpt-4o"
    style: Style = "tools"

    def case(self, kind: Kind, *words: object, **settings: object) -> Case:
        """Make a case; `words` tell its tag from the others of its kind."""
        # Without the name, so that the same seed makes the same records in another run.
        records = "-".join([kind, *map(str, words)])
        given: dict[str, object] = {
            "variant": self.variant,
            "model": self.model,
            "style": self.style,
            "seed": self.seed,
            "records": records,
            **settings,
        }
        return Case(tag=f"{self.name}-{records}", kind=kind, **given)  # type: ignore[arg-type]  # members of Case


def ladder(wanted: Wanted) -> Iterator[Case]:
    """Give each case that is wanted, kind by kind, the small ones first."""
    for kind in wanted.what:
        yield from LADDERS[kind](wanted)


def results(wanted: Wanted) -> Iterator[Case]:
    """Give one result of each size, format and type; only JSON is returned as an object."""
    for returns, format_, size in product(wanted.returns, wanted.formats, wanted.sizes):
        if returns == "text" or format_ == "json":
            words = [short(size), format_, *(["object"] if returns == "object" else [])]
            yield wanted.case("result", *words, size=size, format=format_, returns=returns)


def messages(wanted: Wanted) -> Iterator[Case]:
    """Give data of each size and format in the user's own message."""
    for format_, size in product(wanted.formats, wanted.sizes):
        yield wanted.case("user", short(size), format_, size=size, format=format_)


def histories(wanted: Wanted) -> Iterator[Case]:
    """Give histories of each length, small and large."""
    for turns, size in product(wanted.turns, wanted.history_sizes):
        yield wanted.case("history", turns, short(size), turns=turns, size=size)


def handoffs(wanted: Wanted) -> Iterator[Case]:
    """Give one hand-off to a helper and back."""
    yield wanted.case("handoff", size=HANDED_SIZE)


def lengths(wanted: Wanted) -> Iterator[Case]:
    """Give one reply that its limit stops."""
    yield wanted.case("length", size=HANDED_SIZE)


def overflows(wanted: Wanted) -> Iterator[Case]:
    """Give a few results, which together are more than the model takes; so is the last alone."""
    settings = {"turns": OVERFLOW_TURNS, "size": LARGE, "last_size": LAST_SIZE, "window": WINDOW}
    yield wanted.case("overflow", **settings)


def handles(wanted: Wanted) -> Iterator[Case]:
    """Give one result that most cut."""
    yield wanted.case("handle", size=HANDLE_SIZE)


LADDERS: Mapping[Kind, Callable[[Wanted], Iterator[Case]]] = {
    "result": results,
    "user": messages,
    "history": histories,
    "handoff": handoffs,
    "length": lengths,
    "overflow": overflows,
    "handle": handles,
}


def short(size: int) -> str:
    """Write a size as people do: 33k."""
    return f"{size // 1000}k" if size and size % 1000 == 0 else str(size)

"""A compaction in a ledger: positions, counts and rules, and no text of a user."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from ullage.history.event import Event
from ullage.history.piece import HistoryUnit
from ullage.history.recorded import record_events
from ullage.ledger.store import Ledger


@dataclass(frozen=True)
class Size:
    tokens: int
    cost: int


@dataclass(frozen=True)
class Compacted:
    tier: str
    unit: HistoryUnit
    budget: int
    before: Size
    after: Size
    events: tuple[Event, ...]


EVENT = Event(
    boundary="retain",
    action="elide",
    rule="superseded",
    messages=(3, 5),
    what="2 results of read",
    why="a later read has them",
    tokens_before=9100,
    tokens_after=4700,
    before=36400,
    after=18800,
    shown=(1, 2),
)


@pytest.fixture
def done() -> Compacted:
    return Compacted("T4", "chars", 20000, Size(9100, 36400), Size(4700, 18800), (EVENT,))


def test_the_sizes_are_those_of_the_budget_and_in_tokens(tmp_path: Path, done: Compacted) -> None:
    with Ledger(tmp_path / "a.ledger") as ledger:
        record_events(ledger, "monday", done, 5.0)
        (one,) = ledger.compactions("monday")

    assert (one.tier, one.unit, one.budget, one.at) == ("T4", "chars", 20000, 5.0)
    assert (one.before, one.after) == (36400, 18800)
    assert (one.tokens_before, one.tokens_after) == (9100, 4700)


def test_an_event_keeps_its_rule_and_its_places(tmp_path: Path, done: Compacted) -> None:
    with Ledger(tmp_path / "a.ledger") as ledger:
        record_events(ledger, "monday", done, 5.0)
        (one,) = ledger.compactions("monday")

    (event,) = one.events
    assert (event["boundary"], event["action"], event["rule"]) == ("retain", "elide", "superseded")
    assert (event["messages"], event["shown"]) == ([3, 5], 2)
    assert (event["what"], event["why"]) == ("2 results of read", "a later read has them")


def test_long_words_are_kept_short(tmp_path: Path, done: Compacted) -> None:
    long = Event(**{**{n: getattr(EVENT, n) for n in EVENT.__slots__}, "why": "word " * 500})
    with Ledger(tmp_path / "a.ledger") as ledger:
        record_events(ledger, "m", Compacted(**{**vars(done), "events": (long,)}), 5.0)
        (one,) = ledger.compactions("m")

    assert len(str(one.events[0]["why"])) <= 120

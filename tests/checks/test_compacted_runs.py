"""A whole run whose history `compact` keeps within a budget: what a scan says of it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.checks.test_stated import asks, scanned

from ullage.checks.scan import Scan
from ullage.history.compact import compact
from ullage.history.settings import Tier
from ullage.ledger.records import ProducedRecord
from ullage.ledger.store import Ledger

Messages = list[dict[str, Any]]
TASK = (
    "Find the late orders of each week and write report.md. Never write into src/. "
    "Use at most 40 calls."
)
TURNS = 24
STACK = (
    'Traceback (most recent call last):\n  File "tools/check.py", line 31, in main\n'
    "    check(week)\nValueError: week 7 has no closing date\nexit code: 1"
)


def result(turn: int) -> tuple[str, dict[str, Any], str]:
    """A call and its result: listings, logs, a file that is read again, a failure."""
    kind = turn % 4
    if kind == 0:
        rows = [{"id": f"ORD-{turn:02}-{n:03}", "late": n % 11 == 0} for n in range(37 + turn)]
        return "list_orders", {"week": turn}, json.dumps(rows)
    if kind == 1:
        steps = (f"Downloading part {n} ({n * 3} %)" for n in range(1, 30))
        return "bash", {"command": "pip install reports"}, "\n".join([*steps, f"done {turn}"])
    if kind == 2:
        lines = (f"{n}: key_{n} = {turn * n}" for n in range(40))
        return "read_file", {"path": "report.md"}, "\n".join(lines)
    return "bash", {"command": f"python tools/check.py {turn}"}, STACK


def summary_of(_: Sequence[Mapping[str, str]]) -> str:
    """What a good summariser writes: all that it was asked to keep stands in it."""
    return (
        "The late orders of each week are looked for, report.md is being written. The weeks so far "
        "were listed with list_orders; tools/check.py fails with ValueError for week 7. Still "
        "open: the other weeks."
    )


def run_of(place: Path, tier: Tier, budget: int, *, stateful: bool) -> Path:
    """A run whose every request is made by `compact`.

    `stateful`: the shortened history is gone on with, as an agent does that replaces its own.
    """
    history: Messages = [
        {"role": "system", "content": "You are an agent with tools."},
        {"role": "user", "content": TASK},
    ]
    with Ledger(place, durability="sync") as ledger:
        for turn in range(TURNS):
            at = float(turn + 1)
            sent = shortened(history, tier, budget, ledger)
            if stateful:
                history = sent
            name, asked, text = result(turn)
            function = {"name": name, "arguments": json.dumps(asked)}
            call = {"id": f"c{turn}", "type": "function", "function": function}
            reply = {"role": "assistant", "content": None, "tool_calls": [call]}
            ledger.add_exchange(asks_at(ledger, at, sent, reply))
            ledger.add_produced(
                ProducedRecord(
                    run="r",
                    tool=name,
                    kind="tool",
                    arguments=json.dumps(asked),
                    text=text,
                    at=at + 0.2,
                    call_id=f"c{turn}",
                )
            )
            answer = {"role": "tool", "tool_call_id": f"c{turn}", "content": text}
            history = [*history, reply, answer]
        last = {"role": "assistant", "content": "The report is written: report.md."}
        ledger.add_exchange(
            asks_at(ledger, TURNS + 1.0, shortened(history, tier, budget, ledger), last)
        )
    return place


def asks_at(ledger: Ledger, at: float, messages: Sequence[Any], reply: Mapping[str, Any]) -> Any:
    """An exchange behind all that was recorded so far: `compact` takes the time from the clock."""
    later = max((one.at for one in ledger.compactions("r")), default=0.0)
    return asks(max(at, later + at / 1e6), list(messages), dict(reply))


def shortened(history: Messages, tier: Tier, budget: int, ledger: Ledger) -> Messages:
    done = compact(
        history,
        budget,
        tier=tier,
        summariser=summary_of,
        ledger=ledger,
        run="r",
        model="gpt-4o",
    )
    assert done.fits
    return [dict(one) for one in done.messages]  # type: ignore[call-overload]


@pytest.fixture(params=[True, False], ids=["replaced", "made anew"])
def found(request: pytest.FixtureRequest, tmp_path: Path, tier: Tier) -> Scan:
    return scanned(run_of(tmp_path / "a.ledger", tier, 6000, stateful=request.param))


@pytest.mark.parametrize("tier", ["T1", "T2", "T3", "T4"])
def test_no_check_calls_it_a_silent_loss(found: Scan) -> None:
    assert [(one.check, dict(one.evidence)) for one in found.findings] == []


@pytest.mark.parametrize("tier", ["T1", "T2", "T3", "T4"])
def test_each_point_at_which_it_gave_way_is_told_with_its_tier(found: Scan, tier: Tier) -> None:
    assert found.compactions
    assert {(one.stated, one.recorded, one.tier) for one in found.compactions} == {
        (True, True, tier)
    }

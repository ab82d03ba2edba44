"""What Ullage took out of a history says so, and no check calls it a silent loss."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ullage.checks.compaction_checks import compaction_findings
from ullage.checks.flow import Flow
from ullage.checks.measure import measure_run
from ullage.checks.scan import Scan, scan
from ullage.counting.count import count
from ullage.history.block import Block, Failure, Gone, write_block
from ullage.history.recall import MemoryStore
from ullage.history.recall_tool import Recall
from ullage.history.rules.placeholder import Placeholder
from ullage.ledger.history_records import CompactionRecord
from ullage.ledger.records import ExchangeRecord, ProducedRecord
from ullage.ledger.store import Ledger
from ullage.sources.files import Reading
from ullage.transcript.message import Message

Messages = list[dict[str, Any]]
Shorten = Callable[[Messages], Messages]

RULE = "- Never write into src/."
TASK = "Write report.md about the late orders of each week. Never write into src/."
EVENTS = [
    {"action": "elide", "rule": "listings", "messages": [3, 5, 7]},
    {"action": "nothing", "rule": "progress", "messages": []},
    {"action": "trim", "rule": "oldest-unit", "messages": [2, 3]},
]
RECORD = CompactionRecord(
    run="r",
    at=5.5,
    tier="T4",
    unit="tokens",
    budget=8000,
    before=9100,
    after=4700,
    tokens_before=9100,
    tokens_after=4700,
    events=json.dumps(EVENTS),
)


def as_it_was(messages: Messages) -> Messages:
    return messages


def elided(messages: Messages) -> Messages:
    """What a rule makes of the first three results."""
    line = Placeholder(gone="60 of 60 records", rules=("listings",), back='recall("a1b2c3d4")')
    old = [at for at, one in enumerate(messages) if one["role"] == "tool"][:3]
    return [
        {**one, "content": line.line()} if at in old else one for at, one in enumerate(messages)
    ]


def carried(messages: Messages, summary: str = "") -> Messages:
    """What is left where the oldest units are gone, and carried on in one message."""
    block = Block(
        notice=Gone(trimmed=6, of=len(messages), tokens=2000),
        summary=summary,
        rules=("Never write into src/.",),
        failures=(Failure(text="ValueError: no such week"),),
    )
    return [*messages[:2], {"role": "user", "content": write_block(block)}, *messages[8:]]


def summarised(messages: Messages) -> Messages:
    return carried(messages, summary="The weeks 0 to 2 were listed for report.md.")


def dropped(messages: Messages) -> Messages:
    """What a framework leaves that says nothing."""
    return [*messages[:2], *messages[8:]]


def elided_and_dropped(messages: Messages) -> Messages:
    """A framework's own limit, behind what we did."""
    short = elided(messages)
    return [*short[:2], *short[4:]]


def asks(at: float, messages: Messages, reply: dict[str, Any]) -> ExchangeRecord:
    body = {"model": "gpt-4o", "messages": messages}
    usage = {"prompt_tokens": count(json.dumps(body)).tokens, "completion_tokens": 9}
    choice = {"index": 0, "finish_reason": "stop", "message": reply}
    return ExchangeRecord(
        run="r",
        method="POST",
        path="/v1/chat/completions",
        upstream="http://127.0.0.1:9",
        request_headers=[("content-type", "application/json")],
        request_body=json.dumps(body).encode(),
        status=200,
        response_headers=[("content-type", "application/json")],
        response_body=json.dumps({"choices": [choice], "usage": usage}).encode(),
        started=at,
        first_byte=at,
        ended=at,
    )


def run_of(place: Path, shorten: Shorten, records: Sequence[CompactionRecord] = ()) -> Path:
    """A run of eight turns whose history is shortened after the fifth."""
    history: Messages = [{"role": "user", "content": TASK}]
    history.insert(0, {"role": "system", "content": "You are an agent."})
    with Ledger(place, durability="sync") as ledger:
        for record in records:
            ledger.record(record)
        for week in range(8):
            asked = json.dumps({"week": week})
            call = {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {
                        "id": f"c{week}",
                        "type": "function",
                        "function": {"name": "list_orders", "arguments": asked},
                    }
                ],
            }
            rows = [{"id": f"ORD-{week}-{n:03}", "status": "late"} for n in range(60)]
            ledger.add_exchange(asks(float(week + 1), history, call))
            ledger.add_produced(
                ProducedRecord(
                    run="r",
                    tool="list_orders",
                    kind="tool",
                    arguments=asked,
                    text=json.dumps(rows),
                    at=week + 1.2,
                )
            )
            result = {"role": "tool", "tool_call_id": f"c{week}", "content": json.dumps(rows)}
            history = [*history, call, result]
            if week == 4:
                history = shorten(history)
        ledger.add_exchange(asks(9.0, history, {"role": "assistant", "content": "It is done."}))
    return place


def messages_of(raw: Messages) -> list[Message]:
    return [Message(role=one["role"], text=one["content"]) for one in raw]


def scanned(place: Path) -> Scan:
    return scan([Reading(path=str(place), form="ledger", records=iter(()))])


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "a.ledger"


@pytest.mark.parametrize("shorten", [as_it_was, elided, carried, summarised])
def test_what_ullage_took_out_is_no_finding(place: Path, shorten: Shorten) -> None:
    found = scanned(run_of(place, shorten))

    assert [one.check for one in found.findings] == []


@pytest.mark.parametrize("shorten", [elided, carried, summarised])
def test_what_is_on_record_is_no_finding_either(place: Path, shorten: Shorten) -> None:
    found = scanned(run_of(place, shorten, [RECORD]))

    assert [one.check for one in found.findings] == []


def test_what_a_framework_took_out_is_still_a_finding(place: Path) -> None:
    found = scanned(run_of(place, dropped))

    assert "message-lost" in [one.check for one in found.findings]


def test_a_record_does_not_excuse_what_a_framework_took_out(place: Path) -> None:
    found = scanned(run_of(place, dropped, [RECORD]))

    assert "message-lost" in [one.check for one in found.findings]


def test_what_a_framework_took_out_beside_our_own_act_is_counted_alone(place: Path) -> None:
    found = scanned(run_of(place, elided_and_dropped))

    (lost,) = [one for one in found.findings if one.check == "message-lost"]
    assert lost.evidence["messages"] == 2


def test_an_altered_block_states_nothing(place: Path) -> None:
    def altered(messages: Messages) -> Messages:
        short = carried(messages)
        text = short[2]["content"].replace("Never write into src/", "Write into src/")
        short[2] = {**short[2], "content": f"{text} (edited)"}
        return short

    (row,) = scanned(run_of(place, altered)).compactions

    assert not row.stated


def test_a_rule_is_named_where_it_left_its_line(place: Path) -> None:
    (row,) = scanned(run_of(place, elided)).compactions

    assert (row.act, row.stated, row.recorded) == ("elide", True, False)
    assert row.rules == ("listings",)
    assert row.gone == 3


def test_a_summary_of_ours_is_held_against_what_it_stands_for(place: Path) -> None:
    def forgetful(messages: Messages) -> Messages:
        block = Block(notice=Gone(summarised=6, of=9), summary="Nothing much was done so far.")
        later = {"role": "user", "content": write_block(block)}
        return [messages[0], later, *messages[8:]]

    found = scanned(run_of(place, forgetful))

    assert [one.check for one in found.findings] == ["task-lost"]


def test_a_rule_that_a_second_compaction_drops_is_lost() -> None:
    (first,) = messages_of(carried([{}] * 9)[2:3])
    second = replace(first, text=first.text.replace(RULE, "- None."))

    found = compaction_findings([first], [second])

    assert [one.check for one in found] == ["constraint-lost"]


def test_a_second_compaction_that_keeps_the_rules_loses_nothing() -> None:
    first = summarised([{}] * 9)
    second = carried([{}] * 9, summary="All is done now.")

    assert compaction_findings(messages_of(first[2:3]), messages_of(second[2:3])) == []


def test_a_record_tells_the_tier_the_budget_and_the_tokens(place: Path) -> None:
    (row,) = scanned(run_of(place, carried, [RECORD])).compactions

    assert (row.recorded, row.tier, row.trigger) == (True, "T4", "budget of 8000 tokens")
    assert (row.tokens_before, row.tokens_after) == (9100, 4700)
    assert row.rules == ("listings", "oldest-unit")


def test_a_record_from_after_the_request_is_not_its_own(place: Path) -> None:
    late = [CompactionRecord(**{n: getattr(RECORD, n) for n in RECORD.__slots__} | {"at": 8.5})]

    (row,) = scanned(run_of(place, carried, late)).compactions

    assert (row.recorded, row.tier) == (False, None)


def test_pages_of_what_was_kept_are_no_cuts(place: Path) -> None:
    """Pages of equal records have one length, as what a harness cuts has."""
    rows = json.dumps([{"id": f"ORD-{n:03}", "status": "late"} for n in range(193)])
    tool = Recall(MemoryStore())
    handle = tool.store.keep(rows, tool="list_orders")
    history: Messages = [{"role": "user", "content": TASK}]
    with Ledger(place, durability="sync") as ledger:
        for number in range(9):
            wanted = {"handle": handle, "records": f"{number * 20}-{number * 20 + 19}"}
            called = {"name": "recall", "arguments": json.dumps(wanted)}
            call = {"id": f"c{number}", "type": "function", "function": called}
            reply = {"role": "assistant", "content": None, "tool_calls": [call]}
            ledger.add_exchange(asks(float(number), history, reply))
            page = tool.recall(**wanted)
            result = {"role": "tool", "tool_call_id": f"c{number}", "content": page}
            history = [*history, reply, result]
        ledger.add_exchange(asks(9.0, history, {"role": "assistant", "content": "It is done."}))

    assert scanned(place).findings == []


def test_the_flow_names_the_rules_at_their_boundary(place: Path) -> None:
    run_of(place, elided, [RECORD])
    flow = Flow()
    with Ledger.read(place) as ledger:
        flow.take(measure_run(ledger, "r"))

    taken = flow.taken["retain"]
    assert taken.results == 3
    assert list(taken.rules) == ["listings", "oldest-unit"]
    assert list(taken.tiers) == ["T4"]

"""Records to write, each with the changes that a test is about."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ullage.ledger.records import ExchangeRecord, ProducedRecord, StepRecord

Exchange = Callable[..., ExchangeRecord]
Produced = Callable[..., ProducedRecord]
Step = Callable[..., StepRecord]

EXCHANGE = ExchangeRecord(
    run="r1",
    method="POST",
    path="/v1/chat/completions",
    upstream="http://127.0.0.1:9",
    request_headers=[("Content-Type", "application/json"), ("X-Team", "blue")],
    request_body=b'{"messages":[{"role":"user","content":"hello"}]}',
    status=200,
    response_headers=[("content-type", "application/json")],
    response_body=b'{"usage":{"prompt_tokens":12}}',
    started=1700000000.25,
    first_byte=1700000000.5,
    ended=1700000001,
    cohort="scripted",
)
PRODUCED = ProducedRecord(
    run="r1",
    tool="list_orders",
    kind="tool",
    arguments='{"page":1}',
    text='[{"id":"ORD-1","näme":"Zoë"}]',
    at=1700000000.0,
    key="id",
)
STEP = StepRecord(
    run="r1",
    name="de-duplicate",
    taken_in=3,
    handed_out=1,
    dropped=["ORD-2", "ORD-3"],
    reason="seen before",
    at=1700000002.0,
)


@pytest.fixture
def exchange() -> Exchange:
    def make(**changes: Any) -> ExchangeRecord:
        return replace(EXCHANGE, **changes)

    return make


@pytest.fixture
def produced() -> Produced:
    def make(**changes: Any) -> ProducedRecord:
        return replace(PRODUCED, **changes)

    return make


@pytest.fixture
def step() -> Step:
    def make(**changes: Any) -> StepRecord:
        return replace(STEP, **changes)

    return make


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "a.ledger"

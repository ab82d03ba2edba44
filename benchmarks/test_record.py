"""Recording a tool's result in the caller, beside hashing and compressing the same bytes."""

import statistics
import time
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from benchmarks.documents import SIZES, fresh, two_lists
from benchmarks.timing import Floor, time_case
from blake3 import blake3

from ullage import Ledger, record_tool
from ullage.ledger.blobs import compress

GROUP = "record a result of 33 KB"
TEXT = two_lists(SIZES["33 KB"])
ROUNDS = 200


HASH = Floor(name="blake3", call=lambda text: blake3(text.encode()).digest())
KEEP = Floor(
    name="blake3 + zstd",
    call=lambda text: (blake3(text.encode()).digest(), compress(text.encode())),
)


def test_record_tool(benchmark: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The decorator, with a ledger: redacted, hashed, compressed, committed."""
    ledger = tmp_path / "timings.ledger"
    monkeypatch.setenv("ULLAGE_LEDGER", str(ledger))
    tool = record_tool(lambda text: text)
    time_case(
        benchmark,
        tool,
        fresh(TEXT),
        group=GROUP,
        case="record_tool",
        rounds=ROUNDS,
        floors=(HASH, KEEP),
    )
    waited: list[float] = []
    for text in islice(fresh(TEXT.replace("stress-ng", "waiting")), ROUNDS):
        start = time.perf_counter()
        tool(text)
        waited.append(time.perf_counter() - start)
    benchmark.extra_info["note"] = f"{statistics.median(waited) * 1e3:.2f} ms by the clock"
    with Ledger.read(ledger) as written:
        assert len(list(written.results("default"))) >= ROUNDS


def test_record_tool_off(benchmark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The decorator where nothing is recorded."""
    monkeypatch.delenv("ULLAGE_LEDGER", raising=False)
    tool = record_tool(lambda text: text)
    benchmark.group = GROUP
    benchmark.extra_info |= {"case": "record_tool, off", "beside": {}}
    benchmark.pedantic(lambda: tool(TEXT), rounds=50, iterations=1_000)

"""Recording a tool's result in the caller, beside hashing and compressing the same bytes."""

import statistics
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from benchmarks.documents import SIZES, fresh, two_lists
from benchmarks.timing import Floor, time_case
from blake3 import blake3

from ullage import Ledger, handed_on, record_tool
from ullage.ledger.blobs import compress
from ullage.ledger.records import HandedOnRecord, ProducedRecord

GROUP = "record a result of 33 KB"
PAIR = "record a pair: 33 KB produced, 6 KB delivered"
TEXT = two_lists(SIZES["33 KB"])
DELIVERED = 6_000
ROUNDS = 200
MODES = ("async", "sync", "durable")


def encoded(text: str) -> tuple[bytes, bytes]:
    """Return the bytes of a pair, so that a floor does not pay for making them."""
    return text.encode(), text[:DELIVERED].encode()


HASH = Floor(name="blake3", call=lambda pair: blake3(pair[0]).digest(), prepare=encoded)
KEEP = Floor(
    name="blake3 + zstd",
    call=lambda pair: [(blake3(one).digest(), compress(one)) for one in pair],
    prepare=encoded,
)


def pair_into(ledger: Ledger) -> Callable[[str], None]:
    """Return what records a pair into a ledger."""

    def record(text: str) -> None:
        made = ledger.record(
            ProducedRecord(
                run="r", tool="t", kind="tool", arguments='{"page":1}', text=text, at=1.0
            )
        )
        ledger.record(HandedOnRecord(run="r", result=made, text=text[:DELIVERED]))

    return record


# In `async` the caller is what counts: the clock of its own thread. Elsewhere it is the process.
@pytest.mark.benchmark(timer=time.thread_time)
@pytest.mark.parametrize("mode", MODES)
def test_pair(benchmark: Any, mode: Any, tmp_path: Path) -> None:
    """What the caller pays for a pair; the rest is done by another thread."""
    with Ledger(tmp_path / "timings.ledger", durability=mode) as ledger:
        record = pair_into(ledger)
        time_case(
            benchmark,
            record,
            fresh(TEXT),
            group=PAIR,
            case=mode,
            rounds=ROUNDS,
            floors=(HASH, KEEP),
            clock=time.thread_time,
        )
        benchmark.extra_info["note"] = waited(record)
        ledger.flush()
        assert ledger.lost == 0
        assert len(list(ledger.results())) >= ROUNDS


@pytest.mark.parametrize("mode", MODES)
def test_pair_whole_process(benchmark: Any, mode: Any, tmp_path: Path) -> None:
    """All that a pair costs, whoever does it."""
    with Ledger(tmp_path / "timings.ledger", durability=mode) as ledger:
        record = pair_into(ledger)

        def settled(text: str) -> None:
            record(text)
            ledger.flush()

        time_case(
            benchmark,
            settled,
            fresh(TEXT),
            group=PAIR,
            case=f"{mode}, all threads",
            rounds=ROUNDS,
            floors=(HASH, KEEP),
        )


@pytest.mark.benchmark(timer=time.thread_time)
@pytest.mark.parametrize("mode", MODES)
def test_record_tool(
    benchmark: Any, mode: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The decorator and `handed_on`, with a ledger."""
    ledger = tmp_path / "timings.ledger"
    monkeypatch.setenv("ULLAGE_LEDGER", str(ledger))
    monkeypatch.setenv("ULLAGE_DURABILITY", mode)
    held: list[str] = []
    tool = record_tool(lambda page: held[-1])  # not an argument, which would be recorded too

    def call(text: str) -> None:
        held.append(text)
        handed_on(tool(1)[:DELIVERED])

    time_case(
        benchmark,
        call,
        fresh(TEXT),
        group=GROUP,
        case=f"record_tool, {mode}",
        rounds=ROUNDS,
        floors=(HASH, KEEP),
        clock=time.thread_time,
    )
    benchmark.extra_info["note"] = waited(call)
    with Ledger.read(ledger) as written:
        assert len(list(written.results("default"))) >= ROUNDS


def test_record_tool_off(benchmark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The decorator where nothing is recorded."""
    monkeypatch.delenv("ULLAGE_LEDGER", raising=False)
    tool = record_tool(lambda text: text)
    benchmark.group = GROUP
    benchmark.extra_info |= {"case": "record_tool, off", "beside": {}}
    benchmark.pedantic(lambda: tool(TEXT), rounds=50, iterations=1_000)


def waited(call: Callable[[str], object]) -> str:
    """Say what a call takes by the clock, with pauses in which what it left behind gets done."""
    times: list[float] = []
    for text in islice(fresh(TEXT.replace("stress-ng", "waiting")), ROUNDS):
        start = time.perf_counter()
        call(text)
        times.append(time.perf_counter() - start)
        time.sleep(0.002)
    late = sorted(times)[len(times) * 99 // 100]
    return f"by the clock {statistics.median(times) * 1e6:.0f} us, p99 {late * 1e6:.0f} us"

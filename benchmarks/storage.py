"""Print what a ledger takes on disk for real transcripts: python -m benchmarks.storage FOLDER.

FOLDER holds the unpacked transcripts. Each file of OpenAI chat messages is recorded as its agent
would have been: every tool result as produced, and a request with all messages so far for every
answer of the model. Nothing is delivered in part, so this is the most that a run takes.
"""

import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ullage import Ledger, count
from ullage.ledger.records import ExchangeRecord, ProducedRecord

Messages = Sequence[Mapping[str, Any]]
SESSIONS = 60
MADE = {"content-type": "application/json"}


@dataclass(slots=True)
class Recorded:
    """What was recorded of one set of transcripts."""

    results: int = 0
    result_bytes: int = 0
    requests: int = 0
    body_bytes: int = 0
    prompt_tokens: int = 0


def main(folder: Path) -> None:
    """Record results alone, then results and requests, and print the bytes of each file."""
    sets = {
        "tau-bench": list(tau_bench(folder)),
        "livemcpbench": list(livemcpbench(folder)),
    }
    for name, sessions in sets.items():
        for requests in (False, True):
            told, size, seconds = stored(sessions[:SESSIONS], requests=requests)
            print(json.dumps(line(name, told, size, seconds), ensure_ascii=False))


def line(name: str, told: Recorded, size: int, seconds: float) -> dict[str, object]:
    """Return the figures of one ledger."""
    found: dict[str, object] = {
        "transcripts": name,
        "results": told.results,
        "requests": told.requests,
        "original_mb": round((told.result_bytes + told.body_bytes) / 1e6, 2),
        "stored_mb": round(size / 1e6, 2),
        "cpu_s": round(seconds, 2),
    }
    if told.requests:
        found["prompt_tokens"] = told.prompt_tokens
        found["bytes_per_1000_prompt_tokens"] = round(size / told.prompt_tokens * 1000)
    else:
        found["bytes_per_result"] = round(size / told.results)
        found["original_bytes_per_result"] = round(told.result_bytes / told.results)
    return found


def stored(sessions: Sequence[Messages], *, requests: bool) -> tuple[Recorded, int, float]:
    """Record sessions into a fresh ledger; return what it was, its bytes, and processor time."""
    told = Recorded()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "a.ledger"
        started = time.process_time()
        with Ledger(place, durability="sync") as ledger:
            for number, messages in enumerate(sessions):
                record(ledger, f"run-{number}", messages, told, requests=requests)
        spent = time.process_time() - started
        return told, place.stat().st_size, spent


def record(ledger: Ledger, run: str, messages: Messages, told: Recorded, *, requests: bool) -> None:
    """Record one session in the order in which it happened."""
    for at, message in enumerate(messages):
        if message["role"] == "tool":
            text = str(message["content"])
            told.results += 1
            told.result_bytes += len(text.encode())
            tool = str(message.get("name", "tool"))
            ledger.record(
                ProducedRecord(
                    run=run, tool=tool, kind="tool", arguments="{}", text=text, at=float(at)
                )
            )
        elif message["role"] == "assistant" and requests and at:
            exchange = asked(run, messages[:at], message, float(at))
            told.requests += 1
            told.body_bytes += len(exchange.request_body) + len(exchange.response_body)
            told.prompt_tokens += count(exchange.request_body.decode()).tokens
            ledger.record(exchange)


def asked(run: str, before: Messages, answer: Mapping[str, Any], at: float) -> ExchangeRecord:
    """Return the request that an answer was given to."""
    return ExchangeRecord(
        run=run,
        method="POST",
        path="/v1/chat/completions",
        upstream="https://api.example.test",
        request_headers=list(MADE.items()),
        request_body=json.dumps({"model": "m", "messages": list(before)}).encode(),
        status=200,
        response_headers=list(MADE.items()),
        response_body=json.dumps({"choices": [{"message": answer}]}).encode(),
        started=at,
        first_byte=at,
        ended=at,
    )


def tau_bench(folder: Path) -> Iterator[Messages]:
    """Give the sessions of tau-bench."""
    for one in json.loads((folder / "tau-bench" / "gpt-4o-airline.json").read_text("utf-8")):
        yield one["traj"]


def livemcpbench(folder: Path) -> Iterator[Messages]:
    """Give the sessions of LiveMCPBench."""
    for file in sorted((folder / "livemcpbench").rglob("*.json")):
        for one in json.loads(file.read_text("utf-8")):
            yield one["messages"]


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Generated sessions of about 1 MB, one at a time: the same number gives the same session."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

from ullage import Ledger
from ullage.ledger.records import ExchangeRecord, ProducedRecord

SIZE = 1_000_000
TEXT = (
    "the order was sent on to another depot after its address could not be found in time and a "
    "customer asked twice for the state of it while nobody had an answer to give but a number"
)
WORDS = TEXT.split()
CAP = 30_000


def files(folder: Path, number: int) -> Path:
    """Write session `number` into a folder, in one of three forms in turn, and return its file."""
    form = FORMS[number % len(FORMS)]
    return form(folder, number)


def results(rng: random.Random) -> Iterator[str]:
    """Yield what tools returned: lists of records and logs, of many lengths, 1 MB in all."""
    left = SIZE
    while left > 0:
        size = rng.choice([400, 2_000, 8_000, 20_000, 40_000]) + rng.randrange(1_000)
        text = rows(rng, size) if rng.random() < 0.5 else lines(rng, size)
        left -= len(text)
        yield text


def rows(rng: random.Random, size: int) -> str:
    """Return a JSON list of records."""
    made = [
        {"id": f"ORD-{rng.randrange(10**8):08}", "state": rng.choice(WORDS), "note": said(rng, 9)}
        for _ in range(max(1, size // 95))
    ]
    return json.dumps(made)


def lines(rng: random.Random, size: int) -> str:
    """Return the lines of a log."""
    return "\n".join(f"{at:06} {said(rng, 12)}" for at in range(max(1, size // 70)))


def said(rng: random.Random, count: int) -> str:
    """Return some words."""
    return " ".join(rng.choices(WORDS, k=count))


def claude(folder: Path, number: int) -> Path:
    """Write a session of Claude Code: what a tool returned, and what the model was given of it."""
    rng = random.Random(number)
    session = f"session-{number}"
    records = [record(session, None, "user", {"role": "user", "content": said(rng, 30)})]
    for at, text in enumerate(results(rng)):
        call = f"toolu_{number:06}_{at:06}"
        use = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": f"get {at}"}}
        told = {
            "role": "assistant",
            "model": "claude-sonnet-4-5",
            "content": [{"type": "text", "text": said(rng, 20)}, use],
            "usage": {"input_tokens": 1_000 + 100 * at, "output_tokens": 50},
        }
        records.append(record(session, records[-1], "assistant", told))
        given = {"type": "tool_result", "tool_use_id": call, "content": text[:CAP]}
        result = record(session, records[-1], "user", {"role": "user", "content": [given]})
        records.append(result | {"toolUseResult": {"stdout": text, "stderr": ""}})
    path = folder / f"{session}.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in records), encoding="utf-8")
    return path


def record(
    session: str, before: dict[str, object] | None, kind: str, message: object
) -> dict[str, object]:
    """Return a record in the envelope of Claude Code."""
    place = 0 if before is None else int(str(before["uuid"]).rpartition("-")[2]) + 1
    return {
        "type": kind,
        "uuid": f"{session}-{place}",
        "parentUuid": None if before is None else before["uuid"],
        "sessionId": session,
        "isSidechain": False,
        "timestamp": "2026-01-01T00:00:00.000Z",
        "message": message,
    }


def messages(number: int) -> list[dict[str, object]]:
    """Return a conversation as a list of an OpenAI chat."""
    rng = random.Random(number)
    made: list[dict[str, object]] = [
        {"role": "system", "content": said(rng, 80)},
        {"role": "user", "content": said(rng, 30)},
    ]
    for at, text in enumerate(results(rng)):
        call = f"call_{number:06}_{at:06}"
        function = {"name": "get", "arguments": json.dumps({"at": at})}
        calls = [{"id": call, "type": "function", "function": function}]
        made += [
            {"role": "assistant", "content": said(rng, 20), "tool_calls": calls},
            {"role": "tool", "tool_call_id": call, "content": text[:CAP]},
        ]
    return [*made, {"role": "assistant", "content": said(rng, 60)}]


def chat(folder: Path, number: int) -> Path:
    """Write a conversation as one list of messages."""
    path = folder / f"chat-{number}.json"
    path.write_text(json.dumps({"messages": messages(number)}), encoding="utf-8")
    return path


def ledger(folder: Path, number: int) -> Path:
    """Write a ledger with one run: what tools produced, and the request that gave it."""
    path = folder / f"run-{number}.ledger"
    whole = messages(number)
    said_last = {"choices": [{"index": 0, "finish_reason": "stop", "message": whole.pop()}]}
    with Ledger(path) as kept:
        for one in whole:
            if one["role"] == "tool":
                kept.record(
                    ProducedRecord(
                        run="r",
                        tool="get",
                        kind="tool",
                        arguments="{}",
                        text=str(one["content"]) + "\nthe end",
                        at=1.0,
                        call_id=str(one["tool_call_id"]),
                    )
                )
        kept.record(
            ExchangeRecord(
                run="r",
                method="POST",
                path="/v1/chat/completions",
                upstream="http://127.0.0.1",
                request_headers=[("content-type", "application/json")],
                request_body=json.dumps({"model": "gpt-4o", "messages": whole}).encode(),
                status=200,
                response_headers=[("content-type", "application/json")],
                response_body=json.dumps(said_last).encode(),
                started=2.0,
                first_byte=2.5,
                ended=3.0,
                cohort="scripted",
            )
        )
    return path


FORMS = (claude, chat, ledger)

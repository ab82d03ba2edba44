"""A recorded result, and the two ways in which recordings are kept: lines, and a ledger."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ullage import Ledger
from ullage.ledger.records import ProducedRecord

BEGAN = 1_790_000_000.0
"""When the first result of a made ledger was recorded, in seconds since the epoch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a tool returned in a session, and how it was called."""

    session: str
    tool: str
    call_id: str
    text: str
    arguments: dict[str, object] = field(default_factory=dict)


def line_of(one: Result) -> str:
    """Return a result as a line that `ullage replay` reads."""
    return json.dumps(
        {
            "session": one.session,
            "tool": one.tool,
            "call_id": one.call_id,
            "arguments": one.arguments,
            "produced": one.text,
        },
        ensure_ascii=False,
    )


def write_lines(results: Iterable[Result], path: Path) -> int:
    """Write results as lines, and return how many there were."""
    lines = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for one in results:
            file.write(line_of(one) + "\n")
            lines += 1
    return lines


def write_ledger(results: Iterable[Result], path: Path, first: int = 0) -> int:
    """Record results in a ledger, the first of them as number `first`; return how many."""
    count = 0
    with Ledger(path) as ledger:
        for count, one in enumerate(results, 1):
            ledger.record(
                ProducedRecord(
                    run=one.session,
                    tool=one.tool,
                    kind="tool",
                    arguments=json.dumps(one.arguments, sort_keys=True, separators=(",", ":")),
                    text=one.text,
                    at=BEGAN + first + count - 1,
                    call_id=one.call_id,
                )
            )
    return count

"""Sessions by hand, and what the checks find in them."""

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ullage.checks.gather import Gatherer
from ullage.checks.session import Session
from ullage.checks.transcripts import session_of
from ullage.transcript.finding import Finding, Source
from ullage.transcript.message import Message, ToolCall
from ullage.transcript.served import Usage
from ullage.transcript.transcript import Entry, Produced, Transcript

WORDS = ("order", "paid", "open", "late", "refund", "berlin", "lagos", "urgent", "stock", "slow")


def asked(call_id: str, tool: str = "search", **arguments: Any) -> Entry:
    """An entry in which the model calls a tool."""
    call = ToolCall(call_id=call_id, name=tool, arguments=json.dumps(arguments))
    return Entry(message=Message(role="assistant", text="", calls=(call,)))


def given(
    call_id: str,
    text: str,
    produced: str | None = None,
    *,
    failed: bool = False,
    at: float | None = None,
    source: Source | None = None,
) -> Entry:
    """An entry with the result of a call."""
    return Entry(
        message=Message(role="tool", text=text, answers=call_id),
        produced=None if produced is None else Produced(text=produced),
        failed=failed,
        at=at,
        source=source or Source(),
    )


def wrote(text: str, tokens: int | None = None) -> Entry:
    """An entry that the model wrote, having read so many tokens."""
    usage = None if tokens is None else Usage(input=tokens)
    return Entry(message=Message(role="assistant", text=text), usage=usage)


def user(text: str) -> Entry:
    return Entry(message=Message(role="user", text=text))


def session(entries: Iterable[Entry], name: str = "s", form: str = "chat", **more: Any) -> Session:
    return session_of(Transcript(session=name, form=form, entries=list(entries), **more))


def of_results(
    texts: Sequence[str],
    name: str = "s",
    tool: str = "search",
    arguments: Mapping[str, Any] | None = None,
    **more: Any,
) -> Session:
    """A session in which a tool gave these texts, each in a line of its own."""
    entries = []
    for number, text in enumerate(texts, start=1):
        entries.append(asked(f"c{number}", tool, **(arguments or {"q": f"question {number}"})))
        source = Source(path="log.jsonl", line=2 * number)
        entries.append(given(f"c{number}", text, source=source))
    return session([user("go"), *entries, wrote("done")], name, **more)


def gathered(gatherer: Gatherer, *sessions: Session) -> list[Finding]:
    for one in sessions:
        gatherer.add(one)
    return list(gatherer.findings())


def rows_as_json(draw: random.Random, chars: int, indent: int | None = None) -> str:
    """A JSON list of at least so many characters, different each time."""
    rows: list[dict[str, Any]] = []
    while sum(40 + len(one["note"]) for one in rows) < chars:
        note = " ".join(draw.choices(WORDS, k=draw.randint(1, 9)))
        rows.append({"id": draw.randrange(10**6), "city": draw.choice(WORDS), "note": note})
    return json.dumps(rows, indent=indent)


def log(draw: random.Random, chars: int) -> str:
    """Log lines of at least so many characters."""
    lines: list[str] = []
    while sum(map(len, lines)) < chars:
        words = " ".join(draw.choices(WORDS, k=draw.randint(2, 14)))
        lines.append(
            f"{draw.choice(['INFO', 'WARN', 'ERROR'])} worker-{draw.randrange(99)}: {words}"
        )
    return "\n".join(lines) + "\n"


def prose(draw: random.Random, chars: int) -> str:
    """Sentences of at least so many characters, not all of them ASCII."""
    found: list[str] = []
    while sum(map(len, found)) < chars:
        words = " ".join(draw.choices([*WORDS, "größe", "naïve", "数据"], k=draw.randint(4, 20)))
        found.append(words.capitalize() + ".")
    return " ".join(found)


KINDS = {"json": rows_as_json, "log": log, "prose": prose}

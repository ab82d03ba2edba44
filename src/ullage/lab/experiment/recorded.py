"""A run as its ledger has it: each call with what was produced and what was delivered of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from ullage.errors import LedgerError
from ullage.ledger.store import Ledger

STAGES = ("investigate", "decide")
"""The agents of a run whose requests are the acting model's; a summariser's are auxiliary."""


class Sent(msgspec.Struct):
    """A message of a request, as far as it is asked about."""

    role: str
    content: str | None = None
    tool_call_id: str | None = None


class Request(msgspec.Struct):
    """A request body."""

    messages: list[Sent]


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """One call. `delivered` is its text in the first request that has it, None where none has."""

    number: int
    stage: str
    tool: str
    arguments: str
    produced: str
    delivered: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A run: its calls in order, the texts that the deciding stage began with, and sizes.

    `chars_in` counts the characters of all messages of all requests of the acting model.
    """

    made: Sequence[Made]
    decided_on: Sequence[str]
    requests: int
    chars_in: int
    answer: str | None


def recorded(ledger: Ledger, run: str) -> Recorded:
    """Read a run. Raises LedgerError where the ledger has no request of it."""
    delivered: dict[str, str] = {}
    decided_on: list[str] | None = None
    requests = chars = 0
    for one in ledger.exchanges(run, bodies="request"):
        if one.agent not in STAGES:
            continue
        texts = msgspec.json.decode(one.request_body, type=Request).messages
        requests += 1
        chars += sum(len(text.content or "") for text in texts)
        for text in texts:
            if text.role == "tool" and text.tool_call_id is not None:
                delivered.setdefault(text.tool_call_id, text.content or "")
        if one.agent == "decide" and decided_on is None:
            decided_on = [text.content or "" for text in texts]
    if not requests:
        raise LedgerError(f"{ledger.path} has no request of run {run!r}; look at `ledger stats`")
    made = [
        Made(
            number=at,
            stage=one.agent or "",
            tool=one.tool,
            arguments=one.arguments,
            produced=one.text,
            delivered=delivered.get(one.call_id or ""),
        )
        for at, one in enumerate(ledger.results(run), start=1)
    ]
    return Recorded(
        made=made,
        decided_on=decided_on or [],
        requests=requests,
        chars_in=chars,
        answer=answer_in(made),
    )


def answer_in(made: Sequence[Made]) -> str | None:
    """Return the answer of a run, None where none was given."""
    for one in made:
        if one.tool == "answer" and one.stage == "decide":
            arguments: Mapping[str, object] = msgspec.json.decode(one.arguments)
            return str(arguments.get("culprit", "")).strip()
    return None

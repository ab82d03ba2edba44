"""What the replies of all protocols share: their ids, their tokens, and how a stream is split."""

import json
import math
from collections.abc import Iterator

from ullage.probe.request import ModelRequest
from ullage.probe.script import Turn
from ullage.transcript.message import Message, ToolCall

Json = dict[str, object]

FINGERPRINT = "ullage-scripted"
WINDOW = 200_000
"""The window that lists of models name, in tokens; a plan may have another."""

# Small and not a divisor of common lengths, so that readers meet every kind of split.
PIECE = 7


def reply_id(prefix: str, request: ModelRequest) -> str:
    """Name a reply: the same to the same request, another to every other."""
    return f"{prefix}scripted-{request.assistant_messages}-{request.fingerprint}"


def call_id(request: ModelRequest, index: int) -> str:
    """Name a call: the same in the same request, another in every other."""
    return f"call_{request.assistant_messages}_{request.fingerprint}_{index}"


def tokens_said(turn: Turn) -> int:
    """Estimate the tokens of a reply as a quarter of its characters, rounded up."""
    said = len(turn.text) + sum(len(call.name + call.arguments_text) for call in turn.calls)
    return math.ceil(said / 4)


def has_text(turn: Turn) -> bool:
    """Whether a reply has a text, be it empty; one that is calls may have none."""
    return bool(turn.text) or not turn.calls


def pieces(text: str) -> Iterator[str]:
    """Split a text for streaming; nothing is left out."""
    for start in range(0, len(text), PIECE):
        yield text[start : start + PIECE]


def event(data: Json, name: str | None = None) -> bytes:
    """Build one event of a stream."""
    head = b"" if name is None else b"event: " + name.encode() + b"\n"
    return head + b"data: " + json.dumps(data).encode() + b"\n\n"


def message_of(turn: Turn, request: ModelRequest) -> Message:
    """Return a reply as the message that a history has of it."""
    calls = (
        ToolCall(call_id=call_id(request, index), name=one.name, arguments=one.arguments_text)
        for index, one in enumerate(turn.calls)
    )
    return Message(role="assistant", text=turn.text, calls=tuple(calls))

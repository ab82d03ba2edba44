"""Exchanges by hand, and what the checks find in them."""

from collections.abc import Sequence
from typing import Any

from ullage.checks.measure import measure_exchanges
from ullage.sources.bodies import exchange_of
from ullage.transcript.finding import Finding, Source
from ullage.wire.exchange import Exchange

CHAT, MESSAGES = "https://api.test/v1/chat/completions", "https://api.test/v1/messages"
RESPONSES = "https://api.test/v1/responses"
GEMINI = "https://api.test/v1beta/models/m:generateContent"
WORDS = "the quick brown fox jumps over the lazy dog. "


def exchange(url: str, request: Any, reply: Any, number: int = 1) -> Exchange:
    """An exchange as it is recorded: a reply as a document, or the bytes of a stream."""
    held = reply.decode() if isinstance(reply, bytes) else reply
    document = {"request": {"url": url, "body": request}, "response": {"body": held}}
    found = exchange_of(document, Source(path="log", line=number), number)
    assert found is not None
    return found


def judged(*exchanges: Exchange) -> list[Finding]:
    return list(measure_exchanges(exchanges).measurement.served)


def names(*exchanges: Exchange) -> list[str]:
    return [one.check for one in judged(*exchanges)]


def chat(finish: str = "stop", usage: int | None = None, **message: Any) -> dict[str, Any]:
    document: dict[str, Any] = {
        "choices": [{"index": 0, "finish_reason": finish, "message": message}]
    }
    if usage is not None:
        document["usage"] = {"prompt_tokens": usage, "completion_tokens": 9}
    return document


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def system(text: str) -> dict[str, Any]:
    return {"role": "system", "content": text}


def asked(*messages: Any, model: str = "gpt-4o", **more: Any) -> dict[str, Any]:
    return {"model": model, "messages": list(messages) or [user("list")], **more}


def call(arguments: str, call_id: str = "c1") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": "f", "arguments": arguments}}


def prompt(words: int, **more: Any) -> dict[str, Any]:
    """A prompt of ten tokens a sentence."""
    return asked(system("the rules"), user(WORDS * (words // 10)), **more)


TEXT = {"type": "text", "text": "half a"}


def edited(**more: Any) -> dict[str, Any]:
    return {"type": "message", "content": [TEXT], "stop_reason": "end_turn", **more}


def turns(*requests: Sequence[Any], **more: Any) -> list[Exchange]:
    return [
        exchange(CHAT, asked(*messages, **more), chat(content="a"), number)
        for number, messages in enumerate(requests, start=1)
    ]

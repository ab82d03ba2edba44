"""Which bodies are read, and by what: the tables of shapes, by path and by their own members."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from ullage.wire import anthropic, counted, gemini, openai_chat, openai_responses
from ullage.wire.members import Object
from ullage.wire.reply import Reply
from ullage.wire.request import Request
from ullage.wire.unfinished import Body

Provider = Literal["openai-chat", "openai-responses", "anthropic", "gemini"]
Kind = Literal["turn", "compact", "count", "fetch"]
"""What an exchange is for: a turn of the model; having a history compacted or a prompt counted,
which the acting model does not see; asking for a reply that was made before."""

MODEL = re.compile(r"/models/([^/:?]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """How the exchanges of one path are read."""

    provider: Provider
    kind: Kind
    is_path: Callable[[str], bool]
    read_request: Callable[[bytes], Request]
    read_reply: Callable[[bytes], Reply]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How bodies without a path are told and read: parsed requests, and replies taken apart."""

    provider: Provider
    is_request: Callable[[Object], bool]
    is_reply: Callable[[Object], bool]
    request: Callable[[Object], Request]
    reply: Callable[[Body], Reply]


def no_request(_: bytes) -> Request:
    """Return what a request without a body says."""
    return Request(messages=())


READERS: Sequence[Reader] = (
    Reader(
        provider="openai-chat",
        kind="turn",
        is_path=openai_chat.is_chat,
        read_request=openai_chat.read_request,
        read_reply=openai_chat.read_reply,
    ),
    Reader(
        provider="openai-responses",
        kind="turn",
        is_path=openai_responses.is_responses,
        read_request=openai_responses.read_request,
        read_reply=openai_responses.read_reply,
    ),
    Reader(
        provider="openai-responses",
        kind="compact",
        is_path=openai_responses.is_compact,
        read_request=openai_responses.read_request,
        read_reply=openai_responses.read_reply,
    ),
    Reader(
        provider="openai-responses",
        kind="count",
        is_path=openai_responses.is_count,
        read_request=openai_responses.read_request,
        read_reply=counted.read_reply,
    ),
    Reader(
        provider="openai-responses",
        kind="fetch",
        is_path=openai_responses.is_fetch,
        read_request=no_request,
        read_reply=openai_responses.read_reply,
    ),
    Reader(
        provider="anthropic",
        kind="turn",
        is_path=anthropic.is_messages,
        read_request=anthropic.read_request,
        read_reply=anthropic.read_reply,
    ),
    Reader(
        provider="anthropic",
        kind="count",
        is_path=anthropic.is_count,
        read_request=anthropic.read_request,
        read_reply=counted.read_reply,
    ),
    Reader(
        provider="gemini",
        kind="turn",
        is_path=gemini.is_gemini,
        read_request=gemini.read_request,
        read_reply=gemini.read_reply,
    ),
    Reader(
        provider="gemini",
        kind="count",
        is_path=gemini.is_count,
        read_request=gemini.read_request,
        read_reply=counted.read_reply,
    ),
)

# The stricter ones first: a chat body is what has messages and is nothing else.
SHAPES: Sequence[Shape] = (
    Shape(
        provider="gemini",
        is_request=gemini.is_request,
        is_reply=gemini.is_reply,
        request=gemini.request,
        reply=gemini.reply,
    ),
    Shape(
        provider="openai-responses",
        is_request=openai_responses.is_request,
        is_reply=openai_responses.is_reply,
        request=openai_responses.request,
        reply=openai_responses.reply,
    ),
    Shape(
        provider="anthropic",
        is_request=anthropic.is_request,
        is_reply=anthropic.is_reply,
        request=anthropic.request,
        reply=anthropic.reply,
    ),
    Shape(
        provider="openai-chat",
        is_request=openai_chat.is_request,
        is_reply=openai_chat.is_reply,
        request=openai_chat.request,
        reply=openai_chat.reply,
    ),
)


def reader_of(path: str) -> Reader | None:
    """Return how the exchanges of a path are read; None where they are not."""
    return next((one for one in READERS if one.is_path(path)), None)


def request_shape(document: Object) -> Shape | None:
    """Return the shape of a request body, by its members."""
    return next((one for one in SHAPES if one.is_request(document)), None)


def reply_shape(document: Object) -> Shape | None:
    """Return the shape of a reply, or of one event of a stream, by its members."""
    return next((one for one in SHAPES if one.is_reply(document)), None)


def model_in(path: str) -> str | None:
    """Return the model that a request target names, as Google's do."""
    found = MODEL.search(path)
    return found[1] if found else None

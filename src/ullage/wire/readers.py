"""Which bodies are read, and by what: by their path, else by their own members."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from ullage.wire import anthropic, counted, gemini, openai_chat, openai_responses
from ullage.wire.draft import Draft
from ullage.wire.members import Object, read_object
from ullage.wire.reply import Reply
from ullage.wire.request import Request
from ullage.wire.unfinished import Body, body_of

Provider = Literal["openai-chat", "openai-responses", "anthropic", "gemini"]
Kind = Literal["turn", "compact", "count", "fetch"]
"""What an exchange is for: a turn of the model; having a history compacted or a prompt counted,
which the acting model does not see; asking for a reply that was made before."""

MODEL = re.compile(r"/models/([^/:?]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How bodies of one provider are told by their own members, and read; nothing raises on data.

    `read` reads a request that has been parsed, `add` adds a reply that has been taken apart to
    a draft. Either may meet data that is nested deeper than Python can go.
    """

    provider: Provider
    is_request: Callable[[Object], bool]
    is_reply: Callable[[Object], bool]
    read: Callable[[Object], Request]
    add: Callable[[Draft, Body], Draft]

    def request(self, document: Object) -> Request:
        """Read a request body that has been parsed."""
        try:
            return self.read(document)
        except RecursionError:
            return Request(messages=(), not_understood=1)

    def reply(self, body: Body) -> Reply:
        """Read a reply that has been taken apart into its document or its events."""
        draft = Draft(streamed=body.streamed, ended=body.whole and not body.streamed)
        try:
            return self.add(draft, body).done()
        except RecursionError:
            return Draft(ended=True, not_understood=1).done()

    def read_request(self, body: bytes) -> Request:
        """Read a request body; one that is not JSON has no messages."""
        return self.request(read_object(body))

    def read_reply(self, body: bytes) -> Reply:
        """Read a whole reply: a stream is rebuilt into its message."""
        return self.reply(body_of(body))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """How the exchanges of one path are read."""

    shape: Shape
    kind: Kind
    is_path: Callable[[str], bool]

    @property
    def provider(self) -> Provider:
        """Whose path it is."""
        return self.shape.provider

    def read_request(self, body: bytes) -> Request:
        """Read a request body; who fetches a reply sends none."""
        return Request(messages=()) if self.kind == "fetch" else self.shape.read_request(body)

    def read_reply(self, body: bytes) -> Reply:
        """Read a whole reply; that of a count is alike at every provider."""
        return counted.read_reply(body) if self.kind == "count" else self.shape.read_reply(body)


CHAT = Shape(
    provider="openai-chat",
    is_request=openai_chat.is_request,
    is_reply=openai_chat.is_reply,
    read=openai_chat.request,
    add=openai_chat.add_body,
)
RESPONSES = Shape(
    provider="openai-responses",
    is_request=openai_responses.is_request,
    is_reply=openai_responses.is_reply,
    read=openai_responses.request,
    add=openai_responses.add_body,
)
ANTHROPIC = Shape(
    provider="anthropic",
    is_request=anthropic.is_request,
    is_reply=anthropic.is_reply,
    read=anthropic.request,
    add=anthropic.add_body,
)
GEMINI = Shape(
    provider="gemini",
    is_request=gemini.is_request,
    is_reply=gemini.is_reply,
    read=gemini.request,
    add=gemini.add_body,
)

# The stricter ones first: a chat body is what has messages and is nothing else.
SHAPES: Sequence[Shape] = (GEMINI, RESPONSES, ANTHROPIC, CHAT)

READERS: Sequence[Reader] = (
    Reader(shape=CHAT, kind="turn", is_path=openai_chat.is_chat),
    Reader(shape=RESPONSES, kind="turn", is_path=openai_responses.is_responses),
    Reader(shape=RESPONSES, kind="compact", is_path=openai_responses.is_compact),
    Reader(shape=RESPONSES, kind="count", is_path=openai_responses.is_count),
    Reader(shape=RESPONSES, kind="fetch", is_path=openai_responses.is_fetch),
    Reader(shape=ANTHROPIC, kind="turn", is_path=anthropic.is_messages),
    Reader(shape=ANTHROPIC, kind="count", is_path=anthropic.is_count),
    Reader(shape=GEMINI, kind="turn", is_path=gemini.is_gemini),
    Reader(shape=GEMINI, kind="count", is_path=gemini.is_count),
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

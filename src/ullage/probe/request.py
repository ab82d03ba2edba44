"""What the scripted model reads in a request, whatever its protocol. Pure."""

import hashlib
import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from ullage.probe.target import Target
from ullage.transcript.message import Message
from ullage.wire.body_parts import tools_in
from ullage.wire.members import Object, inside, text
from ullage.wire.readers import SHAPES, Provider
from ullage.wire.request import Settings

OUR_CALL = re.compile(r"\bcall_\d+_[0-9a-f]{8}_\d+\b")
"""The id of a call that the scripted model made."""

MODEL = "scripted"
SCHEMAS = ("parameters", "input_schema", "parametersJsonSchema", "parameters_json_schema")
# Their own words for tools that take a text without a form; the script has no such calls.
FREE = "custom"
# One reply may be several messages: an item for each call, a content for each piece of a stream.
IN_PIECES: Sequence[Provider] = ("openai-responses", "gemini")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool that a request offers; `parameters` is its JSON schema, empty where there is none."""

    name: str
    parameters: Object


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """A request as far as a script needs it.

    `messages` are those of the whole conversation, what the server holds of it included;
    `definitions` is None where no tools were sent along. `assistant_messages` counts the replies in
    it, `turn_messages` those since the user spoke last. `answered` tells that a call was made in
    this turn of the user's, and its result is there. `chars` counts the texts: contents, calls with
    their arguments, and tool definitions. `fingerprint` tells requests apart, so that ids differ
    between conversations. `failed` counts the failures of the plan's that the run has had.
    """

    protocol: Provider = "openai-chat"
    model: str = MODEL
    messages: tuple[Message, ...] = ()
    definitions: tuple[Tool, ...] | None = None
    assistant_messages: int = 0
    turn_messages: int = 0
    answered: bool = False
    chars: int = 0
    stream: bool = False
    listed: bool = False
    include_usage: bool = False
    fingerprint: str = "00000000"
    settings: Settings = field(default_factory=Settings)
    failed: int = 0

    @property
    def tools(self) -> tuple[str, ...] | None:
        """The names of the tools that are offered; None where none were sent along."""
        return None if self.definitions is None else tuple(one.name for one in self.definitions)

    @property
    def last_user(self) -> str:
        """What the user said last."""
        said = (one.text for one in reversed(self.messages) if one.role == "user")
        return next(said, "")

    @property
    def tokens(self) -> int:
        """The size of the prompt: a quarter of its characters, rounded up, as in the usage."""
        return math.ceil(self.chars / 4)


CHAT = Target()
READ = {shape.provider: shape for shape in SHAPES}


def read_request(
    body: Object, target: Target = CHAT, *, before: Sequence[Message] = ()
) -> ModelRequest:
    """Read a body; members that are missing or of another shape count as absent.

    `before` is what the server holds of the conversation. Raises RecursionError for a body that is
    nested deeper than Python can go.
    """
    body = inside(body, "generateContentRequest") or body  # how Gemini has a whole request counted
    read = READ[target.protocol].request(body)
    head = read.messages[: instructions(body)]
    messages = (*head, *before, *read.messages[len(head) :])
    tools = list(tools_in(body["tools"])) if body.get("tools") else None
    wire = json.dumps(body, sort_keys=True).encode()
    return ModelRequest(
        protocol=target.protocol,
        model=read.model or target.model or MODEL,
        messages=messages,
        definitions=None if tools is None else tuple(definitions(tools)),
        assistant_messages=sum(1 for _ in replies(messages, target.protocol)),
        turn_messages=since_the_user(messages, target.protocol),
        answered=is_answered(messages),
        chars=sum(map(chars_of, messages))
        + sum(len(json.dumps(tool, ensure_ascii=False)) for tool in tools or ()),
        stream=read.settings.stream if target.stream is None else target.stream,
        listed=target.listed,
        include_usage=inside(body, "stream_options").get("include_usage") is True,
        fingerprint=hashlib.sha256(wire).hexdigest()[:8],
        settings=read.settings,
    )


def instructions(body: Object) -> int:
    """Count the messages that are the instructions of one request only: those of Responses."""
    return 1 if isinstance(body.get("instructions"), str) else 0


def definitions(tools: Sequence[Object]) -> Iterator[Tool]:
    """Yield the tools that can be called by name; the provider's own have none."""
    for tool in tools:
        held = inside(tool, "function") or tool
        name = text(held, "name")
        if name and tool.get("type") != FREE:
            yield Tool(name=name, parameters=inside(held, *SCHEMAS))


def chars_of(message: Message) -> int:
    """Return the size of a message: what it says, and its calls."""
    return len(message.text) + sum(len(call.name + call.arguments) for call in message.calls)


def replies(messages: Sequence[Message], protocol: Provider) -> Iterator[Sequence[Message]]:
    """Yield the model's replies, each with the messages that it was written down as."""
    for by_model, run in groupby(messages, key=lambda one: one.role == "assistant"):
        if by_model and protocol in IN_PIECES:
            yield list(run)
        elif by_model:
            yield from ([one] for one in run)


def since_the_user(messages: Sequence[Message], protocol: Provider) -> int:
    """Count the replies since the user spoke last; what answers a call of ours is no new turn."""
    start, reply = 0, list[Message]()
    for place, message in enumerate(messages):
        if message.role == "assistant":
            goes_on = place > 0 and messages[place - 1].role == "assistant"
            reply = [*reply, message] if goes_on else [message]
        elif message.role == "user" and not calls_ours(reply):
            start = place
    return sum(1 for _ in replies(messages[start:], protocol))


def is_answered(messages: Sequence[Message]) -> bool:
    """Whether a call was made since the user spoke last.

    Some harnesses send results as the user's words: then the last reply is a call of ours.
    """
    if messages and messages[-1].role == "tool":
        return True
    return calls_ours(last_reply(messages))


def last_reply(messages: Sequence[Message]) -> Sequence[Message]:
    """Return the messages of the last reply."""
    end = len(messages)
    while end and messages[end - 1].role != "assistant":
        end -= 1
    start = end
    while start and messages[start - 1].role == "assistant":
        start -= 1
    return messages[start:end]


def calls_ours(reply: Sequence[Message]) -> bool:
    """Whether a reply is a call of ours, be it written down as a text."""
    said = [one.text for one in reply]
    said += [call.call_id or "" for one in reply for call in one.calls]
    return any(OUR_CALL.search(one) for one in said)

"""All that was seen of one case, and how each request of it reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, Protocol

from ullage.probe.canary import Payload
from ullage.probe.case import Case
from ullage.probe.script import Turn
from ullage.transcript.message import Message
from ullage.wire.body_parts import definitions
from ullage.wire.readers import reader_of, request_shape
from ullage.wire.request import Request

FETCH = "fetch_rows"
"""The tool that returns a payload, where a harness does not call it otherwise."""

Ended = Literal["done", "crashed", "looped", "timed-out", "not-started", "interrupted"]
"""How a case ended: the harness did it and went on, or ended with 0; it ended with another code; it
asked for ever; it was ended at its time limit; it could not be started; somebody stopped it."""


class Asked(Protocol):
    """One request that the scripted model got: its place, its body, and what it was answered.

    `size` is the body's in bytes.
    """

    @property
    def number(self) -> int:
        """Its place among the requests."""

    @property
    def path(self) -> str:
        """The path it was sent to."""

    @property
    def body(self) -> Mapping[str, object]:
        """The body as it was parsed."""

    @property
    def size(self) -> int:
        """The bytes of the body."""

    @property
    def status(self) -> int:
        """The status of the answer."""

    @property
    def turn(self) -> Turn | None:
        """What the script answered, None where it was not asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One request as messages.

    `tools` are the names of the tools that it offers, None where it offers none. `size` is in
    bytes. `follows` says that the server was to put an earlier conversation before the messages.
    """

    number: int
    messages: tuple[Message, ...]
    tools: tuple[str, ...] | None = None
    size: int = 0
    status: int = 200
    turn: Turn = field(default_factory=Turn)
    follows: bool = False

    @property
    def text(self) -> str:
        """All that its messages say, and the arguments of their calls."""
        return "\n".join(
            text
            for one in self.messages
            for text in (one.text, *(call.arguments for call in one.calls))
        )


@dataclass(frozen=True, kw_only=True)
class Observed:
    """What a harness did with one case: its requests, the tool's results, what its user got.

    `tool` is in the name of the tool that returns the payloads. `error` is what the harness says
    that it raised, `exit` the code of a process that ended in this case, `stderr` the end of what
    that wrote. `capped` counts the calls that the cap refused.
    `call_ids` are those of the calls in each reply, by the number of its request.
    """

    case: Case
    asked: Sequence[Asked] = ()
    payloads: Sequence[Payload] = ()
    answers: Sequence[str] = ()
    error: str | None = None
    ended: Ended = "done"
    tool: str = FETCH
    exit: int | None = None
    stderr: str = ""
    capped: int = 0
    call_ids: Mapping[int, Sequence[str | None]] = field(default_factory=dict)

    @cached_property
    def seen(self) -> tuple[Seen, ...]:
        """The requests as messages, in their order; those that are not read are left out."""
        return tuple(read for one in self.asked if (read := seen(one)) is not None)


def seen(asked: Asked) -> Seen | None:
    """Read a request by its path, else by its members; None where it is none to a model."""
    request = read_request(asked.path, asked.body)
    if request is None:
        return None
    return Seen(
        number=asked.number,
        messages=tuple(request.messages),
        tools=tool_names(asked.body),
        size=asked.size,
        status=asked.status,
        turn=asked.turn or Turn(),
        follows=request.follows is not None,
    )


def tool_names(body: Mapping[str, object]) -> tuple[str, ...] | None:
    """Return the names of the tools that a body offers, None where it offers none."""
    names = tuple(
        one.tool or "" for member in ("tools", "functions") for one in definitions(body.get(member))
    )
    return names or None


def read_request(path: str, body: Mapping[str, object]) -> Request | None:
    """Read a body; None where its path is of another kind (a count), or nobody knows its shape."""
    reader = reader_of(path)
    if reader is not None:
        return reader.shape.request(body) if reader.kind in ("turn", "compact") else None
    shape = request_shape(body)
    return None if shape is None else shape.request(body)

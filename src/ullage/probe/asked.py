"""One request that the scripted model got, how it was answered, and both as an exchange. Pure."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ullage.probe.protocols import PROTOCOLS
from ullage.probe.request import ModelRequest
from ullage.probe.script import Turn
from ullage.probe.target import Target
from ullage.wire.exchange import Exchange
from ullage.wire.failures import REFUSED, error_message
from ullage.wire.members import Object
from ullage.wire.readers import Provider, reader_of

EVENTS, DOCUMENT = "text/event-stream", "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request: its number among all, where it went, its body, and the turn that answered it.

    `size` is the body's, in bytes. A body that could not be read is empty here, and `request` is
    None. `turn` is None where no script was asked: for a count, and a history to be compacted; an
    error is a turn that is `refused`.
    """

    number: int
    target: Target
    body: Object
    size: int
    request: ModelRequest | None
    turn: Turn | None

    @property
    def run(self) -> str:
        """The run that its path named."""
        return self.target.run

    @property
    def protocol(self) -> Provider:
        """The protocol that its path belongs to."""
        return self.target.protocol

    @property
    def status(self) -> int:
        """The status that it was answered with."""
        refused = self.turn.refused if self.turn is not None else None
        return 200 if refused is None else refused.status

    @property
    def path(self) -> str:
        """Its path, without the run and the query."""
        return self.target.path


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What goes back over the wire; `pieces` are its body, one where it is not `streamed`."""

    status: int
    media_type: str
    pieces: Iterable[bytes]
    streamed: bool = False


def answer_of(asked: Asked) -> Answer:
    """Build the reply to a request; the same one each time."""
    protocol, turn, request = PROTOCOLS[asked.protocol], asked.turn, asked.request
    if turn is not None and turn.refused is not None:
        refused = turn.refused
        return document(asked.status, protocol.error(refused))
    if request is None or asked.target.kind is None:
        raise ValueError(f"request {asked.number} to {asked.path!r} was neither read nor refused")
    if turn is None:
        return document(200, protocol.other[asked.target.kind](request))
    if not request.stream:
        return document(200, protocol.whole(turn, request))
    media_type = DOCUMENT if request.listed else EVENTS
    events = protocol.events(turn, request)
    return Answer(status=200, media_type=media_type, pieces=events, streamed=True)


def document(status: int, body: Object) -> Answer:
    """Build a reply that is one document."""
    return Answer(status=status, media_type=DOCUMENT, pieces=[json.dumps(body).encode()])


def call_ids(asked: Asked) -> Sequence[str | None]:
    """Return the ids that a reply gave its calls, in their order; None for one without an id."""
    if asked.turn is None or not asked.turn.calls:
        return ()
    reply = exchange_of(asked).reply
    return () if reply is None else [call.call_id for call in reply.message.calls]


def exchange_of(asked: Asked) -> Exchange:
    """Return a request and its reply as our readers find them; an error is a failure in words."""
    reader, reply = reader_of(asked.path), b"".join(answer_of(asked).pieces)
    failed = asked.status >= REFUSED
    known = Exchange(
        number=asked.number,
        session=asked.run,
        path=asked.path,
        kind=asked.target.kind,
        body=asked.body,
        failure=f"{asked.status} {error_message(reply)}" if failed else None,
        cohort="scripted",
    )
    if reader is None:
        return known
    request = reader.shape.request(asked.body)
    return replace(
        known,
        request=replace(request, model=request.model or asked.target.model),
        reply=None if failed else reader.read_reply(reply),
    )

"""The first request of a stage, in a ledger or among bodies, as the texts in it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ullage.history.hand_arrival import parsed
from ullage.history.hand_block import checks_in
from ullage.ledger.store import Ledger
from ullage.wire.readers import reader_of, request_shape

Bodies = Sequence[bytes | str | Mapping[str, object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """The texts of one request, and which it is."""

    request: int
    texts: tuple[str, ...]


def first_in_ledger(
    ledger: Ledger, run: str, check: str | None, after: float, agent: str | None
) -> Sent | None:
    """Return the request of a run that a stage begins with.

    With an agent its first one since `after` (seconds since the epoch). Else the first since then
    that has the block with that check in it, or, where none has, simply the first.
    """
    first = None
    for one in ledger.exchanges(run, bodies="request"):
        reader = reader_of(one.path)
        if one.started < after or reader is None or reader.kind != "turn":
            continue
        if agent is not None and one.agent != agent:
            continue
        request = reader.read_request(one.request_body)
        sent = Sent(request=one.number, texts=tuple(each.text for each in request.messages))
        if agent is not None or check is None or carries(sent, check):
            return sent
        first = first or sent
    return first


def carries(sent: Sent, check: str) -> bool:
    """Whether a request has a block in it."""
    return any(check in checks_in(text) for text in sent.texts)


def first_of(bodies: Bodies) -> Sent | None:
    """Return the first of a stage's request bodies; None where there is none.

    Raises ValueError for what is no request of any provider.
    """
    if not bodies:
        return None
    document = parsed(bodies[0])
    shape = request_shape(document)
    if shape is None:
        raise ValueError(
            "the body is no request that is known here: give it as it is sent to OpenAI, Anthropic "
            "or Gemini"
        )
    texts = tuple(one.text for one in shape.request(document).messages)
    return Sent(request=0, texts=texts)


def redacted(sent: Sent | None, ledger: Ledger, run: str) -> Iterable[str]:
    """Return the texts of a request as the ledger would keep them: what findings are kept as."""
    return () if sent is None else [ledger.redacted(text, run) for text in sent.texts]

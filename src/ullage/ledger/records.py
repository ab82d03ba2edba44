"""What is written into a ledger, and what is read back.

A `…Record` is what a tap hands in, before redaction. A `Stored…` is what the ledger holds: texts
are the redacted ones, lengths are those of the original.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ullage.ledger.handing_records import HandingRecord
from ullage.ledger.history_records import HistoryRecord
from ullage.ledger.ticket import Ticket
from ullage.transcript.words import Cohort

Durability = Literal["async", "sync", "durable"]
"""When a record is committed: `async` in the background, within some 50 ms (a killed process loses
at most 256 records, and the ledger's next start says how many); `sync` before the caller goes on
(survives a killed process); `durable` the same, and survives power loss."""

Keep = Literal["full", "hashes", "counts"]
"""What is kept of a record: its texts; their keyed hashes and sizes; their sizes."""

ProducedKind = Literal["tool", "data"]
"""Made by a tool, or put into a message by the caller itself."""


Bodies = Literal["both", "request"]
"""Which bodies of an exchange are read back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A body of which no copy was kept: its size in bytes, its BLAKE3 digest, and the limit."""

    size: int
    digest: bytes
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeRecord:
    """One request and its reply as they went over the wire; times in seconds since the epoch (UTC).

    `path` is the request target without the run's tag, query included; `agent` is the agent that
    the tag names. `error` says in words why there is no whole reply. `cohort` is the kind of model,
    where the reply says so. A body that was too large to keep is empty, and what is known of it
    stands in `…_left_out`.
    """

    run: str
    method: str
    path: str
    upstream: str
    request_headers: Sequence[tuple[str, str]]
    request_body: bytes
    status: int | None
    response_headers: Sequence[tuple[str, str]]
    response_body: bytes
    started: float
    first_byte: float | None
    ended: float
    error: str | None = None
    cohort: Cohort | None = None
    agent: str | None = None
    request_left_out: LeftOut | None = None
    response_left_out: LeftOut | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProducedRecord:
    """One result as its maker returned it; `arguments` is canonical JSON, `key` an id field.

    `call_id` is the model's name for the call: a plain function does not know it.
    """

    run: str
    tool: str
    kind: ProducedKind
    arguments: str
    text: str
    at: float
    key: str | None = None
    agent: str | None = None
    call_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedOnRecord:
    """What the maker of a result gave to its framework; `result` is its number, or its ticket."""

    run: str
    result: int | Ticket
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsRecord:
    """A program's settings, whose secrets are to be known before the run shows them."""

    run: str
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRecord:
    """A declared step between two data sets: a filter, a de-duplication, a normalising."""

    run: str
    name: str
    taken_in: int
    handed_out: int
    dropped: Sequence[str]
    reason: str
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LateRecord:
    """A result that is made where it is prepared: in the background, if it is written there.

    `size` is about its bytes. What `make` reads must not change any more.
    """

    run: str
    make: Callable[[], ProducedRecord]
    size: int


Entry = (
    ExchangeRecord
    | ProducedRecord
    | HandedOnRecord
    | StepRecord
    | SettingsRecord
    | LateRecord
    | HistoryRecord
    | HandingRecord
)
"""What `Ledger.record` takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredExchange:
    """One exchange read back; bodies are decoded, whatever `content-encoding` says, and redacted.

    `response_body` is None where it was not asked for. Where `keep` is not `full` both are empty,
    and `request_bytes` and `response_bytes` still are the sizes of what went over the wire.
    """

    number: int
    run: str
    method: str
    path: str
    upstream: str
    request_headers: Mapping[str, str]
    request_body: bytes
    status: int | None
    response_headers: Mapping[str, str]
    response_body: bytes | None
    started: float
    first_byte: float | None
    ended: float
    error: str | None
    cohort: Cohort | None
    agent: str | None = None
    keep: Keep = "full"
    request_bytes: int = 0
    response_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredResult:
    """One produced result read back; `handed_on` is None where the tool did not say.

    Where `keep` is not `full`, arguments and texts are empty; `chars` is the size of what was
    produced, `handed_chars` of what was handed on.
    """

    number: int
    run: str
    tool: str
    kind: ProducedKind
    arguments: str
    text: str
    chars: int
    handed_on: str | None
    at: float
    key: str | None
    agent: str | None = None
    call_id: str | None = None
    keep: Keep = "full"
    handed_chars: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredStep:
    """One declared step read back."""

    number: int
    run: str
    name: str
    taken_in: int
    handed_out: int
    dropped: Sequence[str]
    reason: str
    at: float

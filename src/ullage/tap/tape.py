"""What is known so far of one exchange of an SDK's HTTP client, and writing it down at its end."""

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ullage.ledger.records import ExchangeRecord
from ullage.ledger.store import Ledger
from ullage.tap.tool import RecordingWarning
from ullage.transcript.words import COHORT_HEADER, Cohort, cohort_said
from ullage.wire.failures import PROGRAM_LEFT

# How the last event of a stream begins: a client may stop reading behind it.
LAST_EVENTS = (
    b"data: [DONE]",
    b"event: message_stop",
    b"event: response.completed",
    b"event: response.incomplete",
    b"event: response.failed",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Where an exchange is recorded; the ledger is opened when it is needed."""

    ledger: Callable[[], Ledger]
    run: str


class Tape:
    """Collects a copy of what passes; it is written once, at the end."""

    def __init__(self, kept: Kept, request: Any, *, clock: Callable[[], float] = time.time) -> None:
        self._kept, self._request, self._clock = kept, request, clock
        self._started = clock()
        self._first_byte: float | None = None
        self._response: Any = None
        self._reply: list[bytes] = []
        self._ended = False

    def begin(self, response: Any) -> bool:
        """Note a reply's head; return True if its body is there already, and is recorded."""
        self._response, self._first_byte = response, self._clock()
        if not response.is_closed and not response.is_stream_consumed:
            return False
        self.add(response.content)
        self.end()
        return True

    def add(self, chunk: bytes) -> None:
        """Note a piece of the reply's body."""
        self._reply.append(chunk)

    def end_early(self) -> None:
        """Record a reply that is closed: cut off, unless its last event has come."""
        self._end(None if has_last_event(b"".join(self._reply)) else PROGRAM_LEFT)

    def end(self, error: BaseException | None = None) -> None:
        """Record the exchange; `error` is why there is no whole reply."""
        self._end(None if error is None else f"{type(error).__name__}: {error}")

    def _end(self, error: str | None) -> None:
        if self._ended:
            return
        self._ended = True
        faults: list[str] = []
        try:
            self._kept.ledger().add_exchange(self._record(error), report=faults.append)
        except Exception as fault:  # noqa: BLE001  # nothing here may reach the program
            faults.append(f"{type(fault).__name__}: {fault}")
        for what in faults:
            warnings.warn(f"not recorded, or not whole: {what}", RecordingWarning, stacklevel=4)

    def _record(self, error: str | None) -> ExchangeRecord:
        request, response = self._request, self._response
        url = request.url
        return ExchangeRecord(
            run=self._kept.run,
            method=request.method,
            path=url.raw_path.decode("ascii", "backslashreplace"),
            upstream=f"{url.scheme}://{url.netloc.decode('ascii', 'backslashreplace')}",
            request_headers=headers(request),
            request_body=body_of(request),
            status=None if response is None else response.status_code,
            response_headers=[] if response is None else headers(response),
            response_body=b"".join(self._reply),
            started=self._started,
            first_byte=self._first_byte,
            ended=self._clock(),
            error=error,
            cohort=self._cohort(),
        )

    def _cohort(self) -> Cohort | None:
        """Say what kind of model answered; None where none did."""
        if self._response is None:
            return None
        return cohort_said(self._response.headers.get(COHORT_HEADER))


def has_last_event(body: bytes) -> bool:
    """Whether a stream of events came to its own end."""
    last = body.replace(b"\r\n", b"\n").rstrip().rpartition(b"\n\n")[2]
    return last.startswith(LAST_EVENTS)


def headers(message: Any) -> list[tuple[str, str]]:
    """Return a message's headers in order."""
    return [
        (name.decode("latin-1"), value.decode("latin-1")) for name, value in message.headers.raw
    ]


def body_of(request: Any) -> bytes:
    """Return a request's body; one that was streamed out of the program's hands is not there."""
    try:
        return bytes(request.content)
    except RuntimeError:  # httpx: RequestNotRead
        return b""

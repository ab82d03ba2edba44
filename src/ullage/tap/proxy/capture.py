"""What is known so far of one exchange."""

from collections.abc import Callable

import aiohttp

from ullage.ledger.records import ExchangeRecord
from ullage.tap.proxy.headers import Headers, RawHeaders, readable_headers
from ullage.transcript.words import Cohort

MARK = "x-ullage-cohort"


class Capture:
    """Collects a copy of what passes; `record` makes it a value to hand over."""

    def __init__(
        self,
        *,
        run: str,
        method: str,
        path: str,
        upstream: str,
        headers: RawHeaders,
        clock: Callable[[], float],
    ) -> None:
        self.run, self.method, self.path, self.upstream = run, method, path, upstream
        self.request_headers = readable_headers(headers)
        self.request_body = bytearray()
        self.recorded = False
        self._clock = clock
        self._started = clock()
        self._first_byte: float | None = None
        self._status: int | None = None
        self._headers: Headers = []
        self._scripted = False
        self._reply: list[bytes] = []

    def head(self, answer: aiohttp.ClientResponse) -> None:
        """Note a reply's status and headers, and when they came."""
        self._first_byte = self._clock()
        self._status = answer.status
        self._headers = readable_headers(answer.raw_headers)
        self._scripted = answer.headers.get(MARK) == "scripted"

    def add(self, chunk: bytes) -> None:
        """Note a piece of the reply's body."""
        self._reply.append(chunk)

    def record(self, error: str | None = None) -> ExchangeRecord:
        """Make the record of what came; from here on the exchange counts as recorded."""
        self.recorded = True
        return ExchangeRecord(
            run=self.run,
            method=self.method,
            path=self.path,
            upstream=self.upstream,
            request_headers=self.request_headers,
            request_body=bytes(self.request_body),
            status=self._status,
            response_headers=self._headers,
            response_body=b"".join(self._reply),
            started=self._started,
            first_byte=self._first_byte,
            ended=self._clock(),
            error=error,
            cohort=self._cohort(),
        )

    def _cohort(self) -> Cohort | None:
        """Say what kind of model answered; None where none did."""
        if self._status is None:
            return None
        return "scripted" if self._scripted else "external"

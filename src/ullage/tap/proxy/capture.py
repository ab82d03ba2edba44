"""What is known so far of one exchange."""

from collections.abc import Callable

import aiohttp

from ullage.ledger.records import ExchangeRecord
from ullage.tap.proxy.copies import BodyCopy
from ullage.tap.proxy.headers import RawHeaders, readable_headers
from ullage.transcript.words import COHORT_HEADER, Cohort, cohort_said


class Capture:
    """Collects a copy of what passes; `record` makes it a value to hand over.

    With `limit` None nothing is wanted of the exchange but its sizes and its status.
    """

    def __init__(
        self,
        *,
        run: str,
        agent: str | None,
        method: str,
        path: str,
        upstream: str,
        headers: RawHeaders,
        clock: Callable[[], float],
        limit: int | None,
    ) -> None:
        self.run, self.agent, self.method, self.path = run, agent, method, path
        self.upstream = upstream
        self.request_body, self.reply_body = BodyCopy(limit), BodyCopy(limit)
        self.wanted = limit is not None
        self.recorded = not self.wanted
        self.status: int | None = None
        self._clock = clock
        self._started = clock()
        self._first_byte: float | None = None
        self._sent: RawHeaders = headers
        self._came: RawHeaders = ()
        self._cohort: Cohort | None = None

    def head(self, answer: aiohttp.ClientResponse) -> None:
        """Note a reply's status and headers, and when they came."""
        self._first_byte = self._clock()
        self.status = answer.status
        self._came = answer.raw_headers
        self._cohort = cohort_said(answer.headers.get(COHORT_HEADER))

    def record(self, error: str | None = None) -> ExchangeRecord:
        """Make the record of what came; from here on the exchange counts as recorded."""
        self.recorded = True
        return ExchangeRecord(
            run=self.run,
            agent=self.agent,
            method=self.method,
            path=self.path,
            upstream=self.upstream,
            request_headers=readable_headers(self._sent),
            request_body=self.request_body.content(),
            request_left_out=self.request_body.left_out(),
            status=self.status,
            response_headers=readable_headers(self._came),
            response_body=self.reply_body.content(),
            response_left_out=self.reply_body.left_out(),
            started=self._started,
            first_byte=self._first_byte,
            ended=self._clock(),
            error=error,
            cohort=self._cohort,
        )

"""Each request of a run: what it said, what it no longer said, and what came back."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from ullage.checks.remembered import remembered
from ullage.checks.request_read import Read, RequestReader
from ullage.ledger.measurements import Delivery, deliveries, figures
from ullage.ledger.store import Ledger
from ullage.sources.ledger import exchange_of
from ullage.transcript.words import Boundary


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """A result that a request was the first to carry, and what had arrived of it."""

    result: int
    rate: float | None
    boundary: Boundary | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """One request as the log shows it; times in seconds since the epoch (UTC)."""

    number: int
    run: str
    agent: str | None
    method: str
    path: str
    started: float
    ended: float
    status: int | None
    failure: str | None
    read: Read
    carried: Sequence[Carried] = ()

    @property
    def failed(self) -> str | None:
        """Its status, if it failed: the words of an error may hold anything."""
        return None if self.failure is None else str(self.status or "no reply")

    def to_dict(self) -> dict[str, object]:
        """Return the members of `requests[]` in `ullage.requests/1`, in their order."""
        return {
            "number": self.number,
            "run": self.run,
            "agent": self.agent,
            "started": self.started,
            "ended": self.ended,
            "method": self.method,
            "path": self.path,
            "status": self.status,
            "failure": self.failure,
            **asdict(self.read),
            "carried": [asdict(one) for one in self.carried],
        }


def request_log(ledger: Ledger, run: str | None = None) -> Iterator[Logged]:
    """Give the requests of a ledger, of one run or of all, in the order of recording.

    What arrived of the results that a request carried is what was measured before, if it was.
    """
    readers: dict[str, RequestReader] = {}
    kept = figures(ledger.session, run)
    by_exchange: dict[int, list[Carried]] = {}
    for row in deliveries(ledger.session, run).values():
        if row.exchange is not None:
            by_exchange.setdefault(row.exchange, []).append(carried(row))
    for one in ledger.exchanges(run):
        exchange = exchange_of(one)
        if one.keep == "full":
            read = readers.setdefault(one.run, RequestReader()).read(exchange)
        else:
            read = remembered(kept[one.number]).read if one.number in kept else Read()
        yield Logged(
            number=one.number,
            run=one.run,
            agent=one.agent,
            method=one.method,
            path=one.path,
            started=one.started,
            ended=one.ended,
            status=one.status,
            failure=exchange.failure,
            read=read,
            carried=by_exchange.get(one.number, ()),
        )


def carried(row: Delivery) -> Carried:
    """Return what was measured of one result."""
    return Carried(result=row.result, rate=row.rate, boundary=row.boundary)

"""The proxy as a service inside an event loop that somebody else runs."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

from aiohttp import web

from ullage.errors import ProxyError
from ullage.tap.proxy.exposition import Metric
from ullage.tap.proxy.figures import LatestArrivals, arrived, counts
from ullage.tap.proxy.meters import Meters
from ullage.tap.proxy.onward import LONGEST_LINE, upstream_session
from ullage.tap.proxy.own import OwnPages
from ullage.tap.proxy.passage import RelayedRequest
from ullage.tap.proxy.recordings import Recorder, Recordings, Report
from ullage.tap.proxy.relay import Relay
from ullage.tap.proxy.settings import ProxySettings
from ullage.tap.proxy.switch import Missed, Switch, forget

LedgerCheck = Callable[[], Awaitable[str | None]]
"""Says why the ledger cannot be written to; None where it can."""


class Proxy:
    """A proxy that accepts requests: where it listens, and what it has relayed so far."""

    def __init__(self, url: str, *, switch: Switch, meters: Meters, recordings: Recordings) -> None:
        self.url = url
        """The address to give to clients, without a path."""
        self.switch = switch
        """The recorder's switch."""
        self._meters = meters
        self._recordings = recordings

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.url.rpartition(":")[2])

    @property
    def requests(self) -> Mapping[str, int]:
        """Requests relayed so far, by run; of the 10,000 runs that asked last."""
        return self._meters.runs.counts()

    @property
    def faults(self) -> int:
        """Records that were lost or are not whole; each was reported."""
        return self._recordings.faults


@asynccontextmanager
async def serving(
    settings: ProxySettings,
    recorder: Recorder,
    *,
    report: Report,
    clock: Callable[[], float] = time.time,
    check_ledger: LedgerCheck | None = None,
    arrivals: LatestArrivals | None = None,
    missed: Missed = forget,
) -> AsyncIterator[Proxy]:
    """Relay until the block is left; then wait for requests in flight and for their records.

    `report` gets a sentence about everything that is not recorded. Readiness asks `check_ledger`,
    and metrics `arrivals` for what arrived of recent results. `missed` is told what went by while
    the recorder was off, when that is over.
    """
    recordings = Recordings(recorder, report=report)
    switch = Switch(on=settings.recording, report=report, missed=missed)
    meters = Meters()

    async def troubles() -> list[str]:
        found = [] if switch.on else ["the recorder is switched off"]
        if recordings.waiting >= settings.full_queue:
            found.append(f"records waiting to be written: {recordings.waiting}")
        trouble = None if check_ledger is None else await check_ledger()
        return found if trouble is None else [*found, trouble]

    def metrics() -> list[Metric]:
        latest = None if arrivals is None else arrivals()
        return [*counts(meters, switch, recordings), *arrived(latest, clock())]

    async with upstream_session(settings.upstream_ca) as session:
        relay = Relay(
            settings,
            session,
            recordings,
            switch=switch,
            meters=meters,
            own=OwnPages(switch=switch, troubles=troubles, metrics=metrics),
            clock=clock,
        )
        runner = web.ServerRunner(
            server(relay),
            # aiohttp waits this long twice: for handlers to end, and for them to end cancelled.
            shutdown_timeout=settings.drain_seconds / 2,
        )
        await runner.setup()
        try:
            url = await listen(runner, settings)
            yield Proxy(url, switch=switch, meters=meters, recordings=recordings)
        finally:
            await runner.cleanup()
            await recordings.settle()
            switch.settle()


def server(relay: Relay) -> web.Server:
    """Build the server side, without routes: none matches every path there is."""
    loop = asyncio.get_running_loop()
    return web.Server(
        relay.handle,
        request_factory=lambda message, payload, protocol, writer, task: RelayedRequest(
            message, payload, protocol, writer, task, loop
        ),
        # A client that leaves cancels its request, so the upstream stops writing for nobody.
        handler_cancellation=True,
        access_log=None,
        auto_decompress=False,
        keepalive_timeout=3600,
        max_line_size=LONGEST_LINE,
        max_field_size=LONGEST_LINE,
    )


async def listen(runner: web.ServerRunner, settings: ProxySettings) -> str:
    """Accept connections, and return the address that clients can use."""
    try:
        await web.TCPSite(runner, settings.host, settings.port).start()
    except OSError as error:
        raise ProxyError(
            f"cannot listen on {settings.host}:{settings.port}: {error.strerror}: choose another "
            "port, or --port 0 for a free one"
        ) from error
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{host}:{runner.addresses[0][1]}"

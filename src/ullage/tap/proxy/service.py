"""The proxy as a service inside an event loop that somebody else runs."""

import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

from aiohttp import web

from ullage.errors import ProxyError
from ullage.tap.proxy.recordings import Recorder, Recordings, Report
from ullage.tap.proxy.relay import LONGEST_LINE, Relay, upstream_session
from ullage.tap.proxy.settings import LOOPBACK, ProxySettings


class Proxy:
    """A proxy that accepts requests: where it listens, and what it has relayed so far."""

    def __init__(self, port: int, relay: Relay, recordings: Recordings) -> None:
        self.port = port
        self._relay = relay
        self._recordings = recordings

    @property
    def url(self) -> str:
        """The address to give to clients, without a path."""
        return f"http://{LOOPBACK}:{self.port}"

    @property
    def requests(self) -> Mapping[str, int]:
        """Requests relayed so far, by run."""
        return self._relay.requests

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
) -> AsyncIterator[Proxy]:
    """Relay until the block is left; then wait for requests in flight and for their records.

    `report` gets a sentence about everything that is not recorded. Only this machine is served.
    """
    recordings = Recordings(recorder, report=report)
    async with upstream_session() as session:
        relay = Relay(settings, session, recordings, clock=clock)
        runner = web.AppRunner(
            relay.application(),
            access_log=None,
            auto_decompress=False,
            # A client that leaves cancels its request, so the upstream stops writing for nobody.
            handler_cancellation=True,
            keepalive_timeout=3600,
            max_line_size=LONGEST_LINE,
            max_field_size=LONGEST_LINE,
            # aiohttp waits this long twice: for handlers to end, and for them to end cancelled.
            shutdown_timeout=settings.drain_seconds / 2,
        )
        await runner.setup()
        try:
            yield Proxy(await listen(runner, settings.port), relay, recordings)
        finally:
            await runner.cleanup()
            await recordings.settle()


async def listen(runner: web.AppRunner, port: int) -> int:
    """Accept connections on the loopback address, and return the port."""
    try:
        await web.TCPSite(runner, LOOPBACK, port).start()
    except OSError as error:
        raise ProxyError(
            f"cannot listen on {LOOPBACK}:{port}: {error.strerror}: choose another port, or "
            "--port 0 for a free one"
        ) from error
    bound: int = runner.addresses[0][1]
    return bound

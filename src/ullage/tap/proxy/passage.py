"""One reply on its way back: everything flows, and its end waits for the record."""

import asyncio
import socket
import struct
from collections.abc import Callable
from contextlib import suppress

import aiohttp
from aiohttp import web

from ullage.tap.proxy.capture import Capture
from ullage.tap.proxy.headers import end_to_end
from ullage.tap.proxy.hold import HoldBack
from ullage.tap.proxy.recordings import Recordings

NO_BODY = (204, 304)


class RelayedResponse(web.StreamResponse):
    """A reply that carries the upstream's status line and headers, and no others."""

    def __init__(self, answer: aiohttp.ClientResponse) -> None:
        self.relayed = end_to_end(answer.raw_headers)
        super().__init__(status=answer.status, reason=answer.reason)
        self.headers.extend(self.relayed)

    def take_out_defaults(self) -> None:
        """Take out what aiohttp adds of its own accord."""
        names = {name.lower() for name, _ in self.relayed}
        for name in ("Content-Type", "Date", "Server"):
            if name.lower() not in names:
                self.headers.popall(name, None)


class RelayedRequest(web.BaseRequest):
    """A request whose relayed reply gets no headers of aiohttp's own."""

    async def _prepare_hook(self, response: web.StreamResponse) -> None:
        if isinstance(response, RelayedResponse):
            response.take_out_defaults()


class Passage:
    """The way back of one reply, from its head to its end or to the place where it broke."""

    def __init__(
        self,
        request: web.BaseRequest,
        answer: aiohttp.ClientResponse,
        capture: Capture,
        recordings: Recordings,
        *,
        done_seconds: float,
        timer: Callable[[], float],
    ) -> None:
        self.response = RelayedResponse(answer)
        self._request, self._answer = request, answer
        self._capture, self._recordings = capture, recordings
        self._done_seconds = done_seconds
        self.ended = False
        """Whether the end of the reply was reached, so that it is recorded if it is to be."""
        self.waited = 0.0
        """Seconds from the upstream's end to ours: what the record made the client wait."""
        self._timer = timer
        length = self.response.content_length
        self._bodyless = request.method == "HEAD" or answer.status in NO_BODY or length == 0
        # With nothing to record, nothing has to wait for it.
        length = length if capture.wanted else None
        events = capture.wanted and answer.content_type == "text/event-stream"
        self._hold = HoldBack(
            length=None if self._bodyless else length, events=events, keep=recordings.holds
        )

    async def pass_back(self) -> None:
        """Forward the reply; its record is committed before its last byte goes out.

        Where nothing is to be held, the record is handed over when the reply's end has come.
        """
        if self._bodyless:
            await self._commit()  # the end of the head is the end of the reply
        await self.response.prepare(self._request)
        try:
            await self._forward()
        except asyncio.CancelledError:
            if self._hold.done:  # the client has what it waited for, and did not wait for more
                await self._commit()
            raise
        came = self._timer()
        if self._hold.done and self._recordings.holds:
            await self._take_last_bytes()
        await self._commit()
        await self.response.write(self._hold.release())
        self.waited = self._timer() - came
        await self._forward_late()
        await self.response.write_eof()

    async def break_off(self, error: str) -> None:
        """Record and forward what came of a reply that broke; `disconnect` comes next."""
        flowing = self._take(left_unread(self._answer.content))
        self.ended = True
        if self._capture.wanted:
            left = self._request.transport is None or self._request.transport.is_closing()
            whole = left and self._hold.done
            await self._recordings.commit(self._capture.record(None if whole else error))
        # ValueError: a head that aiohttp refuses to write.
        with suppress(ConnectionError, ValueError):
            await self.response.prepare(self._request)
            await self.response.write(flowing + self._hold.release())

    def disconnect(self) -> None:
        """Close the client's connection in a way that shows that the reply is short."""
        transport = self._request.transport
        if transport is None:
            return
        if "Content-Length" in self.response.headers or self._request.version >= (1, 1):
            transport.close()  # after what was written; the reply is visibly short
            return
        # The end of the connection is the end of such a reply: only a reset says that it is short.
        wire = transport.get_extra_info("socket")
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()

    async def _forward(self) -> None:
        async for chunk in self._answer.content.iter_any():
            flowing = self._take(chunk)
            if self._hold.ended and not self._recordings.holds:
                await self._commit()  # before the client can leave with the last byte
            if flowing:
                await self.response.write(flowing)
            if self._hold.done and self._recordings.holds:
                break

    async def _take_last_bytes(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._done_seconds):
                async for chunk in self._answer.content.iter_any():
                    self._take(chunk)

    async def _forward_late(self) -> None:
        late = 0
        async for chunk in self._answer.content.iter_any():
            late += len(chunk)
            await self.response.write(chunk)
        if late:
            after = f"that {self._capture.upstream} sent after [DONE]"
            self._recordings.fault(f"not recorded: {late} bytes {after}", kind=f"bytes {after}")

    def _take(self, chunk: bytes) -> bytes:
        self._capture.reply_body.add(chunk)
        return self._hold.take(chunk)

    async def _commit(self) -> None:
        self.ended = True
        if not self._capture.recorded:
            await self._recordings.commit(self._capture.record())


def left_unread(content: aiohttp.StreamReader) -> bytes:
    """Return what had come before the break and was not read yet.

    Once a connection broke, every public method raises instead of handing it out.
    """
    return b"".join(getattr(content, "_buffer", ()))

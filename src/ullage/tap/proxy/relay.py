"""Requests to the upstreams, replies back, nothing changed; a copy goes to the recorder."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass

import aiohttp
from aiohttp import web
from yarl import URL

from ullage.tap.proxy.access import Access
from ullage.tap.proxy.capture import Capture
from ullage.tap.proxy.headers import (
    ANSWERED_HERE,
    Headers,
    end_to_end,
    is_text,
    unsendable,
)
from ullage.tap.proxy.meters import Meters, Refusal
from ullage.tap.proxy.onward import EXACT
from ullage.tap.proxy.own import OwnPages
from ullage.tap.proxy.passage import Passage
from ullage.tap.proxy.recordings import Recordings
from ullage.tap.proxy.refusals import failure, refusal
from ullage.tap.proxy.settings import ProxySettings, Upstream
from ullage.tap.proxy.switch import Switch
from ullage.tap.proxy.target import Target, split_target
from ullage.wire.failures import CLIENT_LEFT

NOT_A_PATH = (
    "request target {!a} is not a path: use this address as a base URL, not as an HTTP proxy"
)
NO_WEBSOCKETS = "websockets are not relayed: have the client use plain HTTP requests"


@dataclass(frozen=True, slots=True)
class Onward:
    """One upstream, and its address as the client side wants it."""

    upstream: Upstream
    scheme: str
    authority: str

    def url(self, path: str) -> URL:
        """Return the address of a path, of which no character is changed."""
        # As a path, question mark and all: aiohttp would take a lone `?` off.
        return URL.build(scheme=self.scheme, authority=self.authority, path=path, encoded=True)


def onward(upstream: Upstream) -> Onward:
    """Make an upstream ready to be asked."""
    base = URL(upstream.origin)
    return Onward(upstream, base.scheme, base.raw_authority)


class Relay:
    """Forwards every request to its upstream, and answers what is meant for the proxy itself."""

    def __init__(
        self,
        settings: ProxySettings,
        session: aiohttp.ClientSession,
        recordings: Recordings,
        *,
        switch: Switch,
        meters: Meters,
        own: OwnPages,
        clock: Callable[[], float],
    ) -> None:
        self._settings = settings
        self._session = session
        self._recordings = recordings
        self._switch, self._meters, self._own = switch, meters, own
        self._clock = clock
        self._access = Access(settings.token)
        self._onward = upstreams(settings)
        # The longest first: /a/b is for its own upstream also where there is one for /a.
        self._prefixes = sorted(filter(None, self._onward), key=len, reverse=True)

    async def handle(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer one request."""
        raw = request.raw_path
        if not raw.startswith("/") or not is_text(raw):
            return self._refused(400, "bad-target", NOT_A_PATH.format(raw))
        target = split_target(
            raw,
            self._settings.default_run,
            prefixes=self._prefixes,
            with_token=self._access.wanted,
        )
        if not self._access.allows(request, target):
            return self._refused(401, "bad-token", self._access.how())
        if target.own:
            return await self._own.answer(request, target.path)
        to = self._onward.get(target.prefix)
        if to is None:
            known = ", ".join(f"{prefix}/…" for prefix in self._prefixes)
            return self._refused(
                404, "no-upstream", f"no upstream for {target.path!a}: there is one for {known}"
            )
        return await self._counted(request, target, to)

    def _refused(self, status: int, code: Refusal, message: str) -> web.Response:
        self._meters.refused[code] += 1
        return refusal(status, code, message)

    async def _counted(
        self, request: web.BaseRequest, target: Target, to: Onward
    ) -> web.StreamResponse:
        capture = self._capture(request, target, to)
        if request.headers.get("Upgrade", "").lower() == "websocket":
            if not capture.recorded:
                await self._recordings.commit(capture.record(NO_WEBSOCKETS))
            return self._refused(426, "no-websocket", NO_WEBSOCKETS)
        meters = self._meters
        meters.runs.add(target.run)
        meters.in_flight += 1
        try:
            return await self._relay(request, target, to, capture)
        except asyncio.CancelledError:
            if not capture.recorded:
                self._recordings.begin(capture.record(CLIENT_LEFT))
            raise
        finally:
            meters.in_flight -= 1
            meters.requests[target.prefix, capture.status or 0] += 1
            meters.sent[target.prefix] += capture.request_body.size
            meters.came[target.prefix] += capture.reply_body.size

    def _capture(self, request: web.BaseRequest, target: Target, to: Onward) -> Capture:
        return Capture(
            run=target.run,
            agent=target.agent,
            method=request.method,
            path=target.path,
            upstream=to.upstream.origin,
            headers=self._access.without_token(request.raw_headers),
            clock=self._clock,
            limit=self._settings.largest_body if self._switch.wanted(target.run) else None,
        )

    async def _relay(
        self, request: web.BaseRequest, target: Target, to: Onward, capture: Capture
    ) -> web.StreamResponse:
        passage: Passage | None = None
        try:
            answer = await self._ask(request, to.url(target.path), capture)
            try:
                passage = self._passage(request, answer, capture)
                await passage.pass_back()
            finally:
                answer.close()  # at its end it has been let go already; else nobody wants the rest
            self._meters.added.add(passage.waited)
        except (aiohttp.ClientError, OSError, ValueError) as error:
            what = CLIENT_LEFT if gone(request) else failure(error, to.upstream)
            self._meters.broken[target.prefix] += 1
            if passage is None:
                if not capture.recorded:
                    await self._recordings.commit(capture.record(what))
                return refusal(502, "upstream-failed", what)
            await self._broken(request, passage, capture, what)
        return passage.response

    async def _broken(
        self, request: web.BaseRequest, passage: Passage, capture: Capture, what: str
    ) -> None:
        if not passage.ended:
            await passage.break_off(what)
        elif capture.wanted and not gone(request):
            self._recordings.fault(f"recorded as whole before it broke: {what}")
        passage.disconnect()

    async def _ask(
        self, request: web.BaseRequest, url: URL, capture: Capture
    ) -> aiohttp.ClientResponse:
        headers = end_to_end(self._access.without_token(request.raw_headers), but=ANSWERED_HERE)
        self._say_what_is_dropped("request", headers)
        EXACT.set(headers)
        return await self._session.request(
            request.method,
            url,
            data=upload(request, capture) if request.body_exists else None,
            allow_redirects=False,
        )

    def _passage(
        self, request: web.BaseRequest, answer: aiohttp.ClientResponse, capture: Capture
    ) -> Passage:
        capture.head(answer)
        passage = Passage(
            request,
            answer,
            capture,
            self._recordings,
            done_seconds=self._settings.done_seconds,
            timer=time.perf_counter,
        )
        self._say_what_is_dropped("reply", passage.response.relayed)
        return passage

    def _say_what_is_dropped(self, what: str, headers: Headers) -> None:
        for name in unsendable(headers):
            self._recordings.fault(
                f"{what} header {name!r} holds bytes that are not UTF-8: relayed without them"
            )


def upstreams(settings: ProxySettings) -> Mapping[str, Onward]:
    """Return the upstreams by prefix, the default one under the empty text."""
    default = {} if settings.upstream is None else {"": settings.upstream}
    return {prefix: onward(upstream) for prefix, upstream in {**default, **settings.mounts}.items()}


async def upload(request: web.BaseRequest, capture: Capture) -> AsyncIterator[bytes]:
    """Pass on a request's body as it comes, and keep a copy."""
    # The upstream is there and has the head. It is not asked: one that does not know `Expect`
    # would leave both sides waiting.
    if request.headers.get("Expect", "").lower() == "100-continue":
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    async for chunk in request.content.iter_any():
        capture.request_body.add(chunk)
        yield chunk


def gone(request: web.BaseRequest) -> bool:
    """Say whether the client has closed its connection."""
    return request.transport is None or request.transport.is_closing()

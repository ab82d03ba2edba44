"""Requests to the upstream, replies back, nothing changed; a copy goes to the recorder."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from types import SimpleNamespace
from typing import Literal

import aiohttp
from aiohttp import web
from yarl import URL

from ullage.tap.proxy.capture import Capture
from ullage.tap.proxy.headers import ANSWERED_HERE, end_to_end, is_text, unsendable
from ullage.tap.proxy.passage import Passage, take_out_defaults
from ullage.tap.proxy.recordings import Recordings
from ullage.tap.proxy.settings import ProxySettings, Upstream
from ullage.tap.proxy.target import Target, split_target

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Fault = Literal["bad-target", "no-websocket", "upstream-failed"]

LONGEST_LINE = 1 << 20
AUTOMATIC = ("Accept", "Accept-Encoding", "Content-Type", "User-Agent")
LEFT = "the client went away, or the proxy was stopped, before the reply's end"


class Relay:
    """Forwards every request to one upstream; `requests` counts them by run."""

    def __init__(
        self,
        settings: ProxySettings,
        session: aiohttp.ClientSession,
        recordings: Recordings,
        *,
        clock: Callable[[], float],
    ) -> None:
        self.requests: Counter[str] = Counter()
        self._settings = settings
        self._session = session
        self._recordings = recordings
        self._clock = clock
        self._base = URL(settings.upstream.origin)

    def application(self) -> web.Application:
        """Build the server side; a middleware, because no route matches every path there is."""

        @web.middleware
        async def every_path(request: web.Request, handler: Handler) -> web.StreamResponse:
            return await self._handle(request)

        app = web.Application(middlewares=[every_path])
        app.on_response_prepare.append(take_out_defaults)
        return app

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        raw = request.raw_path
        if not raw.startswith("/") or not is_text(raw):
            return refusal(
                400,
                "bad-target",
                f"request target {raw!a} is not a path: use this address as a base URL, not as an "
                "HTTP proxy",
            )
        target = split_target(raw, self._settings.default_run)
        capture = self._capture(request, target)
        if request.headers.get("Upgrade", "").lower() == "websocket":
            error = "websockets are not relayed: have the client use plain HTTP requests"
            await self._recordings.commit(capture.record(error))
            return refusal(426, "no-websocket", error)
        self.requests[target.run] += 1
        try:
            return await self._relay(request, target, capture)
        except asyncio.CancelledError:
            if not capture.recorded:
                self._recordings.begin(capture.record(LEFT))
            raise

    def _capture(self, request: web.Request, target: Target) -> Capture:
        return Capture(
            run=target.run,
            method=request.method,
            path=target.path,
            upstream=self._settings.upstream.origin,
            headers=request.raw_headers,
            clock=self._clock,
        )

    async def _relay(
        self, request: web.Request, target: Target, capture: Capture
    ) -> web.StreamResponse:
        passage: Passage | None = None
        try:
            answer = await self._ask(request, target, capture)
            try:
                passage = self._passage(request, answer, capture)
                await passage.pass_back()
            finally:
                answer.close()  # at its end it has been let go already; else nobody wants the rest
        except (aiohttp.ClientError, OSError, ValueError) as error:
            what = LEFT if gone(request) else failure(error, self._settings.upstream)
            if passage is None:
                await self._recordings.commit(capture.record(what))
                return refusal(502, "upstream-failed", what)
            if not capture.recorded:
                await passage.break_off(what)
            elif not gone(request):
                self._recordings.fault(f"recorded as whole before it broke: {what}")
            passage.disconnect()
        return passage.response

    async def _ask(
        self, request: web.Request, target: Target, capture: Capture
    ) -> aiohttp.ClientResponse:
        headers = end_to_end(request.raw_headers, but=ANSWERED_HERE)
        self._say_what_is_dropped("request", headers)
        # As a path, question mark and all: aiohttp would take a lone `?` off.
        url = URL.build(
            scheme=self._base.scheme,
            authority=self._base.raw_authority,
            path=target.path,
            encoded=True,
        )
        return await self._session.request(
            request.method,
            url,
            data=upload(request, capture) if request.body_exists else None,
            allow_redirects=False,
            skip_auto_headers=AUTOMATIC,
            trace_request_ctx=headers,
        )

    def _passage(
        self, request: web.Request, answer: aiohttp.ClientResponse, capture: Capture
    ) -> Passage:
        capture.head(answer)
        self._say_what_is_dropped("reply", end_to_end(answer.raw_headers))
        return Passage(
            request,
            answer,
            capture,
            self._recordings,
            done_seconds=self._settings.done_seconds,
        )

    def _say_what_is_dropped(self, what: str, headers: list[tuple[str, str]]) -> None:
        for name in unsendable(headers):
            self._recordings.fault(
                f"{what} header {name!r} holds bytes that are not UTF-8: relayed without them"
            )


async def upload(request: web.Request, capture: Capture) -> AsyncIterator[bytes]:
    """Pass on a request's body as it comes, and keep a copy."""
    async for chunk in request.content.iter_any():
        capture.request_body += chunk
        yield chunk


def upstream_session() -> aiohttp.ClientSession:
    """Open the client side: no cookies, redirects, time limits or settings of the environment."""
    exact = aiohttp.TraceConfig()
    exact.on_request_start.append(put_exact_headers)
    return aiohttp.ClientSession(
        # Idle connections are let go before common servers close them (5 s and more): a request
        # on a connection that is just being closed fails.
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=4),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=None, sock_read=None),
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        trust_env=False,
        max_line_size=LONGEST_LINE,
        max_field_size=LONGEST_LINE,
        trace_configs=[exact],
    )


async def put_exact_headers(
    session: aiohttp.ClientSession,
    context: SimpleNamespace,
    params: aiohttp.TraceRequestStartParams,
) -> None:
    """Hand over all headers: as an argument, those that differ in case only would become one."""
    params.headers.clear()
    params.headers.extend(context.trace_request_ctx)


def refusal(status: int, code: Fault, message: str) -> web.Response:
    """Answer in our own name, in the shape that clients of model APIs show to their users."""
    error = {"message": f"ullage proxy: {message}", "type": "ullage_proxy_error", "code": code}
    return web.json_response({"error": error}, status=status)


def failure(error: Exception, upstream: Upstream) -> str:
    """Say which upstream, what happened, and what to do."""
    where = f"upstream {upstream.origin}"
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        return f"{where}: its certificate is not trusted ({error.certificate_error})"
    if isinstance(error, aiohttp.ClientConnectorError):
        reason = error.os_error.strerror or error.os_error
        return f"{where} cannot be reached ({reason}): start it, or correct --upstream"
    if isinstance(error, aiohttp.ServerDisconnectedError):
        return f"{where} closed the connection before it answered: look into its log"
    if isinstance(error, aiohttp.ClientPayloadError):
        return f"{where} broke off in the middle of its reply: look into its log"
    return f"{where} failed: {error or type(error).__name__}"


def gone(request: web.Request) -> bool:
    """Say whether the client has closed its connection."""
    return request.transport is None or request.transport.is_closing()

"""The proxy's own pages, below `/_ullage/`: whether it is well, its figures, its switch."""

import json
from collections.abc import Awaitable, Callable, Mapping

from aiohttp import web

from ullage.tap.proxy.exposition import CONTENT_TYPE, Metric, exposition
from ullage.tap.proxy.refusals import document, refusal
from ullage.tap.proxy.switch import Switch
from ullage.tap.proxy.target import OWN

Page = Callable[[web.BaseRequest], Awaitable[web.Response]]
Troubles = Callable[[], Awaitable[list[str]]]
"""Says what keeps the recorder from recording, in sentences; nothing where it could."""


class OwnPages:
    """Answers requests that are meant for the proxy itself."""

    def __init__(
        self, *, switch: Switch, troubles: Troubles, metrics: Callable[[], list[Metric]]
    ) -> None:
        self._switch, self._troubles, self._metrics = switch, troubles, metrics
        self._pages: Mapping[tuple[str, str], Page] = {
            ("GET", f"{OWN}/healthz"): self._health,
            ("GET", f"{OWN}/readyz"): self._ready,
            ("GET", f"{OWN}/metrics"): self._figures,
            ("GET", f"{OWN}/recorder"): self._state,
            ("POST", f"{OWN}/recorder"): self._turn,
        }

    async def answer(self, request: web.BaseRequest, path: str) -> web.Response:
        """Answer one of our own pages; for what is none, say which ones there are."""
        method = "GET" if request.method == "HEAD" else request.method
        page = self._pages.get((method, path.partition("?")[0]))
        if page is None:
            known = ", ".join(" ".join(key) for key in self._pages)
            return refusal(404, "no-such-page", f"no page {request.method} {path!a}: {known}")
        return await page(request)

    async def _health(self, _: web.BaseRequest) -> web.Response:
        return document({"healthy": True})

    async def _ready(self, _: web.BaseRequest) -> web.Response:
        troubles = await self._troubles()
        return document(
            {"ready": not troubles, "why_not": troubles}, status=503 if troubles else 200
        )

    async def _figures(self, _: web.BaseRequest) -> web.Response:
        text = exposition(self._metrics()).encode()
        return web.Response(body=text, headers={"Content-Type": CONTENT_TYPE})

    async def _state(self, _: web.BaseRequest) -> web.Response:
        return document({"on": self._switch.on, "passed_by": self._switch.passed_by})

    async def _turn(self, request: web.BaseRequest) -> web.Response:
        # A page in a browser may send plain text to any address, but JSON only if it is let.
        if request.content_type != "application/json" or "Origin" in request.headers:
            return refusal(
                403, "bad-request", "the recorder is switched with Content-Type: application/json"
            )
        try:
            wanted = json.loads(await request.read())
        except ValueError:
            wanted = None
        if not isinstance(wanted, dict) or not isinstance(wanted.get("on"), bool):
            return refusal(400, "bad-request", 'send {"on": true} or {"on": false}')
        self._switch.turn(on=wanted["on"])
        return await self._state(request)

"""A recording pass-through as one would write it with starlette and httpx, for uvicorn.

The upstream's port is in $UPSTREAM.
"""

import contextlib
import os
from collections.abc import AsyncIterator

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

KEPT = 500

recorded: list[tuple[bytes, bytes]] = []


@contextlib.asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    """Hold one client for all requests."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=256)
    upstream = os.environ["UPSTREAM"]  # noqa: TID251 - uvicorn hands no arguments on
    base = f"http://127.0.0.1:{upstream}"
    async with httpx.AsyncClient(base_url=base, timeout=None, limits=limits) as client:
        app.state.client = client
        yield


async def relay(request: Request) -> StreamingResponse:
    """Pass one request and its reply on, and keep a copy."""
    client: httpx.AsyncClient = request.app.state.client
    body = await request.body()
    kind = {"content-type": request.headers.get("content-type", "")}
    sent = client.build_request(request.method, request.url.path, content=body, headers=kind)
    answer = await client.send(sent, stream=True)

    async def pieces() -> AsyncIterator[bytes]:
        parts = []
        try:
            async for data in answer.aiter_raw():
                yield data
                parts.append(data)
        finally:
            await answer.aclose()
            recorded.append((body, b"".join(parts)))
            del recorded[:-KEPT]

    kind = {"content-type": answer.headers.get("content-type", "")}
    return StreamingResponse(pieces(), status_code=answer.status_code, headers=kind)


app = Starlette(routes=[Route("/{path:path}", relay, methods=["GET", "POST"])], lifespan=lifespan)

"""A model server without a model: answers chat requests from a script."""

import json
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

from aiohttp import web

from ullage.errors import UllageError
from ullage.probe.openai_chat import FINGERPRINT, MODEL, completion, events
from ullage.probe.request import ModelRequest, read_request
from ullage.probe.script import Script, Turn, first_tool_once, offered_only
from ullage.transcript.words import COHORT_HEADER

LOOPBACK = "127.0.0.1"
MARK = {COHORT_HEADER: "scripted"}
LARGEST_REQUEST = 1 << 30
CAP = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request that the server got: whose, and its body."""

    run: str
    body: Mapping[str, object]


class ScriptedModel:
    """Answers by the run's script, else by `default`. At most `cap` tool calls a run are made.

    Past the cap the answer is a text that says so: a harness that asks for ever is a finding, and
    no test hangs on it. `asked` keeps the last `keep` requests (all of them if None), `capped`
    counts the answers that the cap changed, by run; `report` hears of the first of each run.
    """

    def __init__(
        self,
        scripts: Mapping[str, Script] | None = None,
        *,
        default: Script = first_tool_once,
        cap: int = CAP,
        keep: int | None = None,
        report: Callable[[str], None] | None = None,
    ) -> None:
        self.asked: deque[Asked] = deque(maxlen=keep)
        self.capped: Counter[str] = Counter()
        self.tool_calls: Counter[str] = Counter()
        self._scripts = {} if scripts is None else scripts
        self._default = default
        self._cap = cap
        self._report = report

    def turn(self, run: str, request: ModelRequest) -> Turn:
        """Choose the answer to a request of a run, and count its tool calls."""
        script = self._scripts.get(run, self._default)
        turn = offered_only(script(request), request)
        if self.tool_calls[run] + len(turn.calls) > self._cap:
            return self._over_the_cap(run)
        self.tool_calls[run] += len(turn.calls)
        return turn

    def application(self) -> web.Application:
        """Build the server; all but chat completions and the list of models is a 404."""
        app = web.Application(client_max_size=LARGEST_REQUEST, middlewares=[in_json])
        for prefix in ("/v1", "/run/{run}/v1"):
            app.router.add_post(f"{prefix}/chat/completions", self._chat)
            app.router.add_get(f"{prefix}/models", models)
        return app

    def _over_the_cap(self, run: str) -> Turn:
        self.capped[run] += 1
        text = f"scripted: the cap of {self._cap} tool calls for run {run!r} is reached"
        if self.capped[run] == 1 and self._report:
            self._report(text)
        return Turn(text=text)

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        run = request.match_info.get("run", "default")
        try:
            body = json.loads(await request.read())
        except ValueError as error:
            return fault(400, f"the request's body is not JSON: {error}")
        if not isinstance(body, dict):
            return fault(400, "the request's body is not a JSON object")
        self.asked.append(Asked(run=run, body=body))
        asked = read_request(body)
        turn = self.turn(run, asked)
        if not asked.stream:
            return web.json_response(completion(turn, asked), headers=MARK)
        response = web.StreamResponse(headers={**MARK, "Content-Type": "text/event-stream"})
        await response.prepare(request)
        for event in events(turn, asked):
            await response.write(event)
        await response.write_eof()
        return response


async def models(request: web.Request) -> web.Response:
    """List the one model there is."""
    model = {"id": MODEL, "object": "model", "created": 0, "owned_by": FINGERPRINT}
    return web.json_response({"object": "list", "data": [model]}, headers=MARK)


@web.middleware
async def in_json(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Answer what has no route in JSON, as the model APIs do."""
    try:
        return await handler(request)
    except web.HTTPException as error:
        return fault(error.status, f"{request.method} {request.path}: {error.reason}")


def fault(status: int, message: str) -> web.Response:
    """Build an error in the shape that clients show to their users."""
    error = {"message": f"scripted model server: {message}", "type": "invalid_request_error"}
    return web.json_response({"error": error}, status=status, headers=MARK)


class Served(Protocol):
    """What can be served: it builds its application."""

    def application(self) -> web.Application:
        """Build the server."""


@asynccontextmanager
async def serving(model: Served, *, port: int = 0) -> AsyncIterator[str]:
    """Serve on this machine only; yield the address that `/v1` or `/run/TAG/v1` follows."""
    runner = web.AppRunner(model.application(), access_log=None, shutdown_timeout=2)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, LOOPBACK, port).start()
        except OSError as error:
            raise UllageError(
                f"cannot listen on {LOOPBACK}:{port}: {error.strerror}: choose another port, or "
                "--port 0 for a free one"
            ) from error
        yield f"http://{LOOPBACK}:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()

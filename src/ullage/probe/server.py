"""A model server without a model: answers the requests of four protocols from a script."""

import json
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count
from typing import Protocol

from aiohttp import web

from ullage.errors import UllageError
from ullage.probe.asked import Answer, Asked, answer_of, document
from ullage.probe.held import HeldReplies
from ullage.probe.protocols import PROTOCOLS
from ullage.probe.request import MODEL, ModelRequest, instructions, read_request
from ullage.probe.said import message_of, reply_id
from ullage.probe.script import Refusal, Script, Turn, first_tool_once, offered_only
from ullage.probe.target import Target, guessed, models_in, target_of
from ullage.transcript.message import Message
from ullage.transcript.words import COHORT_HEADER
from ullage.wire.members import NOTHING, Object, read_object
from ullage.wire.settings import followed

LOOPBACK = "127.0.0.1"
MARK = {COHORT_HEADER: "scripted"}
LARGEST_REQUEST = 1 << 30
CAP = 100
# A second: clients wait for as long, and try again.
AGAIN = {status: {"Retry-After": "1"} for status in (429, 503, 529)}


class ScriptedModel:
    """Answers by the run's script, else by `default`. At most `cap` tool calls a run are made.

    Past the cap the answer is a text that says so: a harness that asks for ever is a finding, and
    no test hangs on it. `asked` keeps the last `keep` requests (all of them if None), `capped`
    counts the answers that the cap changed, by run; `report` hears of the first of each run.
    `largest` is the largest body that is read, in bytes.
    """

    def __init__(
        self,
        scripts: Mapping[str, Script] | None = None,
        *,
        default: Script = first_tool_once,
        cap: int = CAP,
        keep: int | None = None,
        report: Callable[[str], None] | None = None,
        largest: int = LARGEST_REQUEST,
    ) -> None:
        self.asked: deque[Asked] = deque(maxlen=keep)
        self.capped: Counter[str] = Counter()
        self.tool_calls: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self._held = HeldReplies()
        self._numbers = count(1)
        self._scripts = {} if scripts is None else scripts
        self._default = default
        self._cap = cap
        self._report = report
        self._largest = largest

    def turn(self, run: str, request: ModelRequest) -> Turn:
        """Choose the answer to a request of a run, and count its tool calls and failures."""
        script = self._scripts.get(run, self._default)
        turn = offered_only(script(replace(request, failed=self.failed[run])), request)
        if turn.refused is not None:
            if turn.refused.kind == "planned":
                self.failed[run] += 1
            return turn
        if self.tool_calls[run] + len(turn.calls) > self._cap:
            return self._over_the_cap(run)
        self.tool_calls[run] += len(turn.calls)
        return turn

    def ask(self, target: Target, raw: bytes) -> Asked:
        """Read a request, choose its answer, and keep both."""
        if target.kind is None:
            return self.refuse(target, no_route(target.path), len(raw), read_object(raw))
        body = read_body(raw)
        if isinstance(body, Refusal):
            return self.refuse(target, body, len(raw))
        before = self._before(target, body)
        if isinstance(before, Refusal):
            return self.refuse(target, before, len(raw), body)
        try:
            request = read_request(body, target, before=before)
        except RecursionError:
            return self.refuse(target, faulty(400, TOO_DEEP), len(raw))
        turn = self.turn(target.run, request) if target.kind == "turn" else None
        if turn is not None and turn.refused is None:
            self._hold(target, body, request, turn)
        return self._keep(target, body, len(raw), request, turn)

    def refuse(self, target: Target, refused: Refusal, size: int, body: Object = NOTHING) -> Asked:
        """Keep a request that is answered by an error."""
        return self._keep(target, body, size, None, Turn(refused=refused))

    def application(self, routes: Sequence[web.RouteDef] = ()) -> web.Application:
        """Build the server; what no protocol has is a 404 in the shape of the client's provider.

        `routes` are paths of somebody else's, which come first.
        """
        app = web.Application(client_max_size=self._largest, middlewares=[in_json])
        app.router.add_routes(routes)
        app.router.add_post("/{path:.*}", self._post)
        app.router.add_get("/{path:.*}", get)
        return app

    def _before(self, target: Target, body: Object) -> tuple[Message, ...] | Refusal:
        """Return what the server holds of a conversation that a request goes on with."""
        follows = followed(body) if target.protocol == "openai-responses" else None
        if follows is None:
            return ()
        held = self._held.before(target.run, follows)
        if held is not None:
            return held
        message = (
            f"Previous response with id '{follows}' not found. (scripted model server: the last "
            f"{self._held.most} stored responses of a run are held, and no conversations)"
        )
        return Refusal(status=400, kind="not-held", message=message)

    def _hold(self, target: Target, body: Object, request: ModelRequest, turn: Turn) -> None:
        """Remember what a reply stands for, unless the request says not to."""
        if target.protocol != "openai-responses" or body.get("store") is False:
            return
        messages = (*request.messages[instructions(body) :], message_of(turn, request))
        self._held.hold(target.run, reply_id("resp_", request), messages)

    def _keep(
        self,
        target: Target,
        body: Object,
        size: int,
        request: ModelRequest | None,
        turn: Turn | None,
    ) -> Asked:
        asked = Asked(
            number=next(self._numbers),
            target=target,
            body=body,
            size=size,
            request=request,
            turn=turn,
        )
        self.asked.append(asked)
        return asked

    def _over_the_cap(self, run: str) -> Turn:
        self.capped[run] += 1
        text = f"scripted: the cap of {self._cap} tool calls for run {run!r} is reached"
        if self.capped[run] == 1 and self._report:
            self._report(text)
        return Turn(text=text)

    async def _post(self, request: web.Request) -> web.StreamResponse:
        path = request.rel_url.raw_path
        target = target_of(path, request.query, request.headers)
        if target.kind is None and models_in(path)[0]:
            raise web.HTTPMethodNotAllowed(request.method, ["GET"])
        try:
            asked = self.ask(target, await request.read())
        except web.HTTPRequestEntityTooLarge:
            refused = faulty(413, f"the request's body is larger than {self._largest} bytes")
            asked = self.refuse(target, refused, request.content_length or self._largest)
        return await sent(request, answer_of(asked))


TOO_DEEP = "the request's body is nested too deeply"


def read_body(raw: bytes) -> dict[str, object] | Refusal:
    """Parse a body, which must be a JSON object."""
    try:
        body = json.loads(raw)
    except RecursionError:
        return faulty(400, TOO_DEEP)
    except ValueError as error:
        return faulty(400, f"the request's body is not JSON: {error}")
    return body if isinstance(body, dict) else faulty(400, "the request's body is not an object")


def faulty(status: int, message: str) -> Refusal:
    """Return the answer to a request that cannot be answered otherwise."""
    return Refusal(status=status, kind="faulty", message=f"scripted model server: {message}")


def no_route(path: str) -> Refusal:
    """Return the answer to a path that no protocol has."""
    return faulty(404, f"POST {path}: Not Found")


async def get(request: web.Request) -> web.StreamResponse:
    """List the one model there is, or describe any: each name that is asked for is a model."""
    path = request.rel_url.raw_path
    is_models, name = models_in(path)
    if not is_models:
        known = target_of(path, request.query, request.headers).kind is not None
        raise web.HTTPMethodNotAllowed(request.method, ["POST"]) if known else web.HTTPNotFound
    protocol = PROTOCOLS[guessed(path, request.headers)]
    listed = protocol.one_model(name) if name else protocol.model_list([MODEL])
    return await sent(request, document(200, listed))


async def sent(request: web.Request, answer: Answer) -> web.StreamResponse:
    """Send an answer, piece by piece; a client that goes away gets no more."""
    headers = {**MARK, **AGAIN.get(answer.status, {}), "Content-Type": answer.media_type}
    if not answer.streamed:
        return web.Response(status=answer.status, headers=headers, body=b"".join(answer.pieces))
    response = web.StreamResponse(status=answer.status, headers=headers)
    try:
        await response.prepare(request)
        for piece in answer.pieces:
            await response.write(piece)
        await response.write_eof()
    except ConnectionError:
        pass
    return response


@web.middleware
async def in_json(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Answer what has no route in JSON, as the model APIs do."""
    try:
        return await handler(request)
    except ConnectionError:
        # It went away in the middle of its body: nobody reads this.
        return web.Response(status=400, headers=MARK)
    except web.HTTPException as error:
        protocol = PROTOCOLS[guessed(request.path, request.headers)]
        refused = faulty(error.status, f"{request.method} {request.path}: {error.reason}")
        return await sent(request, document(error.status, protocol.error(refused)))


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

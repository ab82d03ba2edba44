"""The probe's server: a scripted model, and where a harness gets its cases and payloads."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from aiohttp import web

from ullage.probe.asked import Asked
from ullage.probe.canary import Payload, payload, prompt
from ullage.probe.case import Case
from ullage.probe.request import ModelRequest
from ullage.probe.script import Script, Turn
from ullage.probe.server import CAP, ScriptedModel, serving

if TYPE_CHECKING:
    from ullage.probe.desk import Desk

ASK_AGAIN = 202
NO_MORE = 204
SHAPE = 'an answer is {"answer": text} or {"error": text}'


@dataclass(slots=True)
class Seen:
    """What was seen of one case so far.

    `flooded` is set when the harness has asked for more replies than any plan has.
    """

    case: Case
    file: Path | None = None
    payloads: list[Payload] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    answered_requests: int = 0
    flooded: asyncio.Event = field(default_factory=asyncio.Event)


class Bench:
    """The cases that are open, by their tags, and the model that answers in them.

    `model_url` gives the address of a case's model requests without `/v1`: they may go through a
    proxy that records them.
    """

    def __init__(self, *, cap: int = CAP) -> None:
        self.scripts: dict[str, Script] = {}
        self.model = ScriptedModel(self.scripts, cap=cap)
        self.open: dict[str, Seen] = {}
        self.desks: dict[str, Desk] = {}
        self.url = ""
        self.model_url: Callable[[str], str] = lambda tag: f"{self.url}/run/{tag}"
        self.begun: Callable[[Case], None] = lambda _: None
        self._cap = cap

    def begin(self, case: Case, script: Callable[[Seen], Script], file: Path | None) -> Seen:
        """Open a case: its requests are answered, its payloads made."""
        seen = Seen(case=case, file=file)
        self.begun(case)
        self.open[case.tag] = seen
        self.scripts[case.tag] = counting(seen, script(seen), self._cap)
        return seen

    def close(self, case: Case) -> None:
        """Let go of a case; what still comes for it is answered, and not looked at."""
        del self.open[case.tag]
        self.model.asked.clear()

    def asked_in(self, seen: Seen) -> list[Asked]:
        """Return a case's requests: its own, and those that name no case."""
        tag = seen.case.tag
        return [one for one in self.model.asked if one.run == tag or one.run not in self.scripts]

    def case_url(self, tag: str) -> str:
        """Return where a harness finds its case."""
        return f"{self.url}/case/{tag}"

    def application(self) -> web.Application:
        """Build the server: the model's paths, and those of the cases."""
        return self.model.application(
            [
                web.get("/case/{tag}", self._case),
                web.get("/case/{tag}/payload", self._payload),
                web.post("/case/{tag}/answer", self._answer),
                web.get("/worker/{name}/next", self._next),
            ]
        )

    def described(self, seen: Seen) -> Mapping[str, object]:
        """Return a case as a harness gets it."""
        case, root = seen.case, self.model_url(seen.case.tag)
        return {
            "tag": case.tag,
            "kind": case.kind,
            "variant": case.variant,
            "model": case.model,
            "returns": case.returns,
            "base_url": f"{root}/v1",
            "root_url": root,
            "prompts": [prompt(case, turn) for turn in range(case.turns)],
            "file": None if seen.file is None else str(seen.file),
            "window": case.window,
            "url": self.case_url(case.tag),
        }

    def next_payload(self, seen: Seen) -> Payload:
        """Make what the tool returns now; it is counted as produced."""
        made = payload(seen.case, len(seen.payloads))
        seen.payloads.append(made)
        return made

    def take_printed(self, seen: Seen) -> None:
        """Count the file's payload as produced where its records came without a call of ours."""
        if seen.payloads or seen.file is None:
            return
        first = payload(seen.case, 0)
        for one in self.asked_in(seen):
            text = json.dumps(one.body, ensure_ascii=False)
            if any(identity in text for identity in first.places):
                self.next_payload(seen)
                return

    async def _case(self, request: web.Request) -> web.Response:
        seen = self.open.get(request.match_info["tag"])
        return no_case(request) if seen is None else web.json_response(self.described(seen))

    async def _payload(self, request: web.Request) -> web.Response:
        seen = self.open.get(request.match_info["tag"])
        return no_case(request) if seen is None else web.Response(text=self.next_payload(seen).text)

    async def _answer(self, request: web.Request) -> web.Response:
        seen = self.open.get(request.match_info["tag"])
        if seen is None:
            return no_case(request)
        try:
            said = json.loads(await request.read())
        except ValueError as error:
            return web.Response(status=400, text=f"the answer is not JSON: {error}")
        if not isinstance(said, dict) or not said.keys() & {"answer", "error"}:
            return web.Response(status=400, text=SHAPE)
        if "error" in said:
            seen.errors.append(str(said["error"]))
        else:
            seen.answers.append(str(said["answer"]))
        return web.Response(status=NO_MORE)

    async def _next(self, request: web.Request) -> web.Response:
        desk = self.desks.get(request.match_info["name"])
        if desk is None:
            return web.Response(status=NO_MORE)
        try:
            case = await desk.take()
        except TimeoutError:
            return web.Response(status=ASK_AGAIN)
        if case is None:
            return web.Response(status=NO_MORE)
        seen = self.open.get(case.tag)
        return no_case(request) if seen is None else web.json_response(self.described(seen))


def counting(seen: Seen, script: Script, cap: int) -> Script:
    """Count the replies of a case; past twice the cap and its turns, it is flooded."""

    def counted(request: ModelRequest) -> Turn:
        seen.answered_requests += 1
        if seen.answered_requests > 2 * (cap + seen.case.turns):
            seen.flooded.set()
        return script(request)

    return counted


def no_case(request: web.Request) -> web.Response:
    """Say that a tag names no case that is open."""
    return web.Response(status=404, text=f"{request.path}: there is no case of this name")


@asynccontextmanager
async def benching(bench: Bench, *, port: int = 0) -> AsyncIterator[Bench]:
    """Serve a bench on this machine only."""
    async with serving(bench, port=port) as url:
        bench.url = url
        yield bench

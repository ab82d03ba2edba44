"""A run that is recorded inside this process: a pass-through, the tools, an SDK's client."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TypeVar

from ullage.checks.measure import measure
from ullage.checks.measured import Measurement
from ullage.checks.run import run_checks
from ullage.integrate.arrived import assert_arrived
from ullage.integrate.background import Background
from ullage.ledger.store import Ledger
from ullage.probe import server as scripted
from ullage.probe.script import first_tool_each_turn
from ullage.sources.ledger import exchange_of
from ullage.tap import sdk
from ullage.tap.environment import DURABILITY, LEDGER, RUN, environment, variables
from ullage.tap.proxy.recorder import LedgerRecorder
from ullage.tap.proxy.service import serving
from ullage.tap.proxy.settings import ProxySettings, parse_upstream
from ullage.tap.tool import FROM_BEHIND, lent
from ullage.transcript.finding import Finding
from ullage.wire.exchange import Exchange

SCRIPTED = "scripted"
"""The upstream that is no model: a scripted server of this process, which needs no network."""

BASE_URLS = ("OPENAI_BASE_URL", "OPENAI_API_BASE", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL")
# Their clients add the version to the address themselves.
ROOT_URLS = ("ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL")
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY")
# Either is enough for Google's client, and with both it warns.
OTHER_KEYS = {"GEMINI_API_KEY": "GOOGLE_API_KEY"}
# A harness that asks for ever ends here; a grid of pipelines stays below it.
MOST_CALLS = 10_000

Client = TypeVar("Client")


class RecordedRun:
    """What was recorded so far, as it is asked for; `record_run` makes one.

    `base_url` is for a client: requests to it are recorded and go on to the upstream.
    """

    def __init__(self, ledger: Ledger, name: str, base_url: str) -> None:
        self.ledger, self.name, self.base_url = ledger, name, base_url

    def record_client(self, client: Client) -> Client:
        """Record what goes through an SDK's HTTP client, and return that client.

        For one whose address cannot be set; what goes to `base_url` is recorded without it.
        """
        return sdk.record_client(client)

    @property
    def exchanges(self) -> Sequence[Exchange]:
        """The requests and their replies, in the order in which they ended."""
        return list(self.exchanges_after(0))

    def exchanges_after(self, number: int) -> Iterator[Exchange]:
        """Give the exchanges behind a number; 0 gives all."""
        path = str(self.ledger.path)
        return (exchange_of(one, path) for one in self.ledger.exchanges(self.name, after=number))

    @property
    def requests(self) -> Sequence[Mapping[str, object]]:
        """The bodies of the requests to the model, in order: what it was given."""
        return [one.body for one in self.exchanges if one.kind == "turn" and one.request]

    @property
    def measurement(self) -> Measurement:
        """What was produced, what the model was given of it, and where it was lost."""
        return measure(self.ledger, self.name)

    @property
    def findings(self) -> Sequence[Finding]:
        """What the checks of a run found."""
        return run_checks(self.measurement)

    def assert_arrived(
        self,
        *,
        tool: str | None = None,
        key: str | None = None,
        least: float = 1.0,
        or_told: bool = False,
    ) -> None:
        """Raise AssertionError unless all that was recorded as produced arrived.

        The options are those of `ullage.assert_arrived`.
        """
        __tracebackhide__ = True
        assert_arrived(self, tool=tool, key=key, least=least, or_told=or_told)


@contextmanager
def record_run(
    ledger: Path | str, *, run: str = "test", upstream: str = SCRIPTED
) -> Iterator[RecordedRun]:
    """Record what this process does in the block into a ledger, under the name `run`.

    `upstream` is the address of a model's API as a client has it (`https://api.openai.com/v1`), or
    "scripted": a server without a model that speaks OpenAI's, Anthropic's and Gemini's protocols,
    calls the first tool offered, once a turn and without arguments, then says "done". In the block
    `ULLAGE_LEDGER` and `ULLAGE_RUN` are set, and the base URLs of OpenAI's, Anthropic's and
    Gemini's clients, so that a program that takes them from there is recorded as it is; for a
    scripted model, keys that are not there get a placeholder.
    Variables are those of the process: one such block at a time. Raises ProxyError for an address
    that cannot be used, LedgerError for a ledger that cannot.
    """
    path = Path(ledger).absolute()
    with ExitStack() as stack:
        opened = stack.enter_context(
            closing(Ledger(path, durability="sync", report=FROM_BEHIND.append))
        )
        stack.enter_context(lent(opened))
        recorder = stack.enter_context(closing(LedgerRecorder(opened, report=FROM_BEHIND.append)))
        background = stack.enter_context(Background())
        model = upstream
        if upstream == SCRIPTED:
            served = scripted.ScriptedModel(default=first_tool_each_turn, cap=MOST_CALLS, keep=0)
            model = background.enter(scripted.serving(served)) + "/v1"
        onward = parse_upstream(model)
        proxy = background.enter(
            serving(ProxySettings(upstream=onward), recorder, report=FROM_BEHIND.append)
        )
        base_url = f"{proxy.url}/run/{run}{onward.path}"
        stack.enter_context(variables(settings(path, run, base_url, upstream)))
        opened.learn(run, environment())
        yield RecordedRun(opened, run, base_url)


def settings(path: Path, run: str, base_url: str, upstream: str) -> dict[str, str]:
    """Return the variables that a program's clients and tools are recorded by."""
    found = {LEDGER: str(path), RUN: run, DURABILITY: "sync", **dict.fromkeys(BASE_URLS, base_url)}
    if upstream == SCRIPTED:
        found |= dict.fromkeys(ROOT_URLS, base_url.removesuffix("/v1"))
        there = environment()
        wanted = (
            key for key in KEYS if not there.get(key) and not there.get(OTHER_KEYS.get(key, ""))
        )
        found |= dict.fromkeys(wanted, "none")
    return found

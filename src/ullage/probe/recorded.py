"""A ledger of a probe: each request that the harness made, by case."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager, closing
from pathlib import Path

from ullage.ledger.store import Ledger
from ullage.probe.bench import Bench
from ullage.tap.proxy.recorder import LedgerRecorder
from ullage.tap.proxy.service import serving
from ullage.tap.proxy.settings import ProxySettings, parse_upstream

LARGEST_BODY = 256 << 20
"""Bytes: a history of fifty results of 200,000 characters, written in escapes, is kept whole."""

Report = Callable[[str], None]


@asynccontextmanager
async def recording(
    bench: Bench, path: Path, environment: Mapping[str, str], report: Report, *, port: int = 0
) -> AsyncIterator[Ledger]:
    """Record into a ledger, under the tag of each case, what goes to a bench's model.

    Secrets of the harness's environment are known before a case shows them.
    """
    settings = ProxySettings(
        upstream=parse_upstream(bench.url), port=port, largest_body=LARGEST_BODY, drain_seconds=2
    )
    with ExitStack() as stack:
        ledger = stack.enter_context(closing(Ledger(path, durability="sync", report=report)))
        recorder = stack.enter_context(closing(LedgerRecorder(ledger, report=report)))
        async with serving(settings, recorder, report=report) as proxy:
            # The tag twice: the proxy takes one off, the scripted model needs one too.
            bench.model_url = lambda tag: f"{proxy.url}/run/{tag}/run/{tag}"
            bench.begun = lambda case: ledger.learn(case.tag, environment)
            yield ledger

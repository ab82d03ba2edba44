"""A ledger of a probe: each request that the harness made, and what its tool returned, by case."""

import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager, closing
from pathlib import Path

from ullage.ledger.records import ProducedRecord
from ullage.ledger.store import Ledger
from ullage.probe.bench import Bench
from ullage.probe.canary import Payload
from ullage.probe.case import Case
from ullage.probe.observed import FETCH
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
            bench.made = lambda case, one: keep(ledger, case, one)
            yield ledger


def keep(ledger: Ledger, case: Case, made: Payload) -> None:
    """Write down what the tool returned, or what the user's message held."""
    in_message = case.kind == "user"
    ledger.record(
        ProducedRecord(
            run=case.tag,
            tool="data" if in_message else FETCH,
            kind="data" if in_message else "tool",
            arguments="{}",
            text=made.text,
            at=time.time(),
            key="id",
        )
    )

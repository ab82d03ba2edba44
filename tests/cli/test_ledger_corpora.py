"""Whole ledgers of recorded exchanges of four providers, read from outside the repository."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner
from tests.cassettes import FOLDER, body_of, cassettes

from ullage.checks.request_log import Logged, request_log
from ullage.cli.ledger import command
from ullage.ledger.records import ExchangeRecord
from ullage.ledger.store import Ledger

pytestmark = pytest.mark.slow


def exchange(run: str, one: Mapping[str, Any]) -> ExchangeRecord:
    """An exchange as the proxy records it; bodies are decoded in the recording already."""
    request, response = one["request"], one["response"]
    url = urlsplit(request["uri"])
    kinds = response["headers"].get("content-type") or ["application/json"]
    return ExchangeRecord(
        run=run,
        method=request["method"],
        path=url.path + (f"?{url.query}" if url.query else ""),
        upstream=f"{url.scheme}://{url.netloc}",
        request_headers=[("content-type", "application/json")],
        request_body=body_of(request),
        status=response["status"]["code"],
        response_headers=[("content-type", kinds[0])],
        response_body=body_of(response),
        started=1.0,
        first_byte=1.0,
        ended=2.0,
    )


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger of all of them, a run for each cassette."""
    place = tmp_path_factory.mktemp("corpora") / "all.ledger"
    with Ledger(place) as ledger:
        for name, held in cassettes():
            for one in held["interactions"]:
                ledger.add_exchange(exchange(name.removeprefix(FOLDER), one))
    return place


@pytest.fixture(scope="module")
def log(place: Path) -> list[Logged]:
    with Ledger.read(place) as ledger:
        return list(request_log(ledger))


def test_every_exchange_has_a_line_in_the_log(log: list[Logged]) -> None:
    kinds = Counter(one.read.kind for one in log)

    assert len(log) == 505
    assert kinds["turn"] == 423
    assert kinds[None] == 50
    turns = [one.read for one in log if one.read.kind == "turn"]
    assert sum(read.messages > 0 for read in turns) == sum(
        read.tokens is not None for read in turns
    )


def test_conversations_that_go_on_lose_nothing(log: list[Logged]) -> None:
    trims = [trim for one in log for trim in one.read.trims or ()]

    # What these programs rewrite between two requests is their own doing; gone is nearly nothing.
    assert Counter(trim.act for trim in trims)["gone"] < 0.05 * len(log)


def test_an_export_of_all_comes_back_the_same(place: Path, tmp_path: Path) -> None:
    def run(*arguments: str | Path, given: bytes | None = None) -> bytes:
        done = CliRunner().invoke(command, [str(one) for one in arguments], input=given)
        assert done.exception is None, done.exception
        return done.stdout_bytes

    lines = run("export", place)
    run("import", "-", "--ledger", tmp_path / "copy.ledger", given=lines)

    assert lines.count(b"\n") == 505
    assert run("export", tmp_path / "copy.ledger") == lines
    assert b"is whole" in run("verify", tmp_path / "copy.ledger")

"""Ten kinds of secrets in every place: none in the files, the exports, the words for people."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner
from tests.ledger.fake_secrets import Fake, fakes

from ullage.cli.main import ullage as cli
from ullage.ledger.records import (
    Durability,
    Entry,
    ExchangeRecord,
    HandedOnRecord,
    ProducedRecord,
    SettingsRecord,
    StepRecord,
)
from ullage.ledger.store import Ledger

Exchange = Callable[..., ExchangeRecord]
Produced = Callable[..., ProducedRecord]
Step = Callable[..., StepRecord]
Make = Callable[[str, Exchange, Produced, Step], list[Entry]]


def in_json(secret: str) -> bytes:
    return json.dumps({"messages": [{"content": f"it is {secret}, use it"}]}).encode()


def in_a_stream(secret: str) -> bytes:
    events = (json.dumps({"delta": piece}) for piece in ("say ", secret, " twice"))
    return b"".join(b"data: %b\n\n" % event.encode() for event in events)


PLACES: dict[str, Make] = {
    "a request header": lambda secret, exchange, _p, _s: [
        exchange(request_headers=[("Authorization", f"Bearer {secret}"), ("X-Odd", secret)])
    ],
    "a header that is kept": lambda secret, exchange, _p, _s: [
        exchange(request_headers=[("User-Agent", f"me {secret}")])
    ],
    "a reply header": lambda secret, exchange, _p, _s: [
        exchange(response_headers=[("Set-Cookie", f"a={secret}; Path=/"), ("Server", secret)])
    ],
    "a request body": lambda secret, exchange, _p, _s: [exchange(request_body=in_json(secret))],
    "a reply body": lambda secret, exchange, _p, _s: [exchange(response_body=in_json(secret))],
    "a stream": lambda secret, exchange, _p, _s: [exchange(response_body=in_a_stream(secret))],
    "a URL": lambda secret, exchange, _p, _s: [
        exchange(path=f"/v1/x?key={secret}&a=1", upstream=f"https://me:{secret}@host")
    ],
    "an error": lambda secret, exchange, _p, _s: [exchange(error=f"refused {secret}")],
    "a tool's text": lambda secret, _e, produced, _s: [produced(text=f"login: {secret}.")],
    "a tool's arguments": lambda secret, _e, produced, _s: [
        produced(arguments=json.dumps({"with": secret}))
    ],
    "a tool's name and key": lambda secret, _e, produced, _s: [
        produced(tool=f"t {secret}", key=f"k {secret}")
    ],
    "a step": lambda secret, _e, _p, step: [
        step(name=f"n {secret}", dropped=[secret], reason=f"for {secret}")
    ],
    "a prefix that ends inside it": lambda secret, exchange, produced, _s: [
        produced(text=f"it is {secret}"),
        exchange(request_body=f"it is {secret[: len(secret) * 2 // 3]}".encode()),
    ],
    "a middle that begins and ends inside it": lambda secret, exchange, produced, _s: [
        produced(text=f"it is {secret}"),
        # At least eight characters: fewer may stay, and what stands beside them would be a piece.
        exchange(request_body=secret[len(secret) // 4 : len(secret) * 3 // 4].encode()),
    ],
    "the program's settings, then cut": lambda secret, exchange, _p, _s: [
        SettingsRecord(run="r1", environment={"SOME_API_KEY": secret}),
        exchange(request_body=secret[: len(secret) * 2 // 3].encode()),
    ],
}


def assert_nowhere(fake: Fake, content: bytes) -> None:
    assert [piece for piece in fake.pieces() if piece in content] == []


@pytest.mark.parametrize("place_of_it", PLACES)
@pytest.mark.parametrize("kind", fakes())
def test_no_piece_of_a_secret_stands_in_the_files_or_in_what_is_read_from_them(
    kind: str, place_of_it: str, place: Path, exchange: Exchange, produced: Produced, step: Step
) -> None:
    fake = fakes()[kind]
    said: list[str] = []
    entries = PLACES[place_of_it](fake.text, exchange, produced, step)
    with Ledger(place, report=said.append) as ledger:
        for entry in entries:
            ledger.record(entry)
        assert ledger.flush(20)
        while_open = files(place)
        stored = repr([*ledger.exchanges(), *ledger.results(), *ledger.steps()])
    assert place.with_name(place.name + "-wal").name not in files(place)

    assert_nowhere(fake, b"".join(while_open.values()))
    assert_nowhere(fake, b"".join(files(place).values()))
    assert_nowhere(fake, stored.encode())
    assert_nowhere(fake, "\n".join(said).encode())
    # At least one: the secret was seen, not left out.
    assert b"secret:" in stored.encode() or "redacted header" in stored


def files(place: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in place.parent.iterdir()}


@pytest.mark.parametrize("kind", fakes())
def test_a_handed_on_text_cut_inside_a_secret_holds_nothing_of_it(
    kind: str, place: Path, produced: Produced
) -> None:
    fake = fakes()[kind]
    text = f"it is {fake.text}"
    with Ledger(place) as ledger:
        made = ledger.record(produced(text=text))
        for end in range(len(text) - len(fake.text), len(text)):
            ledger.record(HandedOnRecord(run="r1", result=made, text=text[:end]))
        ledger.flush(60)
        while_open = files(place)

    assert_nowhere(fake, b"".join(while_open.values()))


@pytest.mark.parametrize("durability", get_args(Durability))
@pytest.mark.parametrize("kind", fakes())
def test_what_the_commands_print_about_a_ledger_holds_no_secret(
    kind: str,
    durability: Durability,
    place: Path,
    exchange: Exchange,
    produced: Produced,
    step: Step,
) -> None:
    fake = fakes()[kind]
    with Ledger(place, durability=durability) as ledger:
        for make in PLACES.values():
            for entry in make(fake.text, exchange, produced, step):
                ledger.record(entry)

    run = CliRunner()
    for words in (["stats"], ["verify"], ["get", "1"], ["suggest"]):
        done = run.invoke(cli, ["ledger", *words, str(place)])
        assert_nowhere(fake, done.output.encode())

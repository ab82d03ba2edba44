from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

from ullage.ledger.records import ExchangeRecord, ProducedRecord, StepRecord
from ullage.ledger.store import Ledger

Exchange = Callable[..., ExchangeRecord]
Produced = Callable[..., ProducedRecord]
Step = Callable[..., StepRecord]

OWN = "mV3ry-0wN" + "/s3Cr3t+9xQ"
SK = "sk-" + "a1B2" * 8
COOKIE = "c00kie-" + "value-1"
LOGIN = b64encode(b"user:login-word-7").decode()


def on_disk(place: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(place.parent.iterdir()))


def test_no_secret_stands_in_any_byte_of_the_files(
    place: Path, exchange: Exchange, produced: Produced, step: Step
) -> None:
    with Ledger(place) as ledger:
        ledger.add_exchange(
            exchange(
                path=f"/v1/chat?key={SK}",
                upstream="https://user:login-word-7@host",
                request_headers=[("Authorization", f"Bearer {OWN}"), ("X-Other", SK)],
                request_body=f'{{"a":"{OWN} {SK}"}}'.encode(),
                response_headers=[("Set-Cookie", f"a={COOKIE}; Path=/"), ("server", SK)],
                response_body=b"\xff" + OWN.encode(),
                error=f"refused {SK}",
            )
        )
        ledger.add_exchange(exchange(request_headers=[("Authorization", f"Basic {LOGIN}")]))
        number = ledger.add_produced(
            produced(
                tool=SK,
                key=OWN,
                arguments=f'{{"cookie":"{COOKIE}"}}',
                text=f"{OWN} {OWN[:12]} {SK[:14]} login-word-7 {LOGIN}",
            )
        )
        ledger.hand_on(number, f"cut inside {OWN[:9]}")
        ledger.add_step(step(name=SK, dropped=[OWN, SK], reason=f"{OWN[3:]}"))
        ledger.add_fault("r1", f"could not keep {SK}", 1.0)
        open_files = on_disk(place)
        texts = [result.text for result in ledger.results()]
    closed_file = on_disk(place)

    for content in (open_files, closed_file):
        for secret in (OWN, SK, COOKIE, LOGIN, "login-word-7"):
            for start in range(len(secret) - 7):
                assert secret[start : start + 8].encode() not in content
    assert texts[0].count("secret:") == 5


def test_a_secret_that_one_writer_saw_in_a_header_is_known_to_another(
    place: Path, exchange: Exchange, produced: Produced
) -> None:
    own = "not-of-any-known-" + "shape-4"
    with Ledger(place) as proxy, Ledger(place) as agent:
        proxy.add_exchange(
            exchange(request_headers=[("x-api-key", own)], request_body=f'{{"k":"{own}"}}'.encode())
        )
        agent.add_produced(produced(text=f'{{"k":"{own}"}}'))
        agent.add_produced(produced(run="r2", text=own))

        (sent,) = proxy.exchanges()
        mine, other = agent.results()

    assert own not in mine.text
    assert mine.text.encode() == sent.request_body
    assert other.text == own


def test_a_secret_in_a_result_is_known_when_a_request_holds_a_piece_of_it(
    place: Path, exchange: Exchange, produced: Produced
) -> None:
    with Ledger(place) as ledger:
        ledger.add_produced(produced(text=f"key: {SK} end"))
        ledger.add_exchange(exchange(request_body=f"key: {SK[:12]}".encode()))
        (stored,) = ledger.exchanges()

    assert stored.request_body.startswith(b"key: [piece of secret:")


def test_the_original_length_is_that_before_redaction(place: Path, produced: Produced) -> None:
    text = f"é {SK}"
    with Ledger(place) as ledger:
        ledger.add_produced(produced(text=text))
        (stored,) = ledger.results()

    assert stored.chars == len(text) != len(stored.text)

"""The same text in the same run is redacted alike: in any order, and in every process."""

import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ullage.ledger.records import ExchangeRecord, ProducedRecord
from ullage.ledger.redact import decode, encode, redact
from ullage.ledger.store import Ledger

Exchange = Callable[..., ExchangeRecord]
Produced = Callable[..., ProducedRecord]

KEY = b"k" * 32
OWN = "q7Zk2Wx9" + "vB4nM1tR" + "c5Jd8Hs3"
DUMMY = "not-" + "needed"


def clean(text: str) -> str:
    return decode(redact(encode(text), key=KEY).data)


def asking(key: str) -> list[tuple[str, str]]:
    return [("Authorization", f"Bearer {key}")]


@pytest.mark.parametrize(
    "text",
    [
        '[{"note":"is TOK"},{"api_key":"TOK"}]',
        '[{"api_key":"TOK"},{"note":"is TOK"}]',
        "see TOK and TOK\nOPENAI_API_KEY=TOK\n",
        "https://host/TOK and https://me:TOK@host/",
        '{"password": "TOK", "inner": "{\\"note\\": \\"xTOK\\"}"}',
    ],
)
def test_a_secret_named_once_is_redacted_in_the_whole_text(text: str) -> None:
    found = clean(text.replace("TOK", OWN))

    assert OWN not in found
    assert found.count("[secret:") == text.count("TOK")


@pytest.mark.parametrize("before", ["", "a", "ab", "abc"])
@pytest.mark.parametrize("encode_", [b64encode, urlsafe_b64encode])
def test_a_secret_is_redacted_in_base64_wherever_it_begins(
    before: str, encode_: Callable[[bytes], bytes]
) -> None:
    coded = encode_(f"{before}{OWN}\xff\xfe and more".encode("latin-1")).decode()

    found = clean(f'{{"api_key": "{OWN}", "file": "{coded}"}}')

    assert found.count("[secret:") == 2
    for shift in range(3):
        inside = b64encode(bytes(shift) + OWN.encode()).rstrip(b"=").decode()
        assert inside[(shift * 4 + 2) // 3 : -1] not in found


def test_a_secret_in_broken_lines_of_base64_is_redacted() -> None:
    coded = b64encode(f"x{OWN}".encode()).decode()
    lines = "\n".join(coded[at : at + 12] for at in range(0, len(coded), 12))

    found = clean(f"key={lines}\nOPENAI_API_KEY={OWN}\n")

    assert not any(line in found for line in lines.split("\n")[:-1])


def test_a_made_up_key_is_not_looked_for_in_results(
    place: Path, exchange: Exchange, produced: Produced
) -> None:
    rows = [{"id": n, "review": f"{DUMMY}-yet" if n % 2 else DUMMY} for n in range(10)]
    text = json.dumps(rows)
    body = json.dumps({"messages": [{"role": "tool", "content": text}]})
    with Ledger(place) as proxy, Ledger(place) as agent:
        proxy.add_exchange(exchange(request_headers=asking(DUMMY)))
        agent.hand_on(agent.add_produced(produced(text=text)), text)
        proxy.add_exchange(exchange(request_headers=asking(DUMMY), request_body=body.encode()))
        (result,) = agent.results()
        _, sent = agent.exchanges()

    assert result.text == result.handed_on == text
    assert sent.request_body == body.encode()


def test_a_secret_that_shows_late_is_taken_out_of_what_was_written_before(
    place: Path, exchange: Exchange, produced: Produced
) -> None:
    note = f'{{"note": "is {OWN}"}}'
    with Ledger(place) as agent, Ledger(place) as proxy:
        number = agent.add_produced(produced(text=note))
        proxy.add_exchange(exchange(request_headers=asking(OWN), request_body=note.encode()))
        agent.hand_on(number, note)

    with Ledger.read(place) as ledger:
        (result,) = ledger.results()
        (sent,) = ledger.exchanges()

    assert OWN not in result.text
    assert result.text == result.handed_on == decode(sent.request_body)


def test_a_secret_in_a_result_is_known_to_the_proxy_by_its_hash(
    place: Path, exchange: Exchange, produced: Produced
) -> None:
    with Ledger(place) as agent, Ledger(place) as proxy:
        agent.add_produced(produced(text=f'{{"password": "{OWN}"}}'))
        proxy.add_exchange(exchange(request_body=f"log in with {OWN}".encode()))
        (sent,) = proxy.exchanges()
        (result,) = agent.results()

    placeholder = result.text.split('"')[3]
    assert sent.request_body == f"log in with {placeholder}".encode()


def test_identical_texts_are_read_alike_whatever_was_known_when_they_were_written(
    place: Path, produced: Produced
) -> None:
    piece = f"cut in {OWN[:14]}"
    with Ledger(place) as ledger:
        number = ledger.add_produced(produced(text=piece))
        ledger.add_produced(produced(text=f"secret={OWN}"))
        ledger.hand_on(number, piece)
    with Ledger.read(place) as ledger:
        first, _ = ledger.results()

    assert first.text == first.handed_on
    assert "[piece of secret:" in first.text


def test_processes_that_know_their_environment_redact_pieces_alike(
    place: Path, exchange: Exchange, produced: Produced
) -> None:
    environment = {"OPENAI_API_KEY": OWN, "HOME": "/home/me", "OTHER_API_KEY": DUMMY}
    piece = f"starts with {OWN[:12]}… or {DUMMY}-yet"
    with Ledger(place) as proxy, Ledger(place) as agent:
        proxy.learn("r1", environment)
        agent.learn("r1", environment)
        agent.add_produced(produced(text=piece))
        proxy.add_exchange(exchange(request_headers=asking(OWN), request_body=encode(piece)))
    with Ledger.read(place) as ledger:
        (result,) = ledger.results()
        (sent,) = ledger.exchanges()

    assert result.text == decode(sent.request_body)
    assert OWN[:8] not in result.text
    assert f"or {DUMMY}-yet" in result.text


PHRASES = st.sampled_from(
    [OWN, f"x{OWN}", f"/{OWN}?", f"password={OWN}", f'"api_key": "{OWN}"', f"{DUMMY}-yet", "note"]
)
TEXTS = st.lists(st.lists(PHRASES, max_size=5).map(", ".join), min_size=1, max_size=4)


@settings(max_examples=15, deadline=None)
@given(texts=TEXTS, data=st.data())
def test_the_order_of_writing_and_the_writer_do_not_matter_to_a_reader_that_knows_the_secret(
    texts: list[str], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("order")
    Ledger(folder / "empty.ledger").close()
    read = []
    for name, order in (("a", texts), ("b", data.draw(st.permutations(texts)))):
        # Copies have the same key, and so the same placeholders.
        place = folder / f"{name}.ledger"
        place.write_bytes((folder / "empty.ledger").read_bytes())
        with Ledger(place) as knowing, Ledger(place) as other:
            writers = data.draw(st.lists(st.sampled_from([knowing, other]), min_size=4))
            for text, writer in zip(order, writers, strict=False):
                writer.add_produced(
                    ProducedRecord(
                        run="r", tool="t", kind="tool", arguments="{}", text=text, at=1.0
                    )
                )
            knowing.learn("r", {"API_KEY": OWN})
            found = [result.text for result in knowing.results()]
        read.append(dict(zip(order, found, strict=True)))

    assert read[0] == read[1]
    assert not any(OWN in text for text in read[0].values())


@pytest.mark.parametrize(
    "words",
    [
        ["agent", "--api-key", OWN, "--port", "8080"],
        ["agent", f"--api-key={OWN}", "go"],
        ["agent", "--password", "hunter2"],
        ["curl", "-H", f"Authorization: Bearer {OWN}"],
        ["env", f"OPENAI_API_KEY={OWN}", "agent"],
        ["agent", "sk-" + OWN],
    ],
)
def test_a_command_line_is_redacted_word_by_word(place: Path, words: list[str]) -> None:
    with Ledger(place) as ledger:
        found = ledger.redacted_words(words, "r1")

    assert len(found) == len(words)
    assert not any(secret in word for word in found for secret in (OWN, "hunter2"))
    changed = [new for old, new in zip(words, found, strict=True) if old != new]
    assert len(changed) == 1
    assert "[secret:" in changed[0]


def test_a_text_is_redacted_with_what_its_run_has_shown(place: Path, exchange: Exchange) -> None:
    with Ledger(place) as ledger:
        ledger.add_exchange(exchange(request_headers=asking(OWN)))

        assert OWN not in ledger.redacted(f"used {OWN}", "r1")
        assert OWN in ledger.redacted(f"used {OWN}", "r2")


def test_reply_bodies_are_read_only_if_asked_for(place: Path, exchange: Exchange) -> None:
    with Ledger(place) as ledger:
        ledger.add_exchange(exchange())
        (one,) = ledger.exchanges("r1", bodies="request")

    assert one.request_body
    assert one.response_body is None

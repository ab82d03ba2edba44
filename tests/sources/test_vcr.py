"""Cassettes of VCR."""

import json

import pytest
import yaml
from tests.sources.documents import VCR

from ullage.errors import LoadError
from ullage.sources.files import read_bytes
from ullage.wire.exchange import Exchange


def exchanges(data: bytes) -> list[Exchange]:
    return [one for one in read_bytes(data, "a/one.yaml").records if isinstance(one, Exchange)]


def test_a_cassette_gives_its_exchanges_with_their_lines() -> None:
    first, second = exchanges(VCR.encode())

    assert (first.kind, first.session, first.source.line) == ("turn", "one", 2)
    assert first.reply is not None
    assert first.reply.label == "cut-by-limit"
    assert (second.kind, second.method, second.path) == (None, "GET", "/v1/models")
    assert VCR.split("\n")[(second.source.line or 0) - 1] == "- request:"


def test_a_cassette_in_json_is_one_too() -> None:
    data = json.dumps(yaml.safe_load(VCR)).encode()

    assert len(exchanges(data)) == 2


def test_aliases_that_stand_for_too_much_are_refused() -> None:
    levels = "\n".join(
        f"- &l{one} [{', '.join([f'*l{one - 1}'] * 9)}]" if one else "- &l0 [x]" for one in range(9)
    )
    text = f"interactions:\n- request: {{uri: u}}\n  extra:\n    {levels}\n"
    data = text.replace("\n- &", "\n    - &").encode()

    with pytest.raises(LoadError, match="aliases"):
        list(read_bytes(data, "x", "vcr").records)


def test_what_is_not_yaml_or_no_cassette_is_refused() -> None:
    with pytest.raises(LoadError, match="not YAML"):
        list(read_bytes(b"interactions:\n- request: {", "x", "vcr").records)
    with pytest.raises(LoadError, match="no interactions"):
        list(read_bytes(b"a: 1", "x", "vcr").records)

"""A result of the published shape: 118 early records, 128 late ones, 33,370 characters."""

import json
import random
from typing import Any

import pytest

Rows = dict[str, list[dict[str, Any]]]


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def sized(record: dict[str, Any], chars: int, rng: random.Random) -> dict[str, Any]:
    """The record with a `note` of random letters, so that it is `chars` long as compact JSON."""
    record = record | {"note": ""}
    letters = "abcdefghijklmnopqrstuvwxyz "
    record["note"] = "".join(rng.choices(letters, k=chars - len(compact(record))))
    assert len(compact(record)) == chars
    return record


@pytest.fixture(scope="session")
def published() -> Rows:
    """Early records of 198 characters each, late ones of 76, the first two of 77."""
    rng = random.Random(7)
    early = [
        sized({"id": f"e-{n:04}", "cpu": rng.randint(1000, 9999) / 100, "up": n}, 198, rng)
        for n in range(118)
    ]
    late = [
        sized({"id": f"l-{n:04}", "at": 1_700_000_000 + 60 * n}, 77 if n < 2 else 76, rng)
        for n in range(128)
    ]
    return {"early_list": early, "late_list": late}


@pytest.fixture(scope="session")
def published_text(published: Rows) -> str:
    """The same as compact JSON."""
    text = compact(published)
    assert len(text) == 33_370
    return text


@pytest.fixture(scope="session")
def middle_cut(published_text: str) -> str:
    """Its first and last 10,000 characters, with the mark that a framework puts between them."""
    mark = "\n..._This content has been truncated to stay below 20000 characters_...\n"
    return published_text[:10_000] + mark + published_text[-10_000:]

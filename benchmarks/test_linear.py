"""Time that grows with a text and not with its square, on what a rule could look at repeatedly.

Ten times the text takes ten times as long where a rule is linear, a hundred times where it is not.
"""

import time
from collections.abc import Callable
from functools import partial

import pytest

from ullage.arrivals.arrival import arrival
from ullage.counting.estimate import estimate
from ullage.counting.exact import exact
from ullage.ledger.known import Known
from ullage.ledger.redact import encode, marks, redact

KEY = b"k" * 32
BEGIN = "-----BEGIN RSA PRIVATE " + "KEY-----"
KNOWN = Known().learn(marks(map(encode, ["a" * 512, "a1B2" * 8, "hunter2hunter2"]), KEY))
PIECES = [
    "sk-", "sk-a-", "eyJ", "eyJ5m", "\x1b[5meyJ", "eyJa-", "://", "://a:", "password=", "a",
    'password="', "password='", "token=f(", "token:", "token>", "cookie:", "cookie: a",
    'token="a \\', "Bearer ", "bearer....", "?key=", BEGIN, BEGIN + "\n", "\\", "[secret:",
    "[secret:1a2b3c4d]", "api_key=api_key=", "AKIA", "xox", "aaaa", "authorization: bearer ",
]  # fmt: skip
RUNS = ["_", "中", "YWJj", "a", " ", "a1", "aB", "\n", "é", "\\u5bb9", " \n"]
SHORT = 0.005
"""Seconds; what takes less is too short for a ratio."""


def seconds(call: Callable[[str], object], text: str) -> float:
    """Return the least processor time of three calls."""
    times = []
    for _ in range(3):
        start = time.process_time()
        call(text)
        times.append(time.process_time() - start)
    return min(times)


def growth(call: Callable[[str], object], piece: str, size: int) -> float:
    """Return how many times as long a text takes that is ten times as long as `size`."""
    small, large = (piece * (length // len(piece) + 1) for length in (size, 10 * size))
    return seconds(call, large) / max(seconds(call, small), SHORT)


def redacted(text: str) -> bytes:
    """Redact a text where three secrets are known."""
    return redact(text.encode(), key=KEY, known=KNOWN).data


@pytest.mark.parametrize("piece", PIECES)
def test_redacting(piece: str) -> None:
    """What begins like a secret, again and again."""
    assert growth(redacted, piece, 20_000) < 40


@pytest.mark.parametrize("run", RUNS)
def test_estimating(run: str) -> None:
    """A run that no space breaks."""
    assert growth(estimate, run, 30_000) < 40


@pytest.mark.parametrize("run", RUNS)
def test_counting_exactly(run: str) -> None:
    """The same, by a vocabulary, which is loaded before."""
    count = partial(exact, encoding="o200k_base")
    count("")
    assert growth(count, run, 100_000) < 40


def as_delivered(text: str) -> object:
    """Compare a text with itself."""
    return arrival(text, text)


def last_quarter(text: str) -> object:
    """Compare a text with what is left of it where only the end was kept."""
    return arrival(text, text[-len(text) // 4 :])


@pytest.mark.parametrize("call", [as_delivered, last_quarter])
@pytest.mark.parametrize("piece", ['{"part": "early", "host": "cache-90"}\n', "[1, 'a'] x "])
def test_arrival_of_many_values(call: Callable[[str], object], piece: str) -> None:
    """Many values with texts in them: each of those is looked into."""
    assert growth(call, piece, 10_000) < 40

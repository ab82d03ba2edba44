import random
import string

import pytest

from ullage.ledger.known import Known
from ullage.ledger.strength import strength

LETTERS = string.ascii_letters + string.digits


@pytest.mark.parametrize(
    "word",
    ["", "x", "EMPTY", "ollama", "lm-studio", "not-needed", "sk-" + "test", "no-key-required",
     "YOUR_API_KEY_HERE", "password", "12345678", "two words9 of it", "aaaaaaaa"],
)  # fmt: skip
def test_a_word_is_not_looked_for(word: str) -> None:
    assert strength(word.encode()) is None


@pytest.mark.parametrize(
    "phrase",
    ["token-abc123", "hunter2hunter2", "correct-horse-battery-staple", "test-api-key-123",
     "sk-" + "dummy-key-for-local-testing", "sk-" + "test-FAKE" + "0" * 28, "my-own-secret-9"],
)  # fmt: skip
def test_a_phrase_is_looked_for_as_a_whole_only(phrase: str) -> None:
    assert strength(phrase.encode()) == "whole"


@pytest.mark.parametrize(
    ("before", "letters", "size"),
    [("sk-", LETTERS, 48), ("sk-" + "proj-", LETTERS + "-_", 60), ("ghp" + "_", LETTERS, 36),
     ("", "0123456789abcdef", 32), ("", LETTERS + "+/", 40), ("", LETTERS, 24)],
)  # fmt: skip
def test_a_random_key_is_looked_for_in_pieces(before: str, letters: str, size: int) -> None:
    rng = random.Random(7)
    keys = ["".join([before, *rng.choices(letters, k=size)]) for _ in range(1000)]

    assert sum(strength(key.encode()) == "pieces" for key in keys) >= 970


@pytest.mark.parametrize(
    "key",
    ["sk" + "_live_" + "aKXauezcwBHGJP4kCrIMtq7Z", "glpat" + "-" + "EJkneIlettdTXMIY3q7Z",
     "xox" + "b-" + "Hrmjyl7vKnexF5NavhlmBFsODjemKhcrizhDUq7Z",
     "WRJMoPfoJzfqrZQP2m5DT7mFXZTSM2OKkA4Jbh3KbrXL7kKdyj4E6Ojnvwexhq7Z"],
)  # fmt: skip
def test_no_piece_of_a_made_key_passes_for_words(key: str) -> None:
    known = Known().learn({key.encode(): b"[secret]"})

    pieces = [key[at : at + 8] for at in range(8, len(key) - 7)]

    assert [one for one in pieces if not known.find(f"see {one} there".encode())] == []

"""`count` and `counter`: which method for which model."""

import subprocess
import sys

import pytest

from ullage.counting.count import count, counter
from ullage.counting.estimate import estimate
from ullage.counting.exact import exact

TEXT = '{"id": 17, "容器": "a1b2c3", "note": "late start"}' * 20


def test_without_a_model_the_count_is_exact_by_o200k_base() -> None:
    one = count(TEXT)

    assert (one.method, one.encoding, one.calibrated) == ("exact", "o200k_base", True)
    assert one.low == one.tokens == one.high == exact(TEXT, "o200k_base")
    assert one.window is None


def test_a_model_with_a_public_vocabulary_is_counted_by_it() -> None:
    one = count(TEXT, model="gpt-4-0613")

    assert (one.method, one.encoding, one.window) == ("exact", "cl100k_base", 8_192)
    assert one.tokens == exact(TEXT, "cl100k_base")


@pytest.mark.parametrize("model", ["claude-opus-4-6", "gemini-2.5-pro", "llama-3.1-8b", ""])
def test_any_other_model_gets_an_estimate_with_its_range(model: str) -> None:
    one = count(TEXT, model=model)

    assert (one.method, one.encoding, one.calibrated) == ("estimate", None, False)
    assert one.low < one.tokens == estimate(TEXT) < one.high <= len(TEXT.encode())


def test_the_range_of_a_text_of_one_character_is_one_token_at_most() -> None:
    one = count("a", model="claude-opus-4-6")

    assert (one.low, one.tokens, one.high) == (0, 1, 1)


@pytest.mark.parametrize("model", [None, "gpt-4o", "gpt-4", "claude-opus-4-6", "unknown"])
def test_a_counter_gives_the_tokens_that_count_gives(model: str | None) -> None:
    assert counter(model)(TEXT) == count(TEXT, model=model).tokens


def test_the_document_has_its_members_in_order() -> None:
    assert list(count("x").to_dict()) == [
        "tokens",
        "method",
        "low",
        "high",
        "window",
        "calibrated",
        "encoding",
        "model",
    ]


def test_no_tokenizer_is_loaded_before_an_exact_count() -> None:
    code = (
        "import sys, ullage.counting.count as c, ullage.wire.budget_table, ullage.cli.count;"
        "c.count('a' * 99, model='claude-opus-4-6'); c.counter('gpt-4o');"
        "print('toktok' in sys.modules); c.count('a'); print('toktok' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["False", "True"]

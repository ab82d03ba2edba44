"""Budgets in tokens."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage import chars, cut, tokens
from ullage.counting.count import counter
from ullage.cutter.token_budget import cut_to_tokens

ROWS = st.lists(
    st.fixed_dictionaries({"id": st.integers(0, 9999), "name": st.text(max_size=12)}), max_size=80
)


def rows(count: int) -> list[dict[str, Any]]:
    rng = random.Random(count)
    return [
        {"id": n, "hex": f"{rng.randrange(16**8):08x}", "cpu": rng.random()} for n in range(count)
    ]


@given(value=ROWS, limit=st.integers(1, 900))
def test_the_delivered_text_is_never_over_the_budget(value: Any, limit: int) -> None:
    done = cut(json.dumps(value), tokens(limit))

    assert counter(None)(done.text) <= limit


@pytest.mark.parametrize("model", [None, "gpt-4", "claude-sonnet-4-5"])
def test_the_budget_is_used_and_the_text_still_parses(model: str | None) -> None:
    done = cut(json.dumps(rows(2_000)), tokens(1_500, model=model))

    assert 0.9 * 1_500 <= counter(model)(done.text) <= 1_500
    assert len(json.loads(done.text)) > 20


def test_what_fits_is_unchanged() -> None:
    text = json.dumps(rows(3), indent=1)

    done = cut(text, tokens(counter(None)(text)))

    assert (done.text, done.complete) == (text, True)


def test_the_notice_and_the_account_speak_of_tokens() -> None:
    done = cut(json.dumps(rows(2_000)), tokens(1_500))

    assert done.notice.startswith("Cut to 1500 tokens: ")
    assert (done.account.budget.limit, done.account.budget.unit) == (1_500, "tokens")


@pytest.mark.parametrize("size", [500, 5_000, 50_000])
def test_only_a_sample_and_delivered_texts_are_counted(size: int) -> None:
    counted = 0
    exact = counter(None)

    def count(text: str) -> int:
        nonlocal counted
        counted += len(text)
        return exact(text)

    source = json.dumps(rows(size))
    done = cut_to_tokens(source, tokens(1_500), count, lambda budget: cut(source, budget))

    assert counted <= 3 * len(done.text)


def test_a_budget_in_characters_never_loads_a_tokenizer() -> None:
    import subprocess
    import sys

    code = (
        "import sys, ullage; ullage.cut('[1,2,3,4]' * 90, ullage.chars(20));"
        "print([name for name in sys.modules if 'toktok' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_a_budget_says_what_it_is() -> None:
    assert (chars(10).words, tokens(10).words) == ("10 characters", "10 tokens")

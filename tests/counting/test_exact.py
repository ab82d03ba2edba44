"""Exact counts: golden figures, a second tokenizer."""

from typing import get_args

import pytest
import rs_bpe
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.counting.kinds import ten_kinds

from ullage.counting.exact import Encoding, exact

ENCODINGS = get_args(Encoding)
# Text, o200k_base, cl100k_base: two tokenizers of different makers agreed on each.
GOLDEN = [
    ("", 0, 0),
    ("hello world", 2, 2),
    ("Hello, world! How are you?", 8, 8),
    ("<|endoftext|>", 7, 7),
    ("def f(x):\n    return x + 1\n", 11, 11),
    ('{"id": 17, "name": "row 17", "ok": true}', 19, 19),
    ('[{"a":1},{"a":2}]', 10, 10),
    ("工具返回的结果在送入模型之前被截断。", 13, 18),
    ("The quick brown fox jumps over the lazy dog.", 10, 10),
    ("3.14159265358979", 7, 7),
    ("a\u0301 na\xefve caf\xe9", 5, 5),
    ("\U0001f469\u200d\U0001f4bb\U0001f680", 7, 10),
    ("\t\tindented\r\n\r\n", 5, 5),
    ("2026-11-30T10:12:13.456Z level=info pid=4711", 22, 22),
    ("YWJjZGVmZ2hpamtsbW5vcA==", 17, 17),
    ("deadbeefcafe0123", 7, 7),
    ("_" * 1000, 17, 17),
    (" " * 500, 5, 5),
    ("\x00\x1b[31mred\x1b[0m", 10, 8),
    ("\\u5bb9\\u5668", 7, 7),
]


def second_opinion(text: str, encoding: Encoding) -> int:
    return int(getattr(rs_bpe.openai, encoding)().count(text))


@pytest.mark.parametrize(("text", "o200k", "cl100k"), GOLDEN)
def test_the_counts_are_the_golden_ones(text: str, o200k: int, cl100k: int) -> None:
    assert (exact(text, "o200k_base"), exact(text, "cl100k_base")) == (o200k, cl100k)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_tokenizer_of_another_maker_agrees_on_every_kind_of_text(encoding: Encoding) -> None:
    for kind, text in ten_kinds(seed=3, size=20_000).items():
        assert exact(text, encoding) == second_opinion(text, encoding), kind


@settings(max_examples=300, deadline=None)
@given(text=st.text())
def test_a_tokenizer_of_another_maker_agrees_on_any_text(text: str) -> None:
    for encoding in ENCODINGS:
        assert exact(text, encoding) == second_opinion(text, encoding)


@given(text=st.text(alphabet=st.characters()))
def test_there_are_never_more_tokens_than_bytes(text: str) -> None:
    for encoding in ENCODINGS:
        assert exact(text, encoding) <= len(text.encode("utf-8", "surrogatepass"))


def test_half_a_surrogate_pair_counts_as_the_replacement_character() -> None:
    assert exact("a\ud83d b", "o200k_base") == exact("a\ufffd b", "o200k_base")

"""Published vocabularies and windows by a model's name."""

import pytest

from ullage.counting.models import encoding_of, window_of


@pytest.mark.parametrize(
    ("model", "encoding"),
    [
        ("gpt-4o", "o200k_base"),
        ("gpt-4o-mini-2024-07-18", "o200k_base"),
        ("gpt-4.1-nano", "o200k_base"),
        ("gpt-5.4", "o200k_base"),
        ("o3-mini", "o200k_base"),
        ("gpt-oss-120b", "o200k_base"),
        ("gpt-4", "cl100k_base"),
        ("gpt-4-turbo", "cl100k_base"),
        ("gpt-35-turbo", "cl100k_base"),
        ("text-embedding-3-small", "cl100k_base"),
        ("openrouter/openai/GPT-4o", "o200k_base"),
        ("ft:gpt-4o-2024-08-06:acme::abc", "o200k_base"),
        ("claude-opus-4-6", None),
        ("gemini-2.5-pro", None),
        ("gpt-6-sol", None),
        ("o100", None),
        ("demo", None),
        ("", None),
    ],
)
def test_a_vocabulary_is_known_or_none_is_said(model: str, encoding: str | None) -> None:
    assert encoding_of(model) == encoding


@pytest.mark.parametrize(
    ("model", "window"),
    [
        ("gpt-4o", 128_000),
        ("gpt-4o-2024-08-06", 128_000),
        ("gpt-4", 8_192),
        ("gpt-4-0613", 8_192),
        ("gpt-4-0125-preview", 128_000),
        ("gpt-5", 400_000),
        ("gpt-5-chat-latest", 128_000),
        ("gpt-5.4", 1_050_000),
        ("gpt-5.4-mini", 400_000),
        ("claude-3-5-sonnet-20241022", 200_000),
        ("claude-sonnet-4-5@20250929", 200_000),
        ("us.anthropic.claude-opus-4-6-v1:0", 1_000_000),
        ("anthropic.claude-3-haiku-20240307-v1:0", 200_000),
        ("models/gemini-2.5-pro", 1_048_576),
        ("gemini-1.5-pro-002", 2_097_152),
        ("gpt-4o-next", None),
        ("claude-opus-9", None),
        ("demo", None),
    ],
)
def test_a_window_is_the_published_one_or_unknown(model: str, window: int | None) -> None:
    assert window_of(model) == window

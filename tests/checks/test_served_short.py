"""Servers that read less than was sent."""

from dataclasses import replace

import pytest
from tests.checks.exchanges import (
    CHAT,
    MESSAGES,
    WORDS,
    asked,
    chat,
    exchange,
    judged,
    names,
    prompt,
    user,
)

from ullage.transcript.finding import Source


def test_a_prompt_of_which_far_less_was_read_is_reported_with_what_was_at_its_front() -> None:
    (found,) = judged(exchange(CHAT, prompt(9_000), chat(content="a", usage=4_096)))

    assert (found.check, found.severity, found.boundary) == ("served-short", "error", "serve")
    assert found.evidence["prompt_tokens"] == 4_096
    assert found.evidence["sent_tokens"] == pytest.approx(9_000, rel=0.01)
    assert found.evidence["front"] == "system: the rules"
    assert found.source == Source(path="log", line=1)


@pytest.mark.parametrize("usage", [9_000, 8_000, 6_000])
def test_a_count_that_another_vocabulary_explains_is_none(usage: int) -> None:
    assert names(exchange(CHAT, prompt(9_000), chat(content="a", usage=usage))) == []


def test_a_small_prompt_is_left_alone() -> None:
    assert names(exchange(CHAT, prompt(900), chat(content="a", usage=3))) == []


def test_a_model_without_a_public_vocabulary_has_a_wider_range() -> None:
    def of(usage: int) -> list[str]:
        request = prompt(9_000, model="llama3")
        return names(exchange(CHAT, request, chat(content="a", usage=usage)))

    assert (of(4_500), of(3_500)) == ([], ["served-short"])


def test_tools_and_old_thoughts_may_be_written_shorter() -> None:
    tools = [{"type": "function", "function": {"name": "f", "description": WORDS * 900}}]
    thinking = {"type": "thinking", "thinking": WORDS * 900}
    thought = {"role": "assistant", "content": [thinking]}

    assert names(exchange(CHAT, asked(tools=tools), chat(content="a", usage=2_500))) == []
    reply = {
        "type": "message",
        "content": [{"type": "text", "text": "a"}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 30},
    }
    assert names(exchange(MESSAGES, asked(user("x"), thought, user("y")), reply)) == []


def test_what_came_from_the_cache_was_read_too() -> None:
    reply = {
        "type": "message",
        "content": [{"type": "text", "text": "a"}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 12, "cache_read_input_tokens": 9_000},
    }

    assert names(exchange(MESSAGES, prompt(9_000), reply)) == []


def test_a_scripted_server_s_count_says_nothing() -> None:
    one = exchange(CHAT, prompt(9_000), chat(content="a", usage=1))

    assert names(replace(one, cohort="scripted")) == []


def test_a_reply_without_usage_says_nothing() -> None:
    assert names(exchange(CHAT, prompt(9_000), chat(content="a"))) == []


def test_a_window_that_is_smaller_than_the_prompt_is_reported() -> None:
    request = prompt(9_000, options={"num_ctx": 4_096})

    found = judged(exchange(CHAT, request, chat(content="a", usage=2_048)))

    assert [one.check for one in found] == ["served-short", "effective-window"]
    assert found[1].evidence["window"] == 4_096
    assert found[1].evidence["window_from"] == "request"


def test_a_window_that_would_hold_the_prompt_and_had_no_effect_is_ignored() -> None:
    request = prompt(9_000, options={"num_ctx": 32_768})

    found = judged(exchange(CHAT, request, chat(content="a", usage=2_048)))

    assert [one.check for one in found] == ["served-short", "setting-ignored"]
    assert found[1].evidence["setting"] == "num_ctx"


def test_a_window_that_nobody_named_shows_when_the_same_is_read_of_two_prompts() -> None:
    read = [(9_000, 4_096), (12_000, 4_090), (15_000, 4_096), (15_000, 2_000)]
    exchanges = [
        exchange(CHAT, prompt(size), chat(content="a", usage=usage), number)
        for number, (size, usage) in enumerate(read, start=1)
    ]

    found = [one for one in judged(*exchanges) if one.check == "effective-window"]

    assert [(one.source.line, one.evidence["window"]) for one in found] == [(2, 4_090)]

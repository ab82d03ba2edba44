"""Recorded HTTP exchanges of four providers. The corpora are read from outside the repository."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args
from urllib.parse import urlsplit

import pytest
from tests.cassettes import body_of, cassettes

from ullage.transcript.served import Label
from ullage.wire.readers import Reader, reader_of, reply_shape, request_shape
from ullage.wire.reply import Reply
from ullage.wire.request import Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One recorded exchange, read; `reader` is None for files, uploads and the like."""

    cassette: str
    path: str
    is_stream: bool
    reader: Reader | None
    request: Request
    reply: Reply


def read(cassette: str, one: Mapping[str, Any]) -> Recorded:
    url = urlsplit(one["request"]["uri"])
    reader = reader_of(f"{url.path}?{url.query}")
    reading = reader or reader_of("/v1/chat/completions")
    assert reading is not None
    kinds = one["response"]["headers"].get("content-type") or [""]
    return Recorded(
        cassette=cassette,
        path=url.path,
        is_stream=kinds[0].startswith("text/event-stream"),
        reader=reader,
        request=reading.read_request(body_of(one["request"])),
        reply=reading.read_reply(body_of(one["response"])),
    )


@pytest.fixture(scope="module")
def recorded() -> list[Recorded]:
    return [read(name, one) for name, held in cassettes() for one in held["interactions"]]


def test_all_are_read_and_every_exchange_with_a_model_is_labelled(
    recorded: list[Recorded],
) -> None:
    with_model = [one for one in recorded if one.reader is not None]

    assert (len(recorded), len(with_model)) == (505, 455)
    assert {one.reply.label for one in with_model} <= set(get_args(Label))
    assert sum(one.is_stream for one in recorded) == 47
    assert all(one.reply.streamed for one in with_model if one.is_stream)


def test_the_labels_are_what_the_replies_say(recorded: list[Recorded]) -> None:
    labels = Counter(
        (one.reader.provider, one.reply.label)
        for one in recorded
        if one.reader is not None and one.reader.kind == "turn"
    )

    assert labels == {
        ("openai-chat", "complete"): 55,
        ("openai-chat", "cut-by-server"): 3,  # errors
        ("openai-chat", "malformed"): 2,  # not of this shape, on purpose
        ("openai-responses", "complete"): 136,
        ("openai-responses", "cut-by-server"): 2,  # errors
        ("openai-responses", "empty"): 5,  # still to come
        ("anthropic", "complete"): 109,
        ("anthropic", "cut-by-server"): 1,  # an error
        ("gemini", "complete"): 105,
        ("gemini", "cut-by-limit"): 2,
        ("gemini", "cut-by-server"): 3,  # filters
    }
    pending = [one for one in recorded if one.reply.label == "empty"]
    assert all(one.reply.pending for one in pending)


def test_nothing_in_them_is_of_an_unknown_shape(recorded: list[Recorded]) -> None:
    strange = {
        one.cassette
        for one in recorded
        if one.reader is not None and one.request.not_understood + one.reply.not_understood
    }

    assert strange == set()


def test_the_nine_compactions_are_recognised(recorded: list[Recorded]) -> None:
    found = {
        one.cassette
        for one in recorded
        if one.reply.compaction is not None or one.request.compactions
    }

    assert len([name for name in found if "compact" in name]) == 9
    assert found == {one.cassette for one in recorded if "compact" in one.cassette}


def test_a_compaction_that_the_applied_edits_hide_is_recognised(recorded: list[Recorded]) -> None:
    hidden = [one.reply for one in recorded if one.reply.compaction and "usage" in one.cassette]

    assert len(hidden) == 2
    assert () in [one.applied_edits for one in hidden]
    for one in hidden:
        assert one.compaction is not None
        assert (one.compaction.blocks, one.compaction.iterations) == (1, 1)
        assert one.usage is not None
        assert one.usage.input is not None
        assert one.usage.input > 55_000


def test_every_whole_reply_of_a_model_has_its_usage(recorded: list[Recorded]) -> None:
    silent = [
        one.cassette
        for one in recorded
        if one.reader is not None
        and one.reader.kind == "turn"
        and one.reply.label == "complete"
        and (one.reply.usage is None or one.reply.usage.input is None)
    ]

    assert silent == []


def test_bodies_alone_tell_whose_they_are() -> None:
    """All but chat bodies and Anthropic's without a block or a system text, which are alike."""
    wrong = []
    for name, held in cassettes():
        for one in held["interactions"]:
            reader = reader_of(urlsplit(one["request"]["uri"]).path)
            request = one["request"].get("parsed_body")
            reply = one["response"].get("parsed_body")
            if reader is None or reader.kind != "turn" or (reply or {"error": 1}).get("error"):
                continue
            told = request_shape(request or {})
            if told and told.provider != reader.provider and told.provider != "openai-chat":
                wrong.append((name, "request"))
            answered = reply_shape(reply)
            # Two made-up replies have no shape.
            if answered and answered.provider != reader.provider:
                wrong.append((name, "reply"))

    assert wrong == []

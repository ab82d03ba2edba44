"""What a JSON object tells of an exchange."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wire.bodies import ANTHROPIC_STREAM

from ullage.sources.bodies import exchange_of
from ullage.transcript.finding import Source
from ullage.wire.exchange import Exchange, Size

REQUEST = {"model": "m", "messages": [{"role": "user", "content": "list"}]}
REPLY = {"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}]}
MESSAGES_REPLY = {"type": "message", "content": [], "stop_reason": "end_turn"}


def read(document: dict[str, Any]) -> Exchange | None:
    return exchange_of(document, Source(path="log", line=3), 7)


def known(document: dict[str, Any]) -> Exchange:
    found = read(document)
    assert found is not None
    assert (found.number, found.source) == (7, Source(path="log", line=3))
    return found


@pytest.mark.parametrize(
    "document", [REQUEST, {"request": REQUEST}, {"body": REQUEST, "url": "/x"}]
)
def test_a_request_is_read_plain_wrapped_or_recorded(document: dict[str, Any]) -> None:
    found = known(document)

    assert found.request is not None
    assert [one.text for one in found.request.messages] == ["list"]
    assert found.body == REQUEST
    assert found.reply is None


@pytest.mark.parametrize(
    "document",
    [REPLY, {"id": "r1", **REPLY}, {"response": REPLY}, {"reply": {"body": json.dumps(REPLY)}}],
)
def test_a_reply_is_read_plain_wrapped_or_recorded(document: dict[str, Any]) -> None:
    found = known(document)

    assert found.reply is not None
    assert (found.reply.label, found.reply.message.text) == ("complete", "a")
    assert found.request is None


def test_a_reply_may_stand_among_the_members_of_its_request() -> None:
    found = known({**REQUEST, "response": REPLY})

    assert found.request is not None
    assert found.reply is not None


def test_the_id_of_a_line_is_its_name() -> None:
    assert known({"id": "r1", **REPLY}).name == "r1"


def test_a_recorded_exchange_is_read_by_its_path() -> None:
    found = known(
        {
            "request": {
                "url": "https://api.test/v1/messages?beta=true",
                "headers": {},
                "body": json.dumps(REQUEST),
            },
            "response": {"status": 200, "body": ANTHROPIC_STREAM.decode()},
        }
    )

    assert (found.path, found.kind) == ("/v1/messages?beta=true", "turn")
    assert found.reply is not None
    assert (found.reply.label, found.reply.streamed) == ("complete", True)


def test_a_path_may_name_the_model() -> None:
    body = {"contents": [{"parts": [{"text": "a"}]}]}
    found = known({"url": "https://g.test/v1beta/models/gem:generateContent", "body": body})

    assert found.request is not None
    assert found.request.model == "gem"


def test_a_request_to_a_path_that_is_not_read_is_known_as_such() -> None:
    found = known({"url": "https://api.test/v1/files", "method": "GET", "body": ""})

    assert (found.kind, found.method, found.path) == (None, "GET", "/v1/files")


def test_a_refused_exchange_has_a_failure_and_no_reply() -> None:
    found = known({"request": REQUEST, "response": {"status": 429, "body": {"error": "slow"}}})

    assert found.reply is None
    assert found.failure == "429 slow"

    url = "https://api.test/v1/chat/completions"
    refused = {"status": 401, "body": {"error": {"message": "no such key"}}}
    found = known({"request": {"url": url, "body": REQUEST}, "response": refused})
    assert found.failure == "401 no such key"


def test_usage_beside_a_size_is_read() -> None:
    found = known({"sent_chars": 9, "script": "cjk", "usage": {"prompt_tokens": 5}})

    assert found.size == Size(chars=9, script="cjk")
    assert found.reply is not None
    assert found.reply.usage is not None
    assert found.reply.usage.input == 5


@pytest.mark.parametrize(
    "document",
    [{"seq": 1}, {"turn": 1, "event": "tool"}, {"usage": {}}, {"request": 7}, {"response": {}}],
)
def test_what_tells_of_no_exchange_is_none(document: dict[str, Any]) -> None:
    assert read(document) is None


JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=3) | st.sampled_from([REQUEST, REPLY]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["request", "response", "body", "url", "status", "usage", "sent_chars", "messages"]
            ),
            inner,
        )
    ),
    max_leaves=10,
)


@given(document=st.dictionaries(st.sampled_from(["request", "response", "body", "url"]), JSON))
def test_no_object_raises(document: dict[str, Any]) -> None:
    read(document)

"""Whole and streamed replies say the same."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ullage.probe.openai_chat import DONE, events, whole
from ullage.probe.request import ModelRequest, read_request
from ullage.probe.script import Call, Turn

TURNS = st.one_of(
    st.builds(Turn, text=st.text()),
    st.builds(
        Turn,
        calls=st.lists(
            st.builds(
                Call,
                name=st.text(min_size=1),
                arguments=st.dictionaries(st.text(), st.text() | st.integers()) | st.text(),
            ),
            min_size=1,
            max_size=3,
        ).map(tuple),
    ),
)


def request(*, usage: bool = False, content: str = "hello") -> ModelRequest:
    body = {"messages": [{"role": "user", "content": content}], "stream": True}
    return read_request(body | ({"stream_options": {"include_usage": True}} if usage else {}))


def chunks_of(turn: Turn, asked: ModelRequest) -> list[Any]:
    *lines, done = events(turn, asked)
    assert done == DONE
    return [json.loads(line.removeprefix(b"data: ")) for line in lines]


def rebuilt(chunks: list[Any]) -> tuple[dict[str, Any], str | None]:
    """The message that a client puts together from a stream, and its finish reason."""
    message: dict[str, Any] = {}
    finish = None
    for chunk in chunks:
        for choice in chunk["choices"]:
            delta = choice["delta"]
            finish = choice["finish_reason"] or finish
            for key in delta.keys() & {"role", "content"}:
                message[key] = message.get(key, "") + delta[key] if delta[key] is not None else None
            for call in delta.get("tool_calls", ()):
                calls = message.setdefault("tool_calls", [])
                if call["index"] == len(calls):
                    calls.append({key: call[key] for key in ("id", "type", "function")})
                else:
                    calls[call["index"]]["function"]["arguments"] += call["function"]["arguments"]
    return message, finish


@given(turn=TURNS, usage=st.booleans())
def test_a_stream_rebuilds_to_the_whole_reply(turn: Turn, usage: bool) -> None:
    asked = request(usage=usage)

    reply: Any = whole(turn, asked)
    chunks = chunks_of(turn, asked)

    choice = reply["choices"][0]
    assert rebuilt(chunks) == (choice["message"], choice["finish_reason"])
    assert {chunk["id"] for chunk in chunks} == {reply["id"]}


def test_a_text_is_streamed_in_several_pieces() -> None:
    deltas = [chunk["choices"][0]["delta"] for chunk in chunks_of(Turn(text="x" * 20), request())]

    assert [len(delta.get("content", "")) for delta in deltas] == [0, 7, 7, 6, 0]


def test_usage_is_a_chunk_of_its_own_and_only_where_it_was_asked_for() -> None:
    *before, last = chunks_of(Turn(text="done"), request(usage=True))

    assert last["choices"] == []
    assert last["usage"] == {"prompt_tokens": 2, "completion_tokens": 1, "total_tokens": 3}
    assert all(chunk["usage"] is None for chunk in before)
    assert all("usage" not in chunk for chunk in chunks_of(Turn(text="done"), request()))


@pytest.mark.parametrize("size", [0, 1, 4, 5, 4001])
def test_usage_is_a_quarter_of_the_characters_rounded_up(size: int) -> None:
    reply: Any = whole(Turn(text="x" * size), request(content="y" * size))

    assert reply["usage"]["prompt_tokens"] == math.ceil(size / 4)
    assert reply["usage"]["completion_tokens"] == math.ceil(size / 4)


def test_the_same_request_gets_the_same_reply_and_another_request_other_ids() -> None:
    turn = Turn(calls=(Call(name="f"), Call(name="f")))

    first, again, other = (
        whole(turn, request(content=content)) for content in ("one", "one", "two")
    )

    def ids(reply: Any) -> set[str]:
        calls = reply["choices"][0]["message"]["tool_calls"]
        return {reply["id"], *(call["id"] for call in calls)}

    assert first == again
    assert len(ids(first)) == 3
    assert not ids(first) & ids(other)


def test_a_reply_says_that_it_is_scripted() -> None:
    reply: Any = whole(Turn(text="done"), request())

    assert (reply["model"], reply["system_fingerprint"]) == ("scripted", "ullage-scripted")

"""Saved conversations, in the shapes that people save them in."""

import json
from typing import Any

import pytest
from tests.sources.documents import CHAT, ROWS, chat_messages
from tests.sources.read import transcripts

from ullage.errors import LoadError
from ullage.sources.files import read_bytes
from ullage.sources.record import Damaged, Plain
from ullage.transcript.transcript import Transcript


def test_a_row_has_its_name_its_outcome_and_its_results() -> None:
    (one,) = transcripts(CHAT)

    assert (one.session, one.form, one.outcome) == ("t-1", "chat", 1.0)
    result = one.entries[3].message
    assert (result.role, result.answers, result.name, result.text) == ("tool", "c1", "orders", ROWS)
    assert one.entries[2].message.calls[0].name == "orders"


@pytest.mark.parametrize(
    "name", ["traj", "trajectory", "history", "conversation", "conversations", "chat_history"]
)
def test_a_list_under_a_name_that_no_provider_has_is_a_conversation(name: str) -> None:
    (one,) = transcripts({name: chat_messages()})

    assert len(one.entries) == 5


@pytest.mark.parametrize(
    "document",
    [
        {"messages": chat_messages()},
        {"model": "m", "messages": chat_messages()},
        {"id": "r1", "model": "m", "messages": chat_messages(), "tools": []},
        {"model": "m", "messages": chat_messages(), "temperature": 0, "vendor_x": 1},
        {"messages": chat_messages(), "response": {"choices": []}, "cost": 1},
    ],
)
def test_a_request_stays_a_request(document: dict[str, Any]) -> None:
    assert read_bytes(json.dumps(document).encode(), "x").form == "body"


@pytest.mark.parametrize(
    "document",
    [
        {"query": "inbox", "messages": [{"id": "m0", "from": "user0@example.test", "body": "hi"}]},
        {"history": [{"action": "run", "observation": "done"}]},
        {"history": []},
        [{"role": "admin"}, {"role": "user"}],
        [1, 2],
        [],
    ],
)
def test_data_with_such_names_is_no_conversation(document: Any) -> None:
    assert read_bytes(json.dumps(document).encode(), "x").form == "body"


def test_the_bare_list_is_one() -> None:
    (one,) = transcripts(chat_messages())

    assert one.session == "log.json#1"
    assert len(one.entries) == 5


def test_lines_hold_a_conversation_each_and_damage_is_told() -> None:
    lines = [json.dumps(CHAT), json.dumps({**CHAT, "task_id": 5}), '{"note": 1}', '{"torn']

    found = list(read_bytes("\n".join(lines).encode(), "x.jsonl", "chat").records)

    assert [type(one) for one in found] == [Transcript, Transcript, Plain, Damaged]
    named = [one for one in found if isinstance(one, Transcript)]
    assert [(one.session, one.source.line) for one in named] == [("t-1", 1), ("x.jsonl#5", 2)]


def test_lines_that_are_messages_are_one_conversation() -> None:
    data = "\n".join(map(json.dumps, chat_messages())).encode()

    (one,) = transcripts(data)

    assert [entry.source.line for entry in one.entries] == [1, 2, 3, 4, 5]


def test_equal_names_are_told_apart() -> None:
    assert [one.session for one in transcripts([CHAT, CHAT])] == ["t-1", "t-1#2"]


def test_each_message_of_a_document_has_its_line() -> None:
    data = json.dumps([CHAT, CHAT], indent=1).encode()
    lines = data.decode().split("\n")

    for one in transcripts(data):
        assert one.source.line is not None
        for entry in one.entries:
            assert entry.source.line is not None
            assert f'"role": "{entry.message.role}"' in lines[entry.source.line]


def test_results_of_anthropic_come_with_their_errors() -> None:
    result = {"type": "tool_result", "tool_use_id": "u1", "content": "no", "is_error": True}
    (one,) = transcripts(
        {
            "id": "s",
            "score": 0,
            "messages": [
                {"role": "user", "content": "List."},
                {
                    "role": "assistant",
                    "content": [{"type": "tool_use", "id": "u1", "name": "orders", "input": {}}],
                },
                {"role": "user", "content": [result, {"type": "text", "text": "Go on."}]},
            ],
        }
    )

    assert [entry.message.role for entry in one.entries] == ["user", "assistant", "tool", "user"]
    assert [entry.failed for entry in one.entries] == [False, False, True, False]
    assert one.outcome == 0.0


def test_parts_of_gemini_are_read() -> None:
    (one,) = transcripts(
        {
            "conversation": [
                {"role": "user", "parts": [{"text": "List."}]},
                {"role": "model", "parts": [{"functionCall": {"name": "orders", "args": {}}}]},
                {
                    "role": "user",
                    "parts": [{"functionResponse": {"name": "orders", "response": {"a": 1}}}],
                },
            ]
        }
    )

    assert [entry.message.role for entry in one.entries] == ["user", "assistant", "tool"]


def test_messages_of_sharegpt_are_read() -> None:
    (one,) = transcripts(
        {
            "conversations": [
                {"from": "human", "value": "List."},
                {"from": "function_call", "value": '{"name": "orders", "arguments": {"n": 1}}'},
                {"from": "observation", "value": ROWS},
                {"from": "gpt", "value": "Thirty."},
            ]
        }
    )

    call = one.entries[1].message.calls[0]
    assert (call.name, call.arguments) == ("orders", '{"n":1}')
    assert one.entries[2].message.answers == call.call_id
    assert [entry.message.role for entry in one.entries] == [
        "user",
        "assistant",
        "tool",
        "assistant",
    ]


def test_items_of_responses_are_read() -> None:
    (one,) = transcripts(
        [
            {"role": "user", "content": [{"type": "input_text", "text": "List."}]},
            {"type": "function_call", "call_id": "c1", "name": "orders", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1", "output": ROWS},
        ]
    )

    assert [entry.message.role for entry in one.entries] == ["user", "assistant", "tool"]
    assert one.entries[0].message.text == "List."


def test_calls_of_the_older_form_are_paired_with_their_results_by_place() -> None:
    (one,) = transcripts(
        [
            {"role": "user", "content": "List."},
            {
                "role": "assistant",
                "content": None,
                "function_call": {"name": "orders", "arguments": "{}"},
            },
            {"role": "function", "name": "orders", "content": ROWS},
        ]
    )

    assert one.entries[2].message.answers == one.entries[1].message.calls[0].call_id is not None


def test_a_content_that_is_no_text_is_written_as_json() -> None:
    messages = chat_messages()
    messages[3]["content"] = {"rows": [1, 2]}

    (one,) = transcripts(messages)

    assert one.entries[3].message.text == '{"rows":[1,2]}'


def test_what_is_no_message_is_counted() -> None:
    (one,) = transcripts([*chat_messages(), {"role": "judge", "content": "good"}, 5])

    assert one.unread == {"message of judge": 1, "message": 1}
    assert len(one.entries) == 5


def test_a_file_without_one_is_refused_when_the_form_is_named() -> None:
    for data in (b'{"a": 1}', b"[1]", b'{"a": 1}\n{"b": 2}'):
        with pytest.raises(LoadError, match="no conversation"):
            list(read_bytes(data, "x", "chat").records)

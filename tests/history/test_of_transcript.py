"""The context of a session as a chat body."""

from typing import Any

from ullage.history.of_transcript import body_of
from ullage.transcript.message import Message, ToolCall
from ullage.transcript.transcript import Compaction, Entry, Transcript


def session(*messages: Message, **more: Any) -> Transcript:
    entries = [Entry(message=one) for one in messages]
    return Transcript(session="s", form="test", entries=entries, **more)


def said(role: Any, text: str, **more: Any) -> Message:
    return Message(role=role, text=text, **more)


def call(name: str, call_id: str | None = None) -> ToolCall:
    return ToolCall(call_id=call_id, name=name, arguments="{}")


def messages(one: Transcript) -> list[dict[str, Any]]:
    found = body_of(one)["messages"]
    assert isinstance(found, list)
    return found


def test_the_parts_of_a_reply_become_one_message_with_its_results_behind_it() -> None:
    one = session(
        said("user", "Go."),
        said("assistant", "I look."),
        said("assistant", "", calls=(call("ls", "a"),)),
        said("assistant", "", calls=(call("cat", "b"),)),
        said("tool", "files", answers="a"),
        said("tool", "text", answers="b"),
    )

    assert [each["role"] for each in messages(one)] == ["user", "assistant", "tool", "tool"]
    assert [each["id"] for each in messages(one)[1]["tool_calls"]] == ["a", "b"]
    assert messages(one)[1]["content"] == "I look."


def test_calls_without_an_id_are_paired_by_name_and_order() -> None:
    one = session(
        said("assistant", "", calls=(call("ls"), call("cat"))),
        said("tool", "text", name="cat"),
        said("tool", "files", name="ls"),
    )

    reply, text, files = messages(one)
    names = {each["function"]["name"]: each["id"] for each in reply["tool_calls"]}
    assert text["tool_call_id"] == names["cat"]
    assert files["tool_call_id"] == names["ls"]


def test_only_what_is_in_force_at_the_end_is_taken() -> None:
    one = session(
        said("user", "Go."),
        said("assistant", "Long talk."),
        said("user", "Summary of it."),
        compactions=[Compaction(at=2, act="summarise", after=(0, 2), summary=(2,))],
    )

    assert [each["content"] for each in messages(one)] == ["Go.", "Summary of it."]


def test_the_model_of_the_session_is_named() -> None:
    assert body_of(session(said("user", "Go."), model="gpt-4o"))["model"] == "gpt-4o"

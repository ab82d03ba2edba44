"""Sessions of Gemini CLI as transcripts, in both forms of their file."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.sources.reading import all_said, now, post, pre, transcripts

from ullage.checks.transcripts import session_of
from ullage.sources.files import read_bytes

HEAD = {"sessionId": "ses-1", "projectHash": "ab12", "startTime": "2026-05-04T10:00:00.000Z"}
LISTING = "\n".join(f"file-{number}.txt {number * 7919 % 1000}" for number in range(60))


def user(key: str, text: str) -> dict[str, Any]:
    return {
        "id": key,
        "timestamp": "2026-05-04T10:00:01.000Z",
        "type": "user",
        "content": [{"text": text}],
    }


def gemini(key: str, text: str, *calls: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": key,
        "timestamp": "2026-05-04T10:00:02.000Z",
        "type": "gemini",
        "content": text,
        "toolCalls": list(calls),
        "thoughts": [],
        "tokens": {"input": 900, "output": 20, "cached": 100, "thoughts": 5, "total": 925},
        "model": "gemini-3-pro",
    }


def ran(
    key: str, given: str, display: Any = None, name: str = "run_shell_command"
) -> dict[str, Any]:
    response = {"id": key, "name": name, "response": {"output": given}}
    return {
        "id": key,
        "name": name,
        "args": {"command": "ls"},
        "status": "success",
        "result": [{"functionResponse": response}],
        "resultDisplay": display,
    }


def document(*messages: dict[str, Any]) -> bytes:
    return json.dumps({**HEAD, "messages": list(messages)}, indent=2).encode()


def log(*records: dict[str, Any]) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in (HEAD, *records)).encode()


TALK = (user("a", "List the files."), gemini("b", "I list.", ran("c1", LISTING, LISTING)))


@pytest.mark.parametrize("data", [document(*TALK), log(*TALK)])
def test_both_forms_give_calls_results_and_tokens(data: bytes) -> None:
    [one] = transcripts(data)

    assert all_said(one) == ["u:List the files.", "a:I list. run_shell_command", f"t:{LISTING}"]
    usage = one.entries[1].usage
    assert usage is not None
    assert (usage.input, usage.output, usage.reasoning, usage.cached) == (900, 25, 5, 100)
    assert (one.session, one.form, one.model) == ("ses-1", "gemini-cli", "gemini-3-pro")


def test_a_command_is_measured_against_what_a_person_was_shown_of_it() -> None:
    note = "Output too large. Showing first 300 and last 100 characters. For full output see: /x\n"
    given = f"{note}{LISTING[:300]}\n...\n{LISTING[-100:]}"
    data = document(user("a", "List."), gemini("b", "", ran("c1", given, LISTING)))

    [result] = session_of(transcripts(data)[0]).results

    assert result.measured is not None
    assert result.measured.arrival is not None
    assert 0.1 < (result.measured.arrival.rate or 0) < 0.5


def test_a_remark_for_a_person_is_not_what_was_produced() -> None:
    data = document(
        user("a", "Read."), gemini("b", "", ran("c1", LISTING, "Read 60 lines", "read_file"))
    )

    [one] = transcripts(data)

    assert one.entries[2].produced is None


def test_the_saved_output_is_read_by_its_name(tmp_path: Path) -> None:
    there = "/home/x/.gemini/tmp/ab/tool-outputs/session-ses-1/c1.txt"
    given = f"Output too large. For full output see: {there}\n{LISTING[:200]}"
    (tmp_path / "chats").mkdir()
    (tmp_path / "tool-outputs" / "session-ses-1").mkdir(parents=True)
    (tmp_path / "tool-outputs" / "session-ses-1" / "c1.txt").write_text(LISTING, encoding="utf-8")
    chat = tmp_path / "chats" / "session-1.jsonl"
    chat.write_bytes(log(user("a", "Read."), gemini("b", "", ran("c1", given, None, "web_fetch"))))

    [one] = transcripts(chat)

    assert one.entries[2].produced is not None
    assert one.entries[2].produced.text == LISTING


def test_a_message_that_is_written_again_counts_once() -> None:
    data = log(
        user("a", "List."),
        gemini("b", "I list."),
        gemini("b", "I list.", ran("c1", LISTING)),
        {"$set": {"lastUpdated": "2026-05-04T10:00:09.000Z"}},
        gemini("d", "Sixty."),
    )

    [one] = transcripts(data)

    assert all_said(one) == ["u:List.", "a:I list. run_shell_command", f"t:{LISTING}", "a:Sixty."]


def test_what_was_taken_back_is_a_branch() -> None:
    data = log(
        *TALK,
        user("e", "Delete them."),
        gemini("f", "No."),
        {"$rewindTo": "e"},
        user("g", "Keep them."),
    )

    main, branch = transcripts(data)

    assert all_said(main)[3:] == ["u:Keep them."]
    assert all_said(branch)[branch.shared :] == ["u:Delete them.", "a:No."]


def test_a_new_history_is_a_compaction_and_what_it_left_is_rebuilt() -> None:
    snapshot = {
        "id": "s",
        "type": "user",
        "content": [{"text": "<state_snapshot>Files were listed.</state_snapshot>"}],
    }
    ack = {"id": "k", "type": "gemini", "content": [{"text": "Got it."}]}
    last = user("e", "Which is the largest?")
    data = log(*TALK, last, {"$set": {"messages": [snapshot, ack, last]}}, gemini("f", "file-9."))

    [one] = transcripts(data)
    [done] = one.compactions

    assert pre(one, 0) == [*all_said(one)[:3], "u:Which is the largest?"]
    assert post(one, 0) == [
        "u:<state_snapshot>Files were listed.</state_snapshot>",
        "a:Got it.",
        "u:Which is the largest?",
    ]
    assert now(one) == [*post(one, 0), "a:file-9."]
    assert done.act == "summarise"


def test_a_masked_result_is_elided_and_no_second_result() -> None:
    masked = "<tool_output_masked>60 lines, saved</tool_output_masked>"
    data = log(*TALK, {"$set": {"messages": [TALK[0], gemini("b", "I list.", ran("c1", masked))]}})

    [one] = transcripts(data)
    [done] = one.compactions

    assert done.act == "elide"
    assert done.cleared == (2,)
    assert post(one, 0) == ["u:List the files.", "a:I list. run_shell_command", f"t:{masked}"]
    assert [each.text for each in session_of(one).results] == [LISTING]


def test_a_history_that_is_the_same_or_goes_on_is_no_compaction() -> None:
    more = user("e", "Thanks.")
    data = log(*TALK, {"$set": {"messages": list(TALK)}}, {"$set": {"messages": [*TALK, more]}})

    [one] = transcripts(data)

    assert one.compactions == []
    assert all_said(one)[3:] == ["u:Thanks."]


def test_notes_for_the_person_are_not_in_the_context() -> None:
    data = document({"id": "i", "type": "info", "content": "Update available"}, *TALK)

    [one] = transcripts(data)

    assert now(one)[0] == "u:List the files."


def test_other_json_with_messages_is_no_session_of_gemini_cli() -> None:
    other = json.dumps({"sessionId": "x", "messages": [{"role": "user", "content": "hi"}]}).encode()

    assert read_bytes(other, "x.json").form == "chat"

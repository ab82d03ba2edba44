"""Sessions of qwen-code as transcripts."""

import json
from itertools import count
from typing import Any

from tests.sources.reading import all_said, now, post, pre, said, transcripts

from ullage.checks.transcripts import session_of
from ullage.sources.files import read_bytes

LISTING = "\n".join(f"file-{number}.txt {number * 7919 % 1000}" for number in range(60))


def session(*records: dict[str, Any]) -> bytes:
    numbers = count(1)
    lines, last = [], None
    for one in records:
        number = next(numbers)
        base = {
            "uuid": f"u{number}",
            "parentUuid": last,
            "sessionId": "ses-1",
            "timestamp": f"2026-05-04T10:00:{number:02}.000Z",
            "version": "0.15.10",
        }
        lines.append({**base, **one})
        last = lines[-1]["uuid"]
    return "".join(json.dumps(one) + "\n" for one in lines).encode()


def user(text: str, **members: Any) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "parts": [{"text": text}]}, **members}


def model(*parts: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "assistant",
        "model": "qwen3-coder",
        "message": {"role": "model", "parts": list(parts)},
        "usageMetadata": {"promptTokenCount": 700, "candidatesTokenCount": 9},
    }


def result(given: str, display: str) -> dict[str, Any]:
    response = {"id": "c1", "name": "run_shell_command", "response": {"output": given}}
    return {
        "type": "tool_result",
        "message": {"role": "user", "parts": [{"functionResponse": response}]},
        "toolCallResult": {"callId": "c1", "status": "success", "resultDisplay": display},
    }


CALL = {"functionCall": {"id": "c1", "name": "run_shell_command", "args": {"command": "ls"}}}
NOTE = "Tool output was too large and has been truncated.\nThe full output has been saved to: /x/y"
CUT = f"{NOTE}\n{LISTING[:300]}"
SHOWN = f"{LISTING}\nOutput too long and was saved to: /x/y.txt"


def test_messages_calls_and_results_are_read_and_thoughts_are_not() -> None:
    data = session(
        user("List."),
        {"type": "system", "subtype": "ui_telemetry", "systemPayload": {"uiEvent": {}}},
        model({"text": "Hm.", "thought": True}, {"text": "I list."}, CALL),
        result(LISTING, LISTING),
        model({"text": "Sixty."}),
    )

    [one] = transcripts(data)

    assert all_said(one) == ["u:List.", "a:I list. run_shell_command", f"t:{LISTING}", "a:Sixty."]
    assert one.entries[1].usage is not None
    assert one.entries[1].usage.input == 700
    assert (one.form, one.version, one.model) == ("qwen-code", "0.15.10", "qwen3-coder")
    assert one.unread == {}


def test_a_cut_result_is_measured_against_what_a_person_was_shown_without_its_last_line() -> None:
    data = session(user("List."), model(CALL), result(CUT, SHOWN))

    [one] = transcripts(data)
    [each] = session_of(one).results

    assert one.entries[2].produced is not None
    assert one.entries[2].produced.text == LISTING
    assert each.measured is not None
    assert each.measured.arrival is not None
    assert 0.1 < (each.measured.arrival.rate or 0) < 0.5


def test_a_rewind_leaves_a_branch() -> None:
    data = session(
        user("One."),
        model({"text": "First."}),
        user("Two."),
        model({"text": "Second."}),
        user("Three.", parentUuid="u2"),
    )

    main, branch = transcripts(data)

    assert all_said(main) == ["u:One.", "a:First.", "u:Three."]
    assert all_said(branch)[branch.shared :] == ["u:Two.", "a:Second."]


def test_a_compression_leaves_the_history_that_it_holds() -> None:
    history = [
        {"role": "user", "parts": [{"text": "<state>Listed.</state>"}]},
        {"role": "model", "parts": [{"text": "Got it."}]},
        {"role": "user", "parts": [{"text": "Which is the largest?"}]},
    ]
    info = {"originalTokenCount": 90_000, "newTokenCount": 4_000, "compressionStatus": 1}
    payload = {"info": info, "compressedHistory": history}
    data = session(
        user("List."),
        model(CALL),
        result(LISTING, LISTING),
        user("Which is the largest?"),
        {"type": "system", "subtype": "chat_compression", "systemPayload": payload},
        model({"text": "file-9."}),
    )

    [one] = transcripts(data)
    [done] = one.compactions

    assert pre(one, 0) == [
        "u:List.",
        "a:run_shell_command",
        f"t:{LISTING}",
        "u:Which is the largest?",
    ]
    assert post(one, 0) == ["u:<state>Listed.</state>", "a:Got it.", "u:Which is the largest?"]
    assert now(one) == [*post(one, 0), "a:file-9."]
    assert (done.tokens_before, done.tokens_after) == (90_000, 4_000)
    assert said(one, done.summary) == ["u:<state>Listed.</state>"]


def test_its_records_are_not_taken_for_those_of_claude_code() -> None:
    data = session(user("List.", isSidechain=False))

    assert read_bytes(data, "x.jsonl").form == "qwen-code"

"""Histories of OpenHands, version 0."""

import pytest
from tests.sources.agent_files import (
    Record,
    calls,
    judged,
    lines,
    only,
    packed,
    post,
    pre,
    sessions,
)

from ullage.sources.files import read_bytes
from ullage.sources.record import Damaged, Plain


def event(key: int, source: str = "agent", **more: object) -> Record:
    return {"id": key, "timestamp": "2026-01-01T00:00:00.5", "source": source, **more}


def said(key: int, text: str, source: str = "user") -> Record:
    return event(key, source, action="message", args={"content": text})


def meta(key: int, response: str | None = None) -> Record:
    function = {"name": "execute_bash", "arguments": f'{{"command": "run {key}"}}'}
    message = {
        "role": "assistant",
        "content": f"I do {key}",
        "tool_calls": [{"id": f"call_{key}", "type": "function", "function": function}],
    }
    return {
        "function_name": "execute_bash",
        "tool_call_id": f"call_{key}",
        "model_response": {
            "id": response or f"reply {key}",
            "model": "gpt-4o",
            "choices": [{"index": 0, "finish_reason": "tool_calls", "message": message}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 7},
        },
    }


def ran(key: int, response: str | None = None) -> list[Record]:
    """An action and what came of it: two events."""
    told = meta(key, response)
    args = {"command": f"run {key}", "thought": f"I do {key}"}
    return [
        event(key, action="run", args=args, tool_call_metadata=told),
        event(
            key + 1,
            observation="run",
            content=f"out {key}",
            extras={},
            cause=key,
            success=True,
            tool_call_metadata=told,
        ),
    ]


def condensed(key: int, **args: object) -> Record:
    return event(key, action="condensation", args=args)


BEGIN = [
    event(0, action="system", args={"content": "You fix."}),
    said(1, "Fix it."),
    event(2, "user", action="recall", args={"query": "Fix it."}),
    event(3, "environment", observation="recall", content="Added", extras={}, cause=2),
]
HISTORY = [*BEGIN, *ran(4), *ran(6), *ran(8)]


def test_a_history_is_its_actions_and_what_came_of_them() -> None:
    one = only(packed(HISTORY))

    assert calls(one) == [
        ("execute_bash", f"out {key}", f'{{"command": "run {key}"}}') for key in (4, 6, 8)
    ]
    assert [entry.message.role for entry in one.entries][:4] == [
        "system",
        "user",
        "assistant",
        "tool",
    ]
    assert (one.agent, one.model, one.records) == ("OpenHands", "gpt-4o", 10)
    assert one.entries[2].usage is not None
    assert one.entries[2].at == 1_767_225_600.5


def test_the_tokens_of_a_reply_with_two_calls_are_counted_once() -> None:
    one = only(packed([*BEGIN, *ran(4, "r"), *ran(6, "r")]))

    assert [entry.usage is not None for entry in one.entries if entry.message.calls] == [
        True,
        False,
    ]


def test_events_that_are_named_are_forgotten() -> None:
    one = only(packed([*HISTORY, condensed(10, forgotten_event_ids=[4, 5, 7]), *ran(11)]))

    whole = ["You fix.", "Fix it.", "I do 4", "out 4", "I do 6", "out 6", "I do 8", "out 8"]
    assert pre(one) == whole
    assert post(one) == ["You fix.", "Fix it.", "I do 6", "I do 8", "out 8"]
    assert one.compactions[0].act == "trim"
    assert one.compactions[0].tokens_before == 107


def test_a_range_is_forgotten_and_its_summary_stands_at_its_offset() -> None:
    # Of what is left, the offset counts the recall and its observation, too.
    given = {"forgotten_events_start_id": 4, "forgotten_events_end_id": 7}
    condensation = condensed(10, **given, summary="Ran 4 and 6.", summary_offset=4)
    one = only(packed([*HISTORY, condensation, *ran(11)]))

    assert post(one) == ["You fix.", "Fix it.", "Ran 4 and 6.", "I do 8", "out 8"]
    (compaction,) = one.compactions
    assert (compaction.act, compaction.summary) == ("summarise", (8,))
    assert one.context(len(one.entries)) == [0, 1, 8, 6, 7, 9, 10]


def test_only_the_newest_summary_is_shown() -> None:
    first = {"forgotten_events_start_id": 4, "forgotten_events_end_id": 5}
    second = {"forgotten_events_start_id": 6, "forgotten_events_end_id": 9}
    one = only(
        packed(
            [
                *HISTORY,
                condensed(10, **first, summary="Ran 4.", summary_offset=4),
                *ran(11),
                condensed(13, **second, summary="Ran 4 to 8.", summary_offset=4),
            ]
        )
    )

    assert pre(one, 1) == [
        "You fix.",
        "Fix it.",
        "Ran 4.",
        *(f"{word} {key}" for key in (6, 8, 11) for word in ("I do", "out")),
    ]
    assert post(one, 1) == ["You fix.", "Fix it.", "Ran 4 to 8.", "I do 11", "out 11"]


def test_a_finished_run_ends_with_an_answer() -> None:
    finish = event(10, action="finish", args={"final_thought": "All is mended."})
    one = only(packed([*HISTORY, finish]))

    answer = judged(one).answer
    assert answer is not None
    assert one.entries[answer].message.text == "All is mended."


def test_each_line_of_an_evaluation_is_a_run() -> None:
    outputs = [
        {"instance_id": f"t-{number}", "instruction": "Fix it.", "history": HISTORY, **more}
        for number, more in enumerate([{}, {"test_result": {"report": {"resolved": True}}}])
    ]
    data = lines([*outputs, {"instance_id": "t-2", "history": []}]) + b'{"instance_id": "t-'
    records = list(read_bytes(data, "x").records)

    found = sessions(data)
    assert [(one.session, one.outcome) for one in found] == [("t-0", None), ("t-1", 1.0)]
    assert [one.source.line for one in found] == [1, 2]
    assert isinstance(records[2], Plain)
    assert isinstance(records[3], Damaged)


def test_the_oldest_files_have_pairs_and_no_ids() -> None:
    pairs = [
        [
            {"action": "message", "args": {"content": "Fix it."}},
            {"observation": "null", "content": "", "extras": {}},
        ],
        [
            {"action": "run", "args": {"command": "ls", "thought": "I look."}},
            {"observation": "run", "content": "a", "extras": {}},
        ],
    ]
    one = only(packed({"instance_id": "t", "history": pairs}))

    assert [entry.message.role for entry in one.entries] == ["user", "assistant", "tool"]
    assert calls(one) == [("run", "a", '{"command":"ls"}')]


@pytest.mark.parametrize("member", ["agent_state_changed", "null"])
def test_states_of_the_agent_are_no_messages(member: str) -> None:
    state = event(10, "environment", observation=member, content="", extras={})

    assert len(only(packed([*HISTORY, state])).entries) == 8


def test_what_is_no_event_is_counted() -> None:
    assert only(packed([*HISTORY, {"id": 10, "source": "agent"}])).unread == {
        "neither an action nor an observation": 1
    }

"""Rollouts of Codex as transcripts: items, events, compactions, turns that were taken back."""

import gzip
import json
import sys
from typing import Any

import pytest
from tests.sources.codex_rollouts import HEADER, Codex, call, command, message, output
from tests.sources.reading import all_said, now, post, pre, said, transcripts

from ullage.checks.transcripts import session_of
from ullage.sources.files import read_bytes
from ullage.sources.record import Damaged

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ROWS = [
    f"host-{number}: {number * 7919 % 1000} ms, {number * 31 % 97} errors" for number in range(80)
]
TABLE = "\n".join(ROWS)
RULES = message("developer", "Answer in one line.")


def simple() -> Codex:
    talk = Codex()
    talk.begin()
    talk.items(RULES, message("user", "Which host is slow?"), call("c1", cmd="probe"))
    talk.tokens(1_000, 20)
    talk.event("item_completed", item=command("c1", TABLE))
    talk.items(output("c1", HEADER + TABLE), message("assistant", "host-7."))
    talk.tokens(3_000, 4)
    return talk


def test_items_are_messages_and_token_counts_belong_to_what_was_written_last() -> None:
    [one] = transcripts(simple().data())

    assert all_said(one) == [
        "s:Answer in one line.",
        "u:Which host is slow?",
        "a:exec_command",
        f"t:{HEADER}{TABLE}",
        "a:host-7.",
    ]
    usages = [entry.usage for entry in one.entries]
    assert [each and each.input for each in usages] == [None, None, 1_000, None, 3_000]
    assert (one.session, one.version, one.model) == ("ses-1", "0.171.0", "gpt-5.6-sol")
    assert one.window == 258_400
    assert one.unread == {}


def test_a_count_behind_a_result_belongs_to_the_call_before_it() -> None:
    talk = Codex()
    talk.begin()
    talk.items(message("user", "Probe."), call("c1"), output("c1", "ok"))
    talk.tokens(1_000, 20)
    talk.tokens(1_000, 20)

    [one] = transcripts(talk.data())

    assert [each.usage is not None for each in one.entries] == [False, True, False]


def test_the_header_of_a_delivered_output_does_not_lower_what_arrived() -> None:
    [result] = session_of(transcripts(simple().data())[0]).results

    assert result.measured is not None
    assert result.measured.arrival is not None
    assert result.measured.arrival.rate == 1.0


@pytest.mark.parametrize("pack", [gzip.compress, zstd.compress])
def test_a_compressed_rollout_is_read_as_a_plain_one(pack: Any) -> None:
    assert transcripts(pack(simple().data())) == transcripts(simple().data())


def cut_in_the_middle(text: str) -> str:
    return f"{HEADER}Total output lines: 80\n\n{text[:400]}…612 tokens truncated…{text[-300:]}"


@pytest.mark.parametrize(
    "event",
    [
        {"type": "item_completed", "item": command("c1", TABLE)},
        {"type": "exec_command_end", "call_id": "c1", "aggregated_output": TABLE},
        {"type": "exec_command_end", "call_id": "c1", "stdout": TABLE, "stderr": ""},
        {
            "type": "mcp_tool_call_end",
            "call_id": "c1",
            "result": {"Ok": {"content": [{"type": "text", "text": TABLE}]}},
        },
        {
            "type": "item_completed",
            "item": {
                "type": "McpToolCall",
                "id": "c1",
                "result": {"content": [{"type": "text", "text": TABLE}]},
            },
        },
        {
            "type": "dynamic_tool_call_response",
            "call_id": "c1",
            "content_items": [{"type": "inputText", "text": TABLE}],
        },
    ],
)
@pytest.mark.parametrize("event_first", [True, False])
def test_what_was_produced_is_found_in_each_kind_of_event(
    event: dict[str, Any], event_first: bool
) -> None:
    talk = Codex()
    talk.begin()
    talk.items(message("user", "Probe."), call("c1", cmd="probe"))
    if event_first:
        talk.add("event_msg", event)
    talk.items(output("c1", cut_in_the_middle(TABLE)))
    if not event_first:
        talk.add("event_msg", event)

    [one] = transcripts(talk.data())
    [result] = session_of(one).results

    assert one.entries[2].produced is not None
    assert one.entries[2].produced.text == TABLE
    assert result.measured is not None
    assert result.measured.arrival is not None
    assert 0.1 < (result.measured.arrival.rate or 0) < 0.4


def test_an_output_that_the_log_itself_may_have_cut_is_at_least_that() -> None:
    talk = Codex()
    talk.begin()
    talk.items(message("user", "Probe."), call("c1"), output("c1", "x"))
    talk.event("item_completed", item=command("c1", "x" * 65_536))

    [one] = transcripts(talk.data())

    assert one.entries[2].produced is not None
    assert one.entries[2].produced.at_least


def test_the_first_output_of_a_command_that_runs_on_is_not_measured_against_all_of_it() -> None:
    talk = Codex()
    talk.begin()
    begun = HEADER.replace("exited with code 0", "running with session ID 7") + ROWS[0]
    talk.items(message("user", "Probe."), call("c1"), output("c1", begun))
    talk.event("item_completed", item=command("c1", TABLE))

    [one] = transcripts(talk.data())

    assert one.entries[2].produced is None


def compacted_rollout() -> Codex:
    talk = simple()
    talk.items(
        message("user", "Restart it, but never at night."), message("assistant", "Understood.")
    )
    talk.tokens(240_000, 10)
    first = [
        RULES,
        message("user", "Which host is slow?"),
        message("user", "Restart it, but never at night."),
        message("user", "Another model left this: host-7 is slow; restart it by day."),
    ]
    talk.add(
        "compacted",
        {
            "message": "host-7 is slow; restart it by day.",
            "replacement_history": first,
            "window_number": 2,
        },
    )
    talk.event("context_compacted")
    talk.tokens(0, 4_200)
    talk.items(message("assistant", "I will restart host-7."), call("c2", cmd="restart"))
    talk.tokens(4_300, 30)
    talk.items(output("c2", "ok"), message("assistant", "Done."))
    talk.tokens(4_400, 3)
    second = [RULES, {"type": "compaction", "encrypted_content": "gAAAA"}, output("c2", "ok")]
    talk.add("compacted", {"message": "", "replacement_history": second})
    talk.items(message("user", "And host-8?"))
    talk.tokens(900, 2)
    return talk


def test_what_was_in_force_before_and_after_each_compaction_is_rebuilt_exactly() -> None:
    [one] = transcripts(compacted_rollout().data())
    before = [
        *all_said(transcripts(simple().data())[0]),
        "u:Restart it, but never at night.",
        "a:Understood.",
    ]
    kept = [
        "s:Answer in one line.",
        "u:Which host is slow?",
        "u:Restart it, but never at night.",
        "u:Another model left this: host-7 is slow; restart it by day.",
    ]

    assert pre(one, 0) == before
    assert post(one, 0) == kept
    assert pre(one, 1) == [*kept, "a:I will restart host-7.", "a:exec_command", "t:ok", "a:Done."]
    assert post(one, 1) == ["s:Answer in one line.", "t:ok"]
    assert now(one) == ["s:Answer in one line.", "t:ok", "u:And host-8?"]


def test_a_history_is_made_of_entries_that_were_there_as_far_as_they_are_equal() -> None:
    [one] = transcripts(compacted_rollout().data())
    first, second = one.compactions

    assert first.after == (0, 1, 5, 7)
    assert said(one, first.summary) == [
        "u:Another model left this: host-7 is slow; restart it by day."
    ]
    assert [each.entry for each in session_of(one).results] == [3, 10]
    assert (first.opaque, second.opaque) == (False, True)


def test_tokens_around_a_compaction_are_those_counted_before_and_behind_it() -> None:
    [one] = transcripts(compacted_rollout().data())

    assert [(each.tokens_before, each.tokens_after) for each in one.compactions] == [
        (240_010, 4_200),
        (4_403, 900),
    ]


def test_a_count_from_before_one_compaction_is_none_for_the_next() -> None:
    talk = simple()
    for _ in range(2):
        talk.add("compacted", {"message": "", "replacement_history": [RULES]})
        talk.items(message("user", "Go on."))

    [one] = transcripts(talk.data())

    assert [each.tokens_before for each in one.compactions] == [3_004, None]


def test_an_event_before_its_line_is_the_same_compaction() -> None:
    talk = simple()
    talk.event("context_compacted")
    talk.add("compacted", {"message": "", "replacement_history": [RULES]})

    [one] = transcripts(talk.data())

    assert [(each.after, each.tokens_before) for each in one.compactions] == [((0,), 3_004)]


def test_an_event_alone_tells_of_a_compaction_whose_history_is_not_there() -> None:
    talk = simple()
    talk.event("context_compacted")
    talk.items(message("user", "Go on."))

    [one] = transcripts(talk.data())

    assert [each.after for each in one.compactions] == [None]


def test_a_new_history_may_name_items_that_were_there() -> None:
    talk = Codex()
    talk.begin()
    talk.items({**message("user", "Begin."), "id": "i1"}, message("assistant", "Begun."))
    entries = [
        {"type": "reference", "item_id": "i1"},
        {"type": "inline", "item": message("user", "It was begun.")},
    ]
    talk.add("compacted", {"message": "It was begun.", "replacement_history_entries": entries})

    [one] = transcripts(talk.data())

    assert post(one, 0) == ["u:Begin.", "u:It was begun."]
    assert one.compactions[0].after == (0, 2)


def test_turns_that_were_taken_back_are_a_branch() -> None:
    talk = Codex()
    talk.begin()
    talk.event("task_started", model_context_window=100_000)
    talk.items(message("user", "One."), message("assistant", "First."))
    talk.event("task_started", model_context_window=100_000)
    talk.items(message("user", "Two."), call("c1"), output("c1", "ok"))
    talk.event("thread_rolled_back", num_turns=1)
    talk.items(message("user", "Three."), message("assistant", "Third."))

    main, branch = transcripts(talk.data())

    assert all_said(main) == ["u:One.", "a:First.", "u:Three.", "a:Third."]
    assert all_said(branch)[branch.shared :] == ["u:Two.", "a:exec_command", "t:ok"]
    assert branch.session == "ses-1@1"


def test_an_agent_names_the_session_and_the_call_that_began_it() -> None:
    talk = Codex()
    spawn = {"parent_thread_id": "ses-0", "spawn_call_id": "c9"}
    talk.begin(source={"subagent": {"thread_spawn": spawn}})
    talk.items(message("user", "Look."))

    [one] = transcripts(talk.data())

    assert (one.parent, one.parent_call) == ("ses-0", "c9")


def test_other_kinds_of_calls_and_results_are_read() -> None:
    talk = Codex()
    talk.begin()
    talk.items(
        {"type": "local_shell_call", "call_id": "a", "action": {"command": ["ls"]}},
        output("a", {"content": "x.txt", "success": True}),
        {"type": "custom_tool_call", "call_id": "b", "name": "apply_patch", "input": "*** Begin"},
        {
            "type": "custom_tool_call_output",
            "call_id": "b",
            "output": [{"type": "input_text", "text": "ok"}],
        },
        {"type": "web_search_call", "id": "w", "action": {"type": "search", "query": "hosts"}},
        {"type": "reasoning", "summary": [], "encrypted_content": "gAAAA"},
        {"type": "ghost_snapshot", "ghost_commit": {}},
        {"type": "hologram", "text": "?"},
    )

    [one] = transcripts(talk.data())

    assert all_said(one) == ["a:local_shell", "t:x.txt", "a:apply_patch", "t:ok", "a:web_search"]
    assert one.entries[2].message.calls[0].arguments == "*** Begin"
    assert one.unread == {"hologram": 1}


def test_the_flat_form_of_older_files_is_read() -> None:
    lines = [
        {"id": "old-1", "timestamp": "2025-08-08T10:39:10.241Z", "instructions": None},
        {"record_type": "state"},
        message("user", "Go."),
        call("c1", "shell", command=["ls"]),
        output("c1", json.dumps({"output": "a.txt", "metadata": {"exit_code": 0}})),
        {"record_type": "state"},
        message("assistant", "One file."),
    ]
    data = "\n".join(map(json.dumps, lines)).encode()

    reading = read_bytes(data, "rollout.jsonl")
    [one] = transcripts(data)

    assert reading.form == "codex"
    assert one.session == "old-1"
    assert [entry.message.role for entry in one.entries] == [
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    assert one.unread == {}


def test_torn_lines_are_told() -> None:
    found = list(read_bytes(simple().data() + b'{"timestamp": "2026', "r.jsonl").records)

    assert found[0] == Damaged(line=11, why="ends early", chars=19, saved=0)

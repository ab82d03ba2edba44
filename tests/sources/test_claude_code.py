"""Sessions of Claude Code as transcripts: branches, agents, compactions, what was produced."""

import json
from pathlib import Path

import pytest
from tests.sources.claude_sessions import Claude, call
from tests.sources.reading import all_said, now, post, pre, said, transcripts

from ullage.checks.transcripts import session_of
from ullage.sources.claude_story import CLEARED
from ullage.sources.files import files_in, read_bytes
from ullage.sources.record import Damaged, Plain

ROWS = [
    f"row {number}: {number * 7919 % 1000} units, {number * 31 % 97} returned"
    for number in range(60)
]
TABLE = "\n".join(ROWS)


def test_a_reply_is_one_message_with_its_blocks_in_order_and_its_last_usage() -> None:
    talk = Claude()
    talk.user("Which rows are odd?")
    talk.says("I look.", call("c1", "Bash", command="ls"), call("c2", "Read", file_path="/a"))

    [one] = transcripts(talk.data())

    assert all_said(one) == ["u:Which rows are odd?", "a:I look. Bash Read"]
    assert [each.call_id for each in one.entries[1].message.calls] == ["c1", "c2"]
    assert one.entries[1].usage is not None
    assert one.entries[1].usage.input == 103
    assert one.entries[1].label == "complete"
    assert (one.session, one.version, one.model) == ("ses-1", "2.1.80", "claude-opus-5")


def test_results_of_parallel_calls_stay_on_the_line_of_the_conversation() -> None:
    talk = Claude()
    talk.user("Compare the two.")
    first = talk.says(call("c1", "Read", file_path="/a"), reply="m1")
    second = talk.says(call("c2", "Read", file_path="/b"), reply="m1")
    talk.result("c1", "alpha", parent=first)
    talk.result("c2", "beta", parent=second)
    talk.says("They differ.")

    [one] = transcripts(talk.data())

    assert all_said(one) == [
        "u:Compare the two.",
        "a:Read Read",
        "t:alpha",
        "t:beta",
        "a:They differ.",
    ]


def test_a_rewind_leaves_a_branch_that_shares_what_came_before() -> None:
    talk = Claude()
    talk.user("Open the log.")
    fork = talk.says("It is open.")
    talk.user("Count the errors.")
    talk.says(call("c1", "Bash", command="grep -c"))
    talk.result("c1", "4")
    talk.says("Four.")
    talk.user("Count the warnings.", parent=fork)
    talk.says("Nine.")

    main, branch = transcripts(talk.data())

    assert all_said(main) == [
        "u:Open the log.",
        "a:It is open.",
        "u:Count the warnings.",
        "a:Nine.",
    ]
    assert all_said(branch)[branch.shared :] == ["u:Count the errors.", "a:Bash", "t:4", "a:Four."]
    assert (main.shared, branch.shared) == (0, 2)
    assert branch.session == "ses-1@1"
    assert main.records + branch.records == len(talk.lines)


def test_another_try_at_the_same_prompt_is_a_branch() -> None:
    talk = Claude()
    asked = talk.user("Draft it.")
    talk.says("First draft.", parent=asked)
    talk.says("Second draft.", parent=asked)

    main, branch = transcripts(talk.data())

    assert all_said(main) == ["u:Draft it.", "a:Second draft."]
    assert all_said(branch)[branch.shared :] == ["a:First draft."]


def test_hooks_beside_a_message_make_no_branch() -> None:
    talk = Claude()
    asked = talk.user("Go.")
    talk.add("progress", data={"type": "hook_progress"}, parent=asked)
    talk.add("attachment", attachment={"type": "hook_success", "stdout": "{}"}, parent=asked)
    talk.says("Done.", parent=asked)

    [one] = transcripts(talk.data())

    assert all_said(one) == ["u:Go.", "a:Done."]


def compacted_session() -> Claude:
    """Auto compaction that keeps a segment, a second one by hand, a microcompaction, a rewind."""
    talk = Claude()
    talk.user("Never touch the file 'ledger.csv'. Find the returns above 90.")
    talk.says("I read the table.", call("c1", "Read", file_path="/srv/table.txt"))
    talk.result("c1", TABLE)
    head = talk.says("Rows 12 and 31.")
    tail = talk.user("Write them to returns.txt.")
    talk.boundary(
        trigger="auto",
        preTokens=151_000,
        postTokens=9_000,
        preservedSegment={"headUuid": head, "anchorUuid": "s1", "tailUuid": tail},
    )
    talk.summary("The table was read; rows 12 and 31 are above 90.", uuid="s1")
    talk.says(call("c2", "Write", file_path="/srv/returns.txt"), parent=tail)
    talk.result("c2", "File created successfully at: /srv/returns.txt")
    talk.says("Written.")
    talk.user("Check it.")
    talk.says(call("c3", "Bash", command="cat returns.txt"))
    talk.result("c3", "12\n31\n")
    talk.add(
        "system",
        subtype="microcompact_boundary",
        microcompactMetadata={
            "trigger": "auto",
            "preTokens": 60_000,
            "tokensSaved": 20_000,
            "compactedToolIds": ["c2"],
            "clearedAttachmentUUIDs": [],
        },
    )
    fork = talk.says("It holds 12 and 31.")
    talk.user("Delete it.")
    talk.says("I would rather not.")
    talk.user("Keep it, and sum up.", parent=fork)
    talk.says("Two rows, kept.")
    talk.boundary(trigger="manual", preTokens=61_000)
    talk.summary("returns.txt holds rows 12 and 31.")
    talk.user("What is in it?")
    talk.says("Rows 12 and 31.")
    return talk


RULE = "u:Never touch the file 'ledger.csv'. Find the returns above 90."
FIRST = ["u:The table was read; rows 12 and 31 are above 90.", "a:Rows 12 and 31."]
WRITE = "u:Write them to returns.txt."
CREATED = "t:File created successfully at: /srv/returns.txt"
BEFORE_CLEARING = [
    *FIRST,
    WRITE,
    "a:Write",
    CREATED,
    "a:Written.",
    "u:Check it.",
    "a:Bash",
    "t:12\n31\n",
]
CLEARED_HISTORY = [f"t:{CLEARED}" if one == CREATED else one for one in BEFORE_CLEARING]
LAST = ["a:It holds 12 and 31.", "u:Keep it, and sum up.", "a:Two rows, kept."]


def test_what_was_in_force_before_and_after_each_compaction_is_rebuilt_exactly() -> None:
    main, _ = transcripts(compacted_session().data())

    assert [one.act for one in main.compactions] == ["summarise", "elide", "summarise"]
    assert pre(main, 0) == [
        RULE,
        "a:I read the table. Read",
        f"t:{TABLE}",
        "a:Rows 12 and 31.",
        WRITE,
    ]
    assert post(main, 0) == [*FIRST, WRITE]
    assert pre(main, 1) == BEFORE_CLEARING
    assert post(main, 1) == CLEARED_HISTORY
    assert pre(main, 2) == [*CLEARED_HISTORY, *LAST]
    assert post(main, 2) == ["u:returns.txt holds rows 12 and 31."]
    assert now(main) == [
        "u:returns.txt holds rows 12 and 31.",
        "u:What is in it?",
        "a:Rows 12 and 31.",
    ]


def test_compactions_carry_their_trigger_tokens_summary_and_what_was_cleared() -> None:
    main, branch = transcripts(compacted_session().data())
    first, micro, last = main.compactions

    assert (first.trigger, first.tokens_before, first.tokens_after) == ("auto", 151_000, 9_000)
    assert said(main, first.summary) == [FIRST[0]]
    assert (micro.tokens_before, micro.tokens_after) == (60_000, 40_000)
    assert said(main, micro.cleared) == [CREATED]
    assert (last.trigger, last.tokens_before, last.tokens_after) == ("manual", 61_000, None)
    assert all_said(branch)[branch.shared :] == ["u:Delete it.", "a:I would rather not."]
    assert len(branch.compactions) == 2


def test_a_placeholder_is_no_result() -> None:
    main, _ = transcripts(compacted_session().data())

    results = session_of(main).results

    assert [one.tool for one in results] == ["Read", "Write", "Bash"]
    assert all(one.text != CLEARED for one in results)


def test_what_a_compaction_kept_stands_before_the_summary_where_it_hangs_on_the_boundary() -> None:
    talk = Claude()
    kept = talk.user("Use metric units only.")
    talk.says("I will.")
    talk.user("Convert the list.")
    talk.says("Converted.")
    segment = {"headUuid": kept, "anchorUuid": "b1", "tailUuid": kept}
    talk.add(
        "system",
        parent=None,
        uuid="b1",
        subtype="compact_boundary",
        logicalParentUuid=talk.last,
        compactMetadata={"trigger": "manual", "preTokens": 900, "preservedSegment": segment},
    )
    talk.summary("The list was converted.")
    talk.user("Thanks.")

    [one] = transcripts(talk.data())

    assert post(one, 0) == ["u:Use metric units only.", "u:The list was converted."]


@pytest.mark.parametrize("replayed", ["same key", "new key"])
def test_messages_that_are_written_once_more_behind_a_boundary_count_once(replayed: str) -> None:
    talk = Claude()
    talk.user("List the hosts.")
    talk.says(call("c1", "Bash", command="hosts"))
    talk.result("c1", "db-1\ndb-2")
    talk.says("Two hosts.")
    again = [dict(one) for one in talk.lines[2:]]
    talk.boundary(trigger="auto", preTokens=150_000)
    talk.summary("Hosts were listed.")
    parent = talk.last
    for number, record in enumerate(again):
        key = record["uuid"] if replayed == "same key" else f"again-{number}"
        talk.lines.append({**record, "uuid": key, "parentUuid": parent})
        parent = key
    talk.user("Which is the first?", parent=parent)

    [one] = transcripts(talk.data())

    assert pre(one, 0) == ["u:List the hosts.", "a:Bash", "t:db-1\ndb-2", "a:Two hosts."]
    assert post(one, 0) == ["u:Hosts were listed.", "t:db-1\ndb-2", "a:Two hosts."]
    assert len(session_of(one).results) == 1


@pytest.mark.parametrize("parts", [("boundary",), ("summary",), ("boundary", "summary")])
def test_a_boundary_or_a_summary_alone_is_a_compaction(parts: tuple[str, ...]) -> None:
    talk = Claude()
    talk.user("Begin.")
    talk.says("Begun.")
    if "boundary" in parts:
        talk.boundary(trigger="auto", preTokens=8)
    if "summary" in parts:
        talk.summary("It was begun.")
    talk.user("Go on.")

    [one] = transcripts(talk.data())

    assert len(one.compactions) == 1
    assert pre(one, 0) == ["u:Begin.", "a:Begun."]
    if "summary" in parts:
        assert post(one, 0) == ["u:It was begun."]
    else:
        assert one.post(0) is None


def test_the_stream_of_the_sdk_is_read_in_its_own_spelling() -> None:
    lines = [
        {
            "type": "system",
            "subtype": "init",
            "session_id": "s",
            "tools": ["Bash"],
            "claude_code_version": "2.1.9",
            "uuid": "i",
        },
        {
            "type": "user",
            "session_id": "s",
            "parent_tool_use_id": None,
            "uuid": "a",
            "message": {"role": "user", "content": "Start."},
        },
        {
            "type": "assistant",
            "session_id": "s",
            "parent_tool_use_id": None,
            "uuid": "b",
            "message": {
                "id": "m",
                "role": "assistant",
                "content": [call("t1", "Task", prompt="Look.")],
            },
        },
        {
            "type": "user",
            "session_id": "s",
            "parent_tool_use_id": "t1",
            "uuid": "c",
            "message": {"role": "user", "content": "Look."},
        },
        {
            "type": "assistant",
            "session_id": "s",
            "parent_tool_use_id": "t1",
            "uuid": "d",
            "message": {
                "id": "n",
                "role": "assistant",
                "content": [{"type": "text", "text": "Seen."}],
            },
        },
        {
            "type": "system",
            "subtype": "compact_boundary",
            "session_id": "s",
            "uuid": "e",
            "compact_metadata": {"trigger": "auto", "pre_tokens": 70_000, "post_tokens": 4_000},
        },
        {
            "type": "user",
            "session_id": "s",
            "parent_tool_use_id": None,
            "uuid": "f",
            "isCompactSummary": True,
            "message": {"role": "user", "content": "Started."},
        },
        {"type": "result", "subtype": "success", "session_id": "s", "uuid": "g", "result": "x"},
    ]

    main, agent = transcripts("\n".join(map(json.dumps, lines)).encode())

    assert all_said(main) == ["u:Start.", "a:Task", "u:Started."]
    assert (main.version, main.tools) == ("2.1.9", ("Bash",))
    assert (main.compactions[0].tokens_before, main.compactions[0].tokens_after) == (70_000, 4_000)
    assert all_said(agent) == ["u:Look.", "a:Seen."]
    assert (agent.parent, agent.parent_call) == ("s", "t1")
    assert main.unread == {}


def test_an_agent_in_the_same_file_names_the_call_that_began_it() -> None:
    talk = Claude()
    talk.user("Ask somebody.")
    talk.says(call("t1", "Task", prompt="Count the tables."))
    agent = Claude(agent="ag7")
    agent.numbers = talk.numbers
    agent.user("Count the tables.")
    agent.says("Six.")
    talk.lines += agent.lines
    talk.result("t1", "Six.", {"agentId": "ag7", "content": [{"type": "text", "text": "Six."}]})

    main, other = transcripts(talk.data())

    assert all_said(main) == ["u:Ask somebody.", "a:Task", "t:Six."]
    assert all_said(other) == ["u:Count the tables.", "a:Six."]
    assert (other.session, other.parent, other.parent_call) == ("ag7", "ses-1", "t1")


def test_a_folder_of_projects_is_read_with_its_side_files_and_each_agent_once(
    tmp_path: Path,
) -> None:
    talk = Claude()
    talk.user("Dump the table.")
    talk.says(call("c1", "Bash", command="dump"), call("t1", "Agent", prompt="Sort it."))
    where = "/home/someone/.claude/projects/-srv/ses-1/tool-results/c1.txt"
    shown = f"Output too large (2.4KB). Full output saved to: {where}\n\nPreview (first 1KB):\n"
    given = f"<persisted-output>\n{shown}{TABLE[:900]}\n...\n</persisted-output>"
    talk.result("c1", given, {"stdout": TABLE[:1000], "stderr": "", "persistedOutputPath": where})
    talk.result(
        "t1", "Sorted.", {"agentId": "ag1", "content": [{"type": "text", "text": "Sorted."}]}
    )
    agent = Claude(agent="ag1")
    agent.user("Sort it.")
    agent.says("Sorted.")
    project = tmp_path / "projects" / "-srv"
    (project / "ses-1" / "tool-results").mkdir(parents=True)
    (project / "ses-1" / "subagents").mkdir()
    (project / "ses-1.jsonl").write_bytes(talk.data())
    (project / "ses-1" / "tool-results" / "c1.txt").write_text(TABLE, encoding="utf-8")
    (project / "ses-1" / "subagents" / "agent-ag1.jsonl").write_bytes(agent.data())
    (project / "ses-1" / "subagents" / "agent-ag1.meta.json").write_text("{}", encoding="utf-8")

    files = files_in(tmp_path)
    found = [one for path in files for one in transcripts(path)]

    assert [path.name for path in files] == ["agent-ag1.jsonl", "ses-1.jsonl"]
    assert [(one.session, one.parent, one.parent_call) for one in found] == [
        ("ag1", "ses-1", "t1"),
        ("ses-1", None, None),
    ]
    produced = found[1].entries[2].produced
    assert produced is not None
    assert (produced.text, produced.at_least) == (TABLE, False)
    assert produced.source.path is not None
    assert produced.source.path.endswith("c1.txt")
    [first, _] = session_of(found[1]).results
    assert first.measured is not None
    assert first.measured.arrival is not None
    assert 0 < (first.measured.arrival.rate or 0) < 1


def test_what_a_session_or_an_agent_copies_from_another_file_counts_there(tmp_path: Path) -> None:
    talk = Claude()
    talk.user("List.")
    talk.says(call("c1", "Bash", command="ls"))
    talk.result("c1", "a.txt")
    talk.says(call("t1", "Agent", prompt="Look."))
    (tmp_path / "ses-1.jsonl").write_bytes(talk.data())
    agents = tmp_path / "ses-1" / "subagents"
    agents.mkdir(parents=True)
    copies = [{**one, "isSidechain": True, "agentId": "ag1"} for one in talk.lines]
    agent = Claude(agent="ag1", lines=list(copies), last=talk.last)
    agent.user("Look.", uuid="own-1")
    (agents / "agent-ag1.jsonl").write_bytes(agent.data())
    resumed = Claude(session="ses-2", lines=list(talk.lines), last=talk.last)
    resumed.user("Go on.", uuid="own-2")
    (tmp_path / "ses-2.jsonl").write_bytes(resumed.data())

    found = [one for path in files_in(tmp_path) for one in transcripts(path)]
    counted = [one for each in found for one in session_of(each).results if one.counted]

    assert [(all_said(one)[-1], one.shared) for one in found] == [
        ("u:Look.", 4),
        ("a:Agent", 0),
        ("u:Go on.", 4),
    ]
    assert len(counted) == 1
    (tmp_path / "ses-1.jsonl").unlink()
    assert [one.shared for one in transcripts(tmp_path / "ses-2.jsonl")] == [0]


def test_a_side_file_outside_the_session_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("key", encoding="utf-8")
    (tmp_path / "p").mkdir()
    talk = Claude()
    talk.user("Go.")
    talk.says(call("c1", "Bash", command="x"))
    talk.result("c1", "Full output saved to: /x/tool-results/../../secret.txt")
    (tmp_path / "p" / "ses-1.jsonl").write_bytes(talk.data())

    [one] = transcripts(tmp_path / "p" / "ses-1.jsonl")

    assert one.entries[2].produced is None


def numbered(begin: int) -> str:
    return "\n".join(f"{at:>6}→{row}" for at, row in enumerate(ROWS, start=begin))


FILE = {"filePath": "/a", "content": TABLE + "\n", "numLines": 60, "startLine": 1, "totalLines": 60}


@pytest.mark.parametrize(
    ("tool", "given", "held", "rate", "at_least"),
    [
        ("Bash", TABLE, {"stdout": TABLE + "\n", "stderr": ""}, 1.0, False),
        ("Bash", ROWS[0] + "\nwarn", {"stdout": ROWS[0], "stderr": "warn"}, 1.0, False),
        ("Read", numbered(1), {"type": "text", "file": FILE}, 1.0, False),
        ("Read", numbered(1)[: numbered(1).index("    31→")], {"file": FILE}, 0.5, False),
        ("Read", numbered(1), {"file": {**FILE, "totalLines": 900}}, 1.0, True),
        (
            "Glob",
            "/a/b.py\n/a/c.py",
            {"filenames": ["/a/b.py", "/a/c.py"], "truncated": True},
            1.0,
            True,
        ),
        ("Grep", TABLE, {"mode": "content", "content": TABLE, "filenames": []}, 1.0, False),
        (
            "Task",
            TABLE + "\nagentId: a1",
            {"agentId": "a1", "content": [{"type": "text", "text": TABLE}]},
            1.0,
            False,
        ),
        ("mcp__db__rows", TABLE, [{"type": "text", "text": TABLE}], 1.0, False),
        (
            "WebFetch",
            TABLE,
            {"bytes": 90_000, "result": TABLE, "url": "https://example.org"},
            1.0,
            False,
        ),
    ],
)
def test_what_a_tool_returned_is_held_against_what_was_given_of_it(
    tool: str, given: str, held: object, rate: float, at_least: bool
) -> None:
    talk = Claude()
    talk.user("Go.")
    talk.says(call("c1", tool))
    talk.result("c1", given, held)

    [one] = transcripts(talk.data())
    [result] = session_of(one).results

    assert result.measured is not None
    assert result.measured.arrival is not None
    assert result.measured.arrival.rate == pytest.approx(rate)
    produced = one.entries[2].produced
    assert produced is not None
    assert produced.at_least is at_least


@pytest.mark.parametrize(
    ("given", "held"),
    [
        ("File has not been read yet.", "Error: File has not been read yet."),
        (
            "Command running in background with ID: b1",
            {"stdout": "", "stderr": "", "backgroundTaskId": "b1"},
        ),
        ("The file /a has been updated.", {"type": "update", "filePath": "/a", "content": TABLE}),
        ("b.py", {"filenames": ["/other/spelling.py"], "numFiles": 1}),
        ("(Bash completed with no output)", {"stdout": "", "stderr": ""}),
    ],
)
def test_what_is_not_what_the_tool_returned_is_not_taken_for_it(given: str, held: object) -> None:
    talk = Claude()
    talk.user("Go.")
    talk.says(call("c1", "Tool"))
    talk.result("c1", given, held)

    [one] = transcripts(talk.data())

    assert one.entries[2].produced is None


def test_an_error_is_marked_as_failed() -> None:
    talk = Claude()
    talk.user("Go.")
    talk.says(call("c1", "Edit"))
    talk.result("c1", "<tool_use_error>No such file</tool_use_error>", "Error: x", is_error=True)

    [one] = transcripts(talk.data())

    assert one.entries[2].failed


def test_what_the_program_wrote_in_place_of_a_reply_was_not_shown_to_the_model() -> None:
    talk = Claude()
    talk.user("Go.")
    talk.says("API Error: 529", isApiErrorMessage=True)
    talk.user("Try again.")

    [one] = transcripts(talk.data())

    assert now(one) == ["u:Go.", "u:Try again."]


def test_unknown_records_are_counted_and_torn_lines_are_told() -> None:
    talk = Claude()
    talk.user("Go.")
    talk.lines.append({"type": "ai-title", "sessionId": "ses-1", "aiTitle": "A walk"})
    talk.lines.append({"type": "telepathy", "sessionId": "ses-1"})
    talk.says("Gone.")
    data = talk.data() + b'{"parentUuid": "u2", "type": "us'

    found = list(read_bytes(data, "s.jsonl").records)
    [one] = transcripts(data)

    assert found[0] == Damaged(line=5, why="ends early", chars=32, saved=0)
    assert one.unread == {"telepathy": 1}
    assert one.records == 4
    assert all_said(one) == ["u:Go.", "a:Gone."]


def test_a_lost_line_does_not_break_the_conversation() -> None:
    talk = Claude()
    talk.user("One.")
    talk.says("Two.")
    talk.user("Three.")
    talk.says("Four.")
    del talk.lines[1]

    [one] = transcripts(talk.data())

    assert all_said(one) == ["u:One.", "u:Three.", "a:Four."]


def test_a_file_without_a_message_gives_plain_records() -> None:
    data = b'{"type": "summary", "summary": "Hosts", "leafUuid": "u9"}\n'

    reading = read_bytes(data, "s.jsonl")

    assert reading.form == "claude-code"
    assert list(reading.records) == [Plain(line=1)]


def test_the_window_is_the_programs_own_until_a_prompt_shows_that_it_is_the_large_one() -> None:
    usual, named = Claude(), Claude(model="claude-opus-5[1m]")
    for talk in (usual, named):
        talk.user("Which rows are odd?")
        talk.says("None.")

    assert [transcripts(talk.data())[0].window for talk in (usual, named)] == [200_000, 1_000_000]

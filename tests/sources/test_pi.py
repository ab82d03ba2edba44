"""Session files of pi."""

from pathlib import Path

import pytest
from tests.sources.agent_files import Record, calls, judged, lines, only, post, pre, sessions, texts

from ullage.sources.files import read_bytes, read_file
from ullage.sources.record import Damaged
from ullage.transcript.transcript import Produced

HEADER = {"type": "session", "version": 3, "id": "s-1", "cwd": "/w", "timestamp": "2026-01-01"}
USAGE = {"input": 10, "output": 5, "cacheRead": 100, "cacheWrite": 3, "totalTokens": 118}


def entry(key: str, parent: str | None, kind: str, **more: object) -> Record:
    return {
        "type": kind,
        "id": key,
        "parentId": parent,
        "timestamp": "2026-01-01T00:00:01Z",
        **more,
    }


def message(key: str, parent: str | None, role: str, text: str = "", **more: object) -> Record:
    content = [{"type": "text", "text": text}]
    return entry(key, parent, "message", message={"role": role, "content": content, **more})


def reply(key: str, parent: str | None, text: str, *called: str, stop: str = "stop") -> Record:
    content: list[Record] = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": text}]
    content += [
        {"type": "toolCall", "id": one, "name": "bash", "arguments": {"command": one}}
        for one in called
    ]
    more = {"usage": USAGE, "stopReason": stop, "model": "gpt-4o"}
    return entry(key, parent, "message", message={"role": "assistant", "content": content, **more})


def result(key: str, parent: str, call: str, text: str, **more: object) -> Record:
    return message(key, parent, "toolResult", text, toolCallId=call, toolName="bash", **more)


def test_a_session_is_its_messages_in_order() -> None:
    one = only(
        lines(
            [
                HEADER,
                message("u1", None, "user", "list"),
                reply("a1", "u1", "I look", "c1", stop="toolUse"),
                result("t1", "a1", "c1", "a\nb", isError=False),
                reply("a2", "t1", "Two files."),
            ]
        )
    )

    assert (one.session, one.agent, one.model, one.records) == ("s-1", "pi", "gpt-4o", 5)
    assert [entry.source.line for entry in one.entries] == [2, 3, 4, 5]
    assert calls(one) == [("bash", "a\nb", '{"command":"c1"}')]
    used = one.entries[1].usage
    assert used is not None
    assert (used.input, used.output, used.cached) == (113, 5, 100)
    assert one.entries[3].label == "complete"
    assert judged(one).answer == 3


@pytest.mark.parametrize(
    ("stop", "label", "sent"),
    [
        ("length", "cut-by-limit", True),
        ("error", "cut-by-server", False),
        ("aborted", None, False),
    ],
)
def test_how_a_reply_ended_is_told(stop: str, label: str | None, sent: bool) -> None:
    (one,) = only(lines([HEADER, reply("a1", None, "One, t", stop=stop)])).entries

    assert (one.label, one.finish_reason, one.in_context) == (label, stop, sent)


def test_of_a_result_that_was_cut_the_whole_size_is_known() -> None:
    cut = {"truncation": {"truncated": True, "totalBytes": 200_098}, "fullOutputPath": "/tmp/x"}
    one = only(lines([HEADER, result("t1", "a1", "c1", "tail", details=cut)]))

    assert one.entries[0].produced == Produced(size=200_098)


def test_a_command_of_the_person_is_told_in_the_words_of_the_model() -> None:
    run = {"role": "bashExecution", "command": "ls", "output": "a", "exitCode": 2}
    cut = {**run, "truncated": True, "fullOutputPath": "/tmp/x", "exitCode": 0}
    hidden = {**run, "excludeFromContext": True}
    one = only(
        lines(
            [
                HEADER,
                entry("b1", None, "message", message=run),
                entry("b2", "b1", "message", message=cut),
                entry("b3", "b2", "message", message=hidden),
            ]
        )
    )

    assert texts(one, [0, 1]) == [
        "Ran `ls`\n```\na\n```\n\nCommand exited with code 2",
        "Ran `ls`\n```\na\n```\n\n[Output truncated. Full output: /tmp/x]",
    ]
    assert [entry.produced for entry in one.entries][:2] == [Produced(text="a"), None]
    assert [entry.in_context for entry in one.entries] == [True, True, False]


COMPACTED = [
    HEADER,
    message("u1", None, "user", "first"),
    reply("a1", "u1", "1."),
    message("u2", "a1", "user", "second"),
    reply("a2", "u2", "2."),
    entry(
        "k1", "a2", "compaction", summary="So far: 1.", firstKeptEntryId="u2", tokensBefore=50_000
    ),
    message("u3", "k1", "user", "third"),
    reply("a3", "u3", "3."),
]


def test_a_compaction_keeps_the_messages_from_the_first_kept_on() -> None:
    one = only(lines(COMPACTED))

    assert pre(one) == ["first", "1.", "second", "2."]
    assert post(one) == ["So far: 1.", "second", "2."]
    (compaction,) = one.compactions
    assert (compaction.tokens_before, compaction.summary) == (50_000, (4,))
    assert texts(one, one.context(len(one.entries)))[-3:] == ["2.", "third", "3."]


def test_a_second_compaction_takes_the_place_of_the_first_summary() -> None:
    second = entry("k2", "a3", "compaction", summary="So far: 2.", firstKeptEntryId="u3")
    one = only(lines([*COMPACTED, second]))

    assert pre(one, 1) == ["So far: 1.", "second", "2.", "third", "3."]
    assert post(one, 1) == ["So far: 2.", "third", "3."]
    assert one.compactions[1].tokens_before == 118  # what the last reply was counted at


def test_a_compaction_on_a_branch_is_only_the_branchs() -> None:
    session, branch = sessions(
        lines(
            [
                *COMPACTED,
                entry("b1", "a1", "branch_summary", summary="We tried it.", fromId="a3"),
                message("u4", "b1", "user", "other way"),
                reply("a4", "u4", "4."),
            ]
        )
    )

    assert session.compactions == []
    assert texts(session, range(5)) == ["first", "1.", "We tried it.", "other way", "4."]
    assert (session.session, session.shared) == ("s-1", 0)
    assert (branch.session, branch.shared) == ("s-1@1", 2)
    assert pre(branch) == ["first", "1.", "second", "2."]
    assert post(branch) == ["So far: 1.", "second", "2."]


def test_the_results_of_the_common_way_are_counted_once() -> None:
    found = sessions(
        lines(
            [
                HEADER,
                reply("a1", None, "", "c1"),
                result("t1", "a1", "c1", "a"),
                reply("a2", "t1", "", "c2"),
                result("t2", "a2", "c2", "b"),
                reply("a3", "t1", "", "c3"),
                result("t3", "a3", "c3", "d"),
            ]
        )
    )

    assert [text for one in found for _, text, _ in calls(one)] == ["a", "d", "b"]


def test_a_retained_tail_is_the_messages_that_it_copies() -> None:
    tail = [
        {"role": "user", "content": "second"},
        {"role": "assistant", "content": [{"type": "text", "text": "2."}]},
    ]
    compaction = entry("k1", "a2", "compaction", summary="So far: 1.", retainedTail=tail)
    one = only(lines([*COMPACTED[:5], compaction]))

    assert post(one) == ["So far: 1.", "second", "2."]
    assert len(one.entries) == 5


def test_a_result_shortened_in_a_retained_tail_is_cleared_and_counted_once() -> None:
    tail = [{"role": "toolResult", "toolCallId": "c1", "content": "a..."}]
    one = only(
        lines(
            [
                HEADER,
                reply("a1", None, "", "c1"),
                result("t1", "a1", "c1", "a long one"),
                entry("k1", "t1", "compaction", summary="So far.", retainedTail=tail),
            ]
        )
    )

    assert one.compactions[0].cleared == (1,)
    assert len(calls(one)) == 1


def test_the_first_version_is_one_line_after_another() -> None:
    old = [
        {key: value for key, value in one.items() if key not in ("id", "parentId")}
        for one in COMPACTED[1:]
    ]
    old[4] = {
        "type": "compaction",
        "summary": "So far: 1.",
        "firstKeptEntryIndex": 3,
        "tokensBefore": 9,
    }
    one = only(lines([HEADER, *old]))

    assert post(one) == ["So far: 1.", "second", "2."]


def test_a_copy_counts_what_its_origin_holds_there(tmp_path: Path) -> None:
    origin = tmp_path / "2026-01-01_s-1.jsonl"
    origin.write_bytes(lines([HEADER, reply("a1", None, "", "c1"), result("t1", "a1", "c1", "a")]))
    header = {**HEADER, "id": "s-2", "parentSession": "/elsewhere/2026-01-01_s-1.jsonl"}
    fork = tmp_path / "2026-01-02_s-2.jsonl"
    fork.write_bytes(
        lines(
            [
                header,
                reply("a1", None, "", "c1"),
                result("t1", "a1", "c1", "a"),
                reply("a2", "t1", "", "c2"),
                result("t2", "a2", "c2", "b"),
            ]
        )
    )

    one = only(fork)

    assert (one.parent, one.shared) == ("s-1", 2)
    assert [text for _, text, _ in calls(one)] == ["b"]


def test_torn_lines_and_unknown_kinds_are_told() -> None:
    data = lines([HEADER, entry("x", None, "hologram"), message("m", "x", "oracle")]) + b'{"type'
    records = list(read_bytes(data, "x").records)

    assert next(one for one in records if isinstance(one, Damaged)).line == 4
    assert only(data).unread == {"hologram": 1, "message oracle": 1}


def test_a_circle_of_parents_ends(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(lines([HEADER, message("a", "b", "user"), message("b", "a", "user")]))

    assert len(list(read_file(path).records)) == 1

"""The database of opencode."""

import sqlite3
from pathlib import Path

import pytest
from tests.sources.agent_files import calls, judged, only, post, pre, sessions
from tests.sources.opencode_db import Store, ran, said, step

from ullage.errors import LoadError
from ullage.sources.files import read_bytes, read_file


@pytest.fixture
def store(tmp_path: Path) -> Store:
    found = Store(tmp_path / "opencode.db")
    found.session("ses_1")
    return found


def test_each_step_is_one_reply_with_the_results_of_its_calls(store: Store) -> None:
    store.user("ses_1", "list")
    store.reply(
        "ses_1",
        *step(said("I look"), ran("c1", "a\nb"), reason="tool-calls"),
        *step(said("Two files.")),
    )

    one = only(store.path)

    assert [entry.message.role for entry in one.entries] == [
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    assert calls(one) == [("bash", "a\nb", '{"command":"run c1"}')]
    assert (one.session, one.agent, one.version, one.model) == (
        "ses_1",
        "opencode",
        "1.18.33",
        "gpt-4o",
    )
    used = one.entries[1].usage
    assert used is not None
    assert (used.input, used.output, used.cached, used.cache_written) == (113, 7, 100, 3)
    assert [entry.label for entry in one.entries] == [None, "complete", None, "complete"]
    assert one.records == 2 + 1 + 7


def test_a_reply_that_the_limit_cut_is_told(store: Store) -> None:
    store.reply("ses_1", *step(said("One, two, th"), reason="length"))

    (entry,) = only(store.path).entries

    assert (entry.label, entry.finish_reason) == ("cut-by-limit", "length")


def test_what_was_not_cut_is_known_to_have_arrived_whole(store: Store) -> None:
    store.reply("ses_1", *step(ran("c1", "all")))

    (result,) = judged(only(store.path)).results

    assert result.measured is not None
    assert result.measured.arrival is not None
    assert result.measured.arrival.rate == 1


def test_the_whole_of_a_cut_output_is_read_beside_the_database(store: Store) -> None:
    whole = "\n".join(f"row {number}" for number in range(400))
    (store.path.parent / "tool-output").mkdir()
    (store.path.parent / "tool-output" / "tool_1").write_text(whole, encoding="utf-8")
    cut = {"truncated": True, "outputPath": "/home/someone/opencode/tool-output/tool_1"}
    given = whole.partition("row 100\n")[0] + "...output truncated..."
    store.reply("ses_1", *step(ran("c1", given, metadata=cut)))

    (result,) = judged(only(store.path)).results

    assert result.measured is not None
    assert result.measured.produced == whole
    assert result.measured.arrival is not None
    assert result.measured.arrival.rate == pytest.approx(0.25)


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "..\\secret", "", "tool_none"])
def test_no_other_file_is_opened_for_it(store: Store, path: str) -> None:
    (store.path.parent / "secret").write_text("s", encoding="utf-8")
    cut = {"truncated": True, "outputPath": path}
    store.reply("ses_1", *step(ran("c1", "given", metadata=cut)))

    assert only(store.path).entries[1].produced is None


def test_a_summary_takes_the_place_of_all_that_was_said_before(store: Store) -> None:
    store.user("ses_1", "list")
    store.reply("ses_1", *step(said("I look"), ran("c1", "a\nb")), *step(said("Two.")))
    ask = store.message("ses_1", {"role": "user"}, {"type": "compaction", "auto": True})
    store.reply("ses_1", *step(said("We listed two files.")), summary=True, parentID=ask)
    store.user("ses_1", "go on")
    store.reply("ses_1", *step(said("Done.")))

    one = only(store.path)

    assert pre(one) == ["list", "I look", "a\nb", "Two."]
    assert post(one) == ["What did we do so far?", "We listed two files."]
    (compaction,) = one.compactions
    assert (compaction.act, compaction.trigger, compaction.summary) == ("summarise", "auto", (5,))
    assert compaction.tokens_before == 120
    assert one.context(len(one.entries)) == [4, 5, 6, 7]


def test_the_tail_that_stayed_stands_behind_the_summary(store: Store) -> None:
    store.user("ses_1", "first")
    store.reply("ses_1", *step(said("1.")))
    tail = store.user("ses_1", "second")
    store.reply("ses_1", *step(said("2.")))
    part = {"type": "compaction", "auto": False, "tail_start_id": tail}
    ask = store.message("ses_1", {"role": "user"}, part)
    store.reply("ses_1", *step(said("So far: 1.")), summary=True, parentID=ask)

    one = only(store.path)

    assert post(one) == ["What did we do so far?", "So far: 1.", "second", "2."]
    assert one.compactions[0].trigger == "manual"


def test_a_summary_that_failed_replaces_nothing(store: Store) -> None:
    store.user("ses_1", "first")
    ask = store.message("ses_1", {"role": "user"}, {"type": "compaction", "auto": True})
    store.reply("ses_1", summary=True, parentID=ask, error={"name": "APIError"})

    assert only(store.path).compactions == []


def test_pruned_results_lose_their_text_and_keep_their_message(store: Store) -> None:
    store.user("ses_1", "first")
    pruned = {"start": 1, "end": 2, "compacted": store.now + 2500}
    store.reply("ses_1", *step(ran("c1", "old", time=pruned)), *step(ran("c2", "new")))
    store.user("ses_1", "second")
    store.user("ses_1", "third")

    one = only(store.path)

    (compaction,) = one.compactions
    assert (compaction.act, compaction.summary) == ("elide", ())
    assert [one.entries[at].message.text for at in compaction.cleared] == ["old"]
    assert pre(one) == post(one) == ["first", "bash", "old", "bash", "new", "second"]


def test_a_sub_agent_names_the_call_that_began_it(store: Store) -> None:
    store.user("ses_1", "look")
    store.session("ses_2", parent="ses_1")
    task = ran("c1", "found it", metadata={"truncated": False, "sessionId": "ses_2"})
    store.reply("ses_1", *step({**task, "tool": "task"}))
    store.user("ses_2", "look for it")
    store.reply("ses_2", *step(said("found it")))

    parent, child = sessions(store.path)

    assert (parent.parent, parent.parent_call) == (None, None)
    assert (child.session, child.parent, child.parent_call) == ("ses_2", "ses_1", "c1")
    assert calls(parent) == [("task", "found it", '{"command":"run c1"}')]


def test_a_call_that_never_came_back_is_told_as_the_model_was(store: Store) -> None:
    running = {"status": "running", "input": {}, "time": {"start": 1}}
    store.reply("ses_1", *step({**ran("c1", ""), "state": running}))

    entry = only(store.path).entries[1]

    assert (entry.message.text, entry.failed) == ("[Tool execution was interrupted]", True)
    assert entry.produced is None


def test_kinds_that_are_not_known_are_counted(store: Store) -> None:
    store.message("ses_1", {"role": "oracle"})
    store.reply("ses_1", {"type": "hologram"}, *step(said("1.")))

    assert only(store.path).unread == {"message oracle": 1, "part hologram": 1}


def test_the_accounts_are_not_read(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    connect = sqlite3.connect

    def watched(*given: object, **named: object) -> sqlite3.Connection:
        found = connect(*given, **named)  # type: ignore[call-overload]
        found.set_trace_callback(asked.append)
        return found  # type: ignore[no-any-return]

    store.user("ses_1", "list")
    monkeypatch.setattr(sqlite3, "connect", watched)
    list(read_file(store.path).records)

    assert asked
    assert not [one for one in asked if "account" in one]


def test_a_database_cannot_come_through_a_pipe(store: Store) -> None:
    reading = read_bytes(store.path.read_bytes(), "-", "opencode")

    with pytest.raises(LoadError, match="read from its path, not from a pipe"):
        list(reading.records)

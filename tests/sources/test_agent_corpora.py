"""The forms of real files: which are taken for an agent's session, and how much is in them."""

import tarfile
from collections import Counter
from collections.abc import Iterator
from functools import cache

from tests.shared import shared

from ullage.checks.transcripts import session_of
from ullage.errors import LoadError
from ullage.sources.files import Reading, read_bytes
from ullage.transcript.transcript import Transcript

OWN = ("claude-code", "codex", "gemini-cli", "qwen-code")


@cache
def files() -> dict[str, bytes]:
    """Every file of the corpora, by its path."""
    found = {}
    with tarfile.open(shared("corpora/permissive.tgz")) as tar:
        for member in tar.getmembers():
            file = tar.extractfile(member) if member.isfile() else None
            if file is not None:
                found[member.name.removeprefix("./")] = file.read()
    return found


def readings(folder: str) -> Iterator[tuple[str, Reading]]:
    """The files of a folder that have a form."""
    for path, data in files().items():
        if path.startswith(folder):
            try:
                yield path, read_bytes(data, path)
            except LoadError:
                continue


def sessions(folder: str) -> list[Transcript]:
    return [
        one
        for _, reading in readings(folder)
        if reading.form in OWN
        for one in reading.records
        if isinstance(one, Transcript)
    ]


def test_only_the_files_of_an_agent_are_taken_for_its_sessions() -> None:
    found: Counter[tuple[str, str]] = Counter()
    for path, reading in readings(""):
        if reading.form in OWN:
            assert path.endswith(".jsonl")
            found[path.split("/")[0], reading.form] += 1

    # Of Claude Code one sample a kind of record, and a fixture of most kinds; the pretty-printed
    # copies of the samples, and documents with a piece of a Codex rollout, are no sessions.
    assert found == {("claude-code", "claude-code"): 60, ("codex", "codex"): 1}


def test_the_samples_of_claude_code_hold_one_result_each() -> None:
    found = [one for one in sessions("claude-code/ccl/") if one.records]
    results = [len(session_of(one).results) for one in found]

    # The index of the corpora counts the 26 samples with a result as sessions; the others have a
    # call, a prompt or a reply.
    assert results.count(1) == 26
    assert sum(results) == 26
    assert [one.unread for one in found if one.unread] == []


def test_the_fixture_of_claude_code_is_read_whole() -> None:
    found = sessions("claude-code/jazzyalex")
    results = [one for each in found for one in session_of(each).results if one.counted]

    # Two boundaries, and one summary that the fixture marks as an agent's: three compactions.
    # Its other branches come of keys that were blanked, and are then all the same.
    assert found[0].records == 89
    assert found[0].unread == {}
    assert len(found[0].compactions) == 2
    assert [len(one.compactions) for one in found if one.parent and not one.shared] == [1]
    assert len(results) == 3


def test_the_rollout_of_codex_is_read_whole() -> None:
    [one] = sessions("codex/")

    # Six `compacted` lines, and an event that stands by itself. The five results that the index
    # counts are outputs of functions and custom tools; a search among the tools is the sixth.
    assert one.records == 118
    assert one.unread == {}
    assert [each.after is None for each in one.compactions] == [True, *[False] * 6]
    assert len(session_of(one).results) == 6
    assert Counter(each.tool for each in session_of(one).results)["tool_search"] == 1

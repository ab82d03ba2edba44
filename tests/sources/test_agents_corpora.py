"""Transcripts that agents wrote: what each folder is taken for, and how many results it holds."""

import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.shared import shared

from ullage.checks.measure import measure_exchanges
from ullage.checks.session import Session
from ullage.checks.transcripts import session_of
from ullage.errors import LoadError
from ullage.sources.files import files_in, read_file
from ullage.transcript.transcript import Transcript
from ullage.wire.exchange import Exchange

OURS = {
    "mini-swe-agent",
    "hermes",
    "opencode",
    "openhands",
    "openhands-sdk",
    "pi",
    "swe-agent",
}


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpora")
    with tarfile.open(shared("corpora/permissive.tgz")) as archive:
        archive.extractall(folder, filter="data")
    return folder


def forms_in(folder: Path) -> Counter[str]:
    found: Counter[str] = Counter()
    for path in files_in(folder):
        try:
            found[read_file(path).form] += 1
        except LoadError:
            found["none"] += 1
    return found


def sessions_in(folder: Path, form: str) -> Iterator[Session]:
    for path in files_in(folder):
        try:
            reading = read_file(path)
        except LoadError:
            continue
        if reading.form != form:
            continue
        records = list(reading.records)
        yield from (session_of(one) for one in records if isinstance(one, Transcript))
        exchanges = [one for one in records if isinstance(one, Exchange)]
        if exchanges:
            yield from measure_exchanges(iter(exchanges)).sessions


def counted(sessions: list[Session]) -> int:
    return sum(result.counted for one in sessions for result in one.results)


@pytest.mark.parametrize(
    ("folder", "form", "files"),
    [
        ("swe-agent", "swe-agent", 22),
        ("mini-swe-agent", "mini-swe-agent", 2),
        ("openhands", "openhands", 2),
        ("openhands-sdk", "openhands-sdk", 11),
    ],
)
def test_each_folder_is_taken_for_what_it_is(
    corpora: Path, folder: str, form: str, files: int
) -> None:
    """The others there are a licence, patches, and two lists of messages without more."""
    found = forms_in(corpora / folder)

    assert found[form] == files
    assert not (found.keys() & OURS) - {form}


def test_no_other_file_is_taken_for_one_of_these(corpora: Path) -> None:
    others = [one for one in corpora.iterdir() if one.is_dir() and one.name not in OURS]

    assert len(others) == 9
    for folder in others:
        assert not forms_in(folder).keys() & OURS, folder.name


def test_swe_agents_results_are_those_that_its_model_was_given(corpora: Path) -> None:
    """The index counts 227: the steps of the files that have any.

    19 of these ended their run: what they put out was given to no model, and is no result here.
    The 5 results of the file that has a history alone are counted here and not there.
    """
    found = list(sessions_in(corpora / "swe-agent", "swe-agent"))

    assert len(found) == 22
    assert counted(found) == 227 - 19 + 5
    assert sum(one.measured is not None for each in found for one in each.results) == 208
    assert all(one.asked is not None for each in found for one in each.results)


def test_one_run_of_swe_agent_elided_results_between_its_prompts(corpora: Path) -> None:
    found = [one.transcript for one in sessions_in(corpora / "swe-agent", "swe-agent")]
    (one,) = [one for one in found if one.compactions]

    assert {each.act for each in one.compactions} == {"elide"}
    assert all(each.cleared and not each.recorded for each in one.compactions)
    last = one.compactions[-1]
    assert one.post(len(one.compactions) - 1) == one.context(last.at)


def test_mini_swe_agents_results_are_all_there(corpora: Path) -> None:
    found = list(sessions_in(corpora / "mini-swe-agent", "mini-swe-agent"))

    assert (len(found), counted(found)) == (2, 12)


def test_openhands_results_are_all_there(corpora: Path) -> None:
    """Three histories have a recall each, which is no tool's result, nor counted in the index."""
    found = list(sessions_in(corpora / "openhands", "openhands"))

    assert (len(found), counted(found)) == (5, 129)
    assert not any(one.transcript.unread for one in found)


def test_openhands_sdks_results_are_all_there(corpora: Path) -> None:
    """Two conversations are in logs of completions, one file each; their results count once."""
    found = list(sessions_in(corpora / "openhands-sdk", "openhands-sdk"))

    assert (len(found), counted(found)) == (3, 11)
    assert sorted(counted([one]) for one in found) == [3, 3, 5]
    assert not any(one.transcript.unread for one in found)

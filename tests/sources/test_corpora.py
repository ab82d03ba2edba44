"""Real files of benchmarks, frameworks and telemetry: their form, and how much is in them."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from ullage.arrivals.read import read
from ullage.arrivals.shortened import shortened
from ullage.checks.scan import Scan, scan
from ullage.errors import LoadError
from ullage.sources.files import files_in, read_file
from ullage.transcript.transcript import Transcript

FORMS = {
    "tau-bench": {"chat": 1},
    "livemcpbench": {"chat": 1},
    "who-when": {"who-when": 184},
    "stabletoolbench": {"toolbench": 6},
    "inspect": {"inspect": 13},
    "atif-phoenix": {"atif": 14, "body": 1},  # two trajectories as members of one object
    "pydantic-ai-cassettes": {"vcr": 307},
}
"""The forms of the files in each folder that holds those of this package's table."""


def form_of(path: Path) -> str | None:
    """Return the form of a file, None for a licence and the like."""
    try:
        return read_file(path).form
    except LoadError:
        return None


def scanned(folder: Path) -> Scan:
    paths = [path for path in files_in(folder) if path.name != "LICENSE"]
    return scan(read_file(path) for path in paths if path.stat().st_size)


@pytest.mark.parametrize("folder", FORMS)
def test_each_file_is_taken_for_what_it_is(corpora: Path, folder: str) -> None:
    found = Counter(map(form_of, files_in(corpora / folder)))

    del found[None]
    assert dict(found) == FORMS[folder]


def test_files_of_agents_are_taken_for_none_of_these(corpora: Path) -> None:
    mine = {one for forms in FORMS.values() for one in forms} - {"chat", "body"}
    mine |= {"otel", "openinference", "langsmith"}
    for folder in sorted(corpora.iterdir()):
        if folder.name in FORMS or not folder.is_dir():
            continue
        forms = set(map(form_of, files_in(folder)))
        assert not forms & mine
        # Lists of messages with a role and a content are conversations, whoever wrote them.
        if folder.name not in ("swe-agent", "mini-swe-agent", "openhands-sdk"):
            assert "chat" not in forms


@pytest.mark.parametrize(
    ("folder", "sessions", "results"),
    [
        ("tau-bench", 200, 1164),
        ("livemcpbench", 95, 814),
        ("who-when", 184, 916),
        # 34 different observations, those of `Finish` among them. Here each result counts that a
        # tool returned, again too: 46 observations less 7 of `Finish`. One search of the six has
        # 13 branches.
        ("stabletoolbench", 18, 39),
        # 12 samples and 15 results in the .json files, 7 and 5 in the archives.
        ("inspect", 19, 20),
        # 26 results of the nine large files, 4 of them copied from another one; 10 of the small.
        ("atif-phoenix", 15, 32),
    ],
)
def test_as_many_sessions_and_results_are_found_as_there_are(
    corpora: Path, folder: str, sessions: int, results: int
) -> None:
    done = scanned(corpora / folder).measurement

    assert (done.requests.conversations, done.delivered_results) == (sessions, results)


def test_the_nine_trajectories_of_harbor_hold_26_results(corpora: Path) -> None:
    whole = [
        one
        for path in sorted((corpora / "atif-phoenix").glob("harbor_*.json"))
        for one in transcripts(path)
    ]

    roles = Counter(entry.message.role for one in whole for entry in one.entries)
    assert len(whole) == 9
    assert roles["tool"] == 26


def test_the_cassettes_hold_505_exchanges_and_46_streams(corpora: Path) -> None:
    done = scanned(corpora / "pydantic-ai-cassettes")

    assert done.read.records == done.measurement.requests.all == 505
    assert done.read.damaged == done.read.plain == 0
    # The bodies hold 89 different calls with results; one only in a prompt that was counted.
    # Another one was handed over to a second provider with the history in which it stands.
    assert done.measurement.delivered_results == 87


def transcripts(path: Path) -> list[Transcript]:
    return [one for one in read_file(path).records if isinstance(one, Transcript)]


def results(folder: Path) -> Iterator[str]:
    for path in files_in(folder):
        if path.name != "LICENSE":
            for one in transcripts(path):
                for entry in one.entries[one.shared :]:
                    if entry.message.role == "tool":
                        yield entry.message.text


def test_printed_mcp_results_are_read_and_the_cut_ones_are_seen(corpora: Path) -> None:
    texts = list(results(corpora / "livemcpbench"))
    cut = [one for one in texts if len(one) == 10_000]
    values = [one for one in map(read, texts) if one.form == "double-encoded" and one.is_value]

    assert len(cut) == 60
    assert len(values) >= 446  # numbers and empty lists besides the payloads
    assert sum(shortened(one) is not None for one in cut) == 57
    assert not [one for one in texts if len(one) != 10_000 and shortened(one)]


def test_the_cut_results_of_stabletoolbench_are_broken(corpora: Path) -> None:
    texts = list(results(corpora / "stabletoolbench"))
    cut = [one for one in texts if len(one) == 1027]

    assert len(cut) == 5
    assert [read(one).form for one in cut] == ["broken"] * 5
    assert [one for one in texts if shortened(one) is not None] == cut


def test_accessibility_trees_are_no_json(corpora: Path) -> None:
    trees = [one for one in results(corpora / "inspect") if one.startswith("[")]

    assert len(trees) == 4
    for one in trees:
        assert not read(one).is_json
        assert shortened(one) is None


def test_the_lines_of_messages_are_those_where_they_begin(corpora: Path) -> None:
    for folder, word in (("who-when", "history"), ("tau-bench", "traj"), ("inspect", "messages")):
        for path in list((corpora / folder).rglob("*.json"))[:10]:
            lines = path.read_text(encoding="utf-8").split("\n")
            for one in transcripts(path) if len(lines) > 1 else ():
                assert word in path.read_text(encoding="utf-8")
                for entry in one.entries:
                    assert entry.source.line is not None
                    assert "{" in lines[entry.source.line - 1]

"""A replay: what it counts, and that it counts the same whatever does the work."""

import json
import os
import signal
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.policies.recordings import Row, in_ledger, in_lines, listing, rows

from ullage import LoadError, Replayed, UllageError, arrival, chars, cut, replay
from ullage.errors import ConfigError
from ullage.policies import tally_form
from ullage.policies.job import Job, run
from ullage.policies.merged import Merged
from ullage.policies.recorded import Recorded
from ullage.policies.sources import items, plan

POLICIES = ("prefix:6000", "records:6000", "openhands")


def document(found: Replayed) -> str:
    return json.dumps(found.to_dict())


def replayed(path: Path, **options: object) -> Replayed:
    return replay(path, **{"policies": POLICIES, "workers": 1, **options})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return in_lines(tmp_path_factory.mktemp("lines") / "results.jsonl", rows())


def test_a_prefix_breaks_every_result_that_it_cuts_and_records_none(lines: Path) -> None:
    prefix, records, _ = replayed(lines).policies

    assert (prefix.produced.counts.cut, prefix.produced.counts.broken) == (24, 12)
    assert prefix.produced.tools["listing"].broken == prefix.produced.tools["listing"].cut == 12
    assert (records.produced.counts.cut, records.produced.counts.broken) == (24, 0)
    assert (prefix.produced.counts.notices, records.produced.counts.notices) == (0, 24)


def test_a_field_rarely_arrives_under_a_prefix_and_its_neighbour_always(lines: Path) -> None:
    prefix, records, _ = replayed(lines).policies
    by_part = {one.path: one.by_record.share for one in prefix.produced.parts}

    assert by_part["$.late_list"] == 0.0
    assert {one.by_record.share for one in records.produced.parts if "list" in one.path} != {0.0}
    assert min(one.by_record.share or 0 for one in records.produced.parts) > 0.1


def test_what_stands_early_arrives_under_a_prefix_and_what_stands_late_does_not(
    lines: Path,
) -> None:
    """By tenths of a part: calls and records of each, with an interval over sessions."""
    prefix, *_ = (one.produced for one in replayed(lines).policies)
    tenths = [one for one in prefix.positions if one.path == "$.early_list"]
    (part,) = (one for one in prefix.parts if one.path == "$.early_list")

    assert [one.tenth for one in tenths] == list(range(10))
    assert (tenths[0].by_record.share, tenths[-1].by_record.share) == (1.0, 0.0)
    assert [one.by_record.share or 0.0 for one in tenths] == sorted(
        (one.by_record.share or 0.0 for one in tenths), reverse=True
    )
    assert sum(one.by_record.part for one in tenths) == part.by_record.part
    assert sum(one.by_record.of for one in tenths) == part.by_record.of
    assert {one.by_call.of for one in tenths} == {part.by_call.of}
    assert tenths[0].by_record.interval is not None


def test_a_tenth_without_a_record_has_no_rate(tmp_path: Path) -> None:
    """Three records stand in three tenths of their list."""
    path = in_lines(
        tmp_path / "few.jsonl", iter([Row("a", "few", '[{"n": 1}, {"n": 2}, {"n": 3}]')])
    )
    (policy,) = replayed(path, policies=("prefix:6000",)).policies

    assert [one.tenth for one in policy.produced.positions] == [3, 6, 9]


def test_figures_are_those_of_the_public_functions(lines: Path) -> None:
    prefix, records, _ = replayed(lines).policies
    for policy, name in ((prefix, "prefix"), (records, "records")):
        lost = 0
        for row in rows():
            done = cut(row.text, chars(6000), policy=name)  # type: ignore[arg-type]
            found = arrival(row.text, done.text).records
            lost += found.produced - found.delivered - found.partial
        assert policy.produced.counts.lost_records == lost


def test_a_harness_leaves_alone_what_is_within_its_limit(lines: Path) -> None:
    harness = replayed(lines).policies[2]

    assert harness.limit is None
    assert harness.produced.counts.over_budget == harness.produced.counts.cut == 0
    assert {one.by_record.share for one in harness.produced.parts} == {1.0}


@pytest.mark.parametrize("shard", [1, 7, 1_000])
def test_the_size_of_a_shard_changes_nothing(lines: Path, shard: int) -> None:
    assert document(replayed(lines, shard=shard)) == document(replayed(lines))


def test_a_session_is_ended_with_the_last_shard_that_holds_a_part_of_it(lines: Path) -> None:
    shards = list(plan([lines], 5, form=None, whole=False, passed_over=lambda _: None))
    merged, most = Merged(shards), 0
    for shard in shards:
        job = Job(shard=shard, policies=("prefix:6000",), tokens=False)
        merged.add(shard, tally_form.read(run(job)))
        most = max(most, len(merged.tally.open))

    assert sum(bool(shard.split) for shard in shards) > 2
    assert most > 0
    assert merged.tally.open == {}
    assert merged.tally.sessions == len({row.session for row in rows()})


def test_processes_and_threads_count_as_one_does(lines: Path) -> None:
    with ThreadPoolExecutor(3) as pool:
        threads = document(replayed(lines, shard=11, executor=pool))

    assert document(replayed(lines, shard=11, workers=2)) == threads == document(replayed(lines))


def test_a_ledger_counts_as_its_lines_do(lines: Path, tmp_path: Path) -> None:
    ledger = in_ledger(tmp_path / "run.ledger", rows())
    found = [replayed(one, shard=13).to_dict() for one in (ledger, lines)]
    for one in found:
        del one["sources"]
        for policy in one["policies"]:  # type: ignore[attr-defined]
            del policy["examples"]  # a ledger and a file name their results otherwise
            for differing in policy["against_first"]:
                del differing["example"]
            for outcome in (policy, policy["of_delivered"]):
                for rate in chain.from_iterable(outcome["arrival"].values()):
                    del rate["example"]

    assert found[0] == found[1]


def test_what_is_known_only_as_delivered_is_counted_apart(tmp_path: Path) -> None:
    path = in_lines(tmp_path / "given.jsonl", rows(2, 2), known="delivered")
    prefix = replayed(path).policies[0]

    assert prefix.produced.counts.results == 0
    assert prefix.delivered.counts.results == 12


def test_a_path_of_your_own_is_a_policy(
    lines: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_cuts.py").write_text("def half(text, limit):\n    return text[:limit]\n")
    monkeypatch.syspath_prepend(tmp_path)
    prefix, own = replayed(lines, policies=["prefix:6000", "own_cuts:half:6000"]).policies

    assert own.produced.parts == tuple(
        one for one in own.produced.parts if one.difference is not None
    )
    assert own.produced.counts.broken == prefix.produced.counts.broken
    assert {one.difference.points for one in own.produced.parts if one.difference} == {0.0}


@pytest.mark.parametrize(
    ("policies", "why"),
    [
        (["prefix"], "needs NAME:BUDGET"),
        (["prefix:0"], "needs NAME:BUDGET"),
        (["nothing:6000"], "no policy is called 'nothing'"),
        (["openhands:6000"], "has a limit of its own"),
        (["no_such_module:f:6000"], "cannot be imported"),
        (["json:nothing:6000"], "is not a function"),
    ],
)
def test_a_policy_that_is_none_is_refused(lines: Path, policies: Sequence[str], why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        replayed(lines, policies=policies)


def test_a_policy_that_returns_no_text_is_refused(
    lines: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bad_cuts.py").write_text("def number(text, limit):\n    return limit\n")
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(ConfigError, match="must return the text to deliver"):
        replayed(lines, policies=["bad_cuts:number:6000"])


def test_a_line_that_is_no_result_is_named(tmp_path: Path) -> None:
    path = in_lines(tmp_path / "results.jsonl", iter([Row("s", "t", "{}")]))
    path.write_text(path.read_text() + '{"tool": "t"}\n')

    with pytest.raises(LoadError, match=r"results.jsonl:2: no recorded result"):
        replayed(path)


def test_nothing_to_replay_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="no results are in there"):
        replayed(tmp_path)
    with pytest.raises(LoadError, match="no such file or folder"):
        replayed(tmp_path / "none")


def test_finished_shards_are_not_done_again(lines: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    whole = document(replayed(lines, shard=9, work=work))
    shards = sorted(work.glob("shard-*.json"))
    before = [one.stat().st_mtime_ns for one in shards]
    shards[1].write_bytes(b"{}")  # not what its checksum says
    shards[2].unlink()

    assert document(replayed(lines, shard=9, work=work)) == whole
    after = [one.stat().st_mtime_ns for one in shards]
    assert [old == new for old, new in zip(before, after, strict=True)] == [
        at not in (1, 2) for at in range(len(shards))
    ]


def test_a_folder_of_another_replay_is_refused(lines: Path, tmp_path: Path) -> None:
    replayed(lines, work=tmp_path / "work")

    with pytest.raises(LoadError, match="holds another replay"):
        replayed(lines, work=tmp_path / "work", policies=["middle:6000"])
    (tmp_path / "work" / "manifest.json").write_text("[]")
    with pytest.raises(LoadError, match="no manifest of a replay"):
        replayed(lines, work=tmp_path / "work")


def test_a_worker_that_is_killed_is_replaced(
    lines: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "deadly.py").write_text(
        "import os, signal\n"
        f"DONE = {str(tmp_path / 'done')!r}\n"
        "def once(text, limit):\n"
        "    if not os.path.exists(DONE):\n"
        "        open(DONE, 'w').close()\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return text[:limit]\n"
        "def always(text, limit):\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    policies = ["deadly:once:6000"]
    found = document(replayed(lines, shard=20, workers=2, policies=policies))

    assert found == document(replayed(lines, policies=policies))
    with pytest.raises(UllageError, match="died 3 times"):
        replayed(lines, shard=20, workers=2, policies=["deadly:always:6000"])


def test_a_call_that_no_option_knows_is_refused(lines: Path) -> None:
    with pytest.raises(TypeError, match="no option 'policy'"):
        replay(lines, policy="prefix:6000")  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="named twice"):
        replayed(lines, policies=["prefix:6000", "prefix:6000"])
    with pytest.raises(ValueError, match="no path was given"):
        replay()


SESSIONS = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=40)


@settings(max_examples=30, deadline=None)
@given(order=SESSIONS, shard=st.integers(1, 12), whole=st.booleans())
def test_every_result_is_in_one_shard_and_split_sessions_are_named(
    tmp_path_factory: pytest.TempPathFactory, order: list[str], shard: int, whole: bool
) -> None:
    folder = tmp_path_factory.mktemp("plan")
    found = [Row(session, "t", f"{at}") for at, session in enumerate(order)]
    for path in (
        in_lines(folder / "results.jsonl", iter(found)),
        in_ledger(folder / "run.ledger", iter(found)),
    ):
        shards = plan([path], shard, whole=whole)
        read = [[one for one in items(each) if isinstance(one, Recorded)] for each in shards]
        texts = [one.text for each in read for one in each]
        assert sorted(texts, key=int) == [row.text for row in found]
        for each, results in zip(shards, read, strict=True):
            sessions = [one.session for one in results]
            split = {one for one in sessions if sessions.count(one) < order.count(one)}
            assert split <= set(each.split)
            assert set(each.split) & set(sessions) == split


def test_a_process_that_is_gone_leaves_no_shard_half_written(tmp_path: Path) -> None:
    path = in_lines(tmp_path / "results.jsonl", rows(3, 4))
    work = tmp_path / "work"
    child = os.fork()
    if child == 0:  # pragma: no cover - killed
        replayed(path, shard=3, work=work, progress=lambda done, _: kill_at(done, 7))
        os._exit(0)
    _, status = os.waitpid(child, 0)

    assert os.WTERMSIG(status) == signal.SIGKILL
    kept = sorted(work.glob("shard-*.json"))
    assert len(kept) == 7
    before = [one.stat().st_mtime_ns for one in kept]
    assert document(replayed(path, shard=3, work=work)) == document(replayed(path))
    assert [one.stat().st_mtime_ns for one in kept] == before


def kill_at(done: int, wanted: int) -> None:
    if done == wanted:
        os.kill(os.getpid(), signal.SIGKILL)


def test_the_second_list_of_the_fixture_is_behind_a_prefix() -> None:
    assert listing(0).index("late_list") > 6000

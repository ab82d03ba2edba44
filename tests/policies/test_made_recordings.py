"""The made recordings of `benchmarks/replay`: shapes, sizes, seeds, and what is planted."""

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from benchmarks.replay.culprits import Case, Loudness, cases
from benchmarks.replay.generate import generate
from benchmarks.replay.listing import listing
from benchmarks.replay.machine import Machine, made_machine
from benchmarks.replay.million import listings
from benchmarks.replay.paper import LONGEST, RESULTS, SHORTEST, paper
from benchmarks.replay.recording import Result, line_of, write_ledger, write_lines
from benchmarks.replay.two_lists import two_lists
from hypothesis import given
from hypothesis import strategies as st

from ullage import Ledger, arrival, chars, cut, replay
from ullage.policies.rates import FieldRate
from ullage.policies.replayed import Outcome, Replayed

BUDGET = 6_000
FEW = 60


def machine(seed: int = 7) -> Machine:
    return made_machine(Random(seed))


def whole(produced: str, delivered: str) -> list[int]:
    """How many records of each part arrived whole."""
    return [part.delivered for part in arrival(produced, delivered).parts]


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


@given(seed=st.integers(min_value=0, max_value=1 << 32))
def test_a_listing_has_the_published_sizes(seed: int) -> None:
    text = listing(machine(seed))
    found = json.loads(text)

    assert len(text) == 33_370
    assert compact(found) == text
    assert list(found) == ["early_list", "late_list"]
    sizes = [[len(compact(one)) for one in part] for part in found.values()]
    assert sizes == [[198] * 118, [77] * 2 + [76] * 126]


def test_a_prefix_of_6000_keeps_30_early_records_and_no_late_one() -> None:
    text = listing(machine())

    assert whole(text, text[:BUDGET]) == [30, 0]
    assert arrival(text, text[:BUDGET]).valid is False


def test_with_the_keys_turned_a_prefix_keeps_77_late_records_and_no_early_one() -> None:
    text, turned = listing(machine()), listing(machine(), turned=True)

    assert whole(text, turned[:BUDGET]) == [0, 77]
    assert arrival(text, turned[:BUDGET]).valid is False
    assert arrival(text, turned).rate == 1  # the order alone loses nothing


def test_a_head_of_500_keeps_two_records() -> None:
    text = listing(machine())

    assert whole(text, text[:500]) == [2, 0]


def test_a_cut_in_the_middle_keeps_50_early_records_and_all_late_ones() -> None:
    text = listing(machine())
    cut_in_the_middle = text[:10_000] + "…13370 chars truncated…" + text[-10_000:]

    assert whole(text, cut_in_the_middle) == [50, 128]
    assert arrival(text, cut_in_the_middle).valid is False


def test_a_cut_by_records_is_valid_and_keeps_some_of_both_lists() -> None:
    text = listing(machine())
    done = cut(text, chars(BUDGET))

    assert all(whole(text, done.text))
    assert arrival(text, done.text).valid is True


def test_a_record_without_room_is_an_error() -> None:
    process = replace(machine().resident[0], container="x" * 80)

    with pytest.raises(ValueError, match="no room"):
        listing(machine().with_resident(0, process))


@cache
def corpus() -> tuple[Result, ...]:
    return tuple(paper())


def test_the_corpus_has_864_results_in_sessions_of_12_to_30() -> None:
    sessions = Counter(one.session for one in corpus())

    assert len(corpus()) == RESULTS == 864
    assert SHORTEST <= min(sessions.values()) <= max(sessions.values()) <= LONGEST
    assert len({one.call_id for one in corpus()}) == RESULTS


def test_its_results_are_of_500_characters_to_60_kilobytes() -> None:
    sizes = [len(one.text) for one in corpus()]

    assert 500 <= min(sizes) < 700
    assert 50_000 < max(sizes) <= 60_000
    assert sizes.count(33_370) > 41  # one of each session, and more


def test_about_half_of_the_process_listings_are_over_the_budget() -> None:
    sizes = [len(one.text) for one in corpus() if one.tool == "list_processes"]

    assert 0.35 < sum(size > BUDGET for size in sizes) / len(sizes) < 0.65


def test_a_seed_makes_one_corpus() -> None:
    assert [line_of(one) for one in paper(3, FEW)] == [line_of(one) for one in paper(3, FEW)]
    assert [*paper(3, FEW)] != [*paper(4, FEW)]


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_a_seed_makes_the_same_bytes_in_every_process(hash_seed: str) -> None:
    code = (
        "from benchmarks.replay.paper import paper\n"
        "from benchmarks.replay.recording import line_of\n"
        f"print('\\n'.join(line_of(one) for one in paper(3, {FEW})))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[2],
        env={"PYTHONHASHSEED": hash_seed, "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.splitlines() == [line_of(one) for one in paper(3, FEW)]


@pytest.mark.parametrize("results", [12, 30, 31, 43, 865])
def test_any_number_of_results_is_split_into_whole_sessions(results: int) -> None:
    sessions = Counter(one.session for one in paper(7, results))

    assert sum(sessions.values()) == results
    assert SHORTEST <= min(sessions.values()) <= max(sessions.values()) <= LONGEST


def test_fewer_results_than_a_session_has_are_refused() -> None:
    with pytest.raises(ValueError, match="got 11"):
        list(paper(7, 11))


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Replayed:
    path = tmp_path_factory.mktemp("made") / "paper.jsonl"
    write_lines(paper(7, FEW), path)
    return replay(path, workers=1, tokens=False)


def test_prefix_breaks_all_json_that_it_cuts_and_records_none(replayed: Replayed) -> None:
    prefix, records = (one.produced.counts for one in replayed.policies)
    long = [one for one in paper(7, FEW) if len(one.text) > BUDGET]

    assert prefix.over_budget == records.over_budget == len(long)
    assert prefix.broken == sum(one.text.startswith("{") for one in long) > 0
    assert (records.broken, records.notices) == (0, len(long))


def test_of_one_payload_a_field_rarely_arrives_under_prefix_and_another_always(
    replayed: Replayed,
) -> None:
    prefix, records = (
        {one.path: one for one in each.produced.parts if one.tool == "thread_states"}
        for each in replayed.policies
    )

    assert prefix["$.cpus"].by_call.share == prefix["$.cpus"].by_record.share == 1
    assert arrived_at_all(prefix["$.blocked_on"]) < prefix["$.blocked_on"].by_call.of
    assert arrived_at_all(records["$.blocked_on"]) == records["$.blocked_on"].by_call.of


def arrived_at_all(one: FieldRate) -> int:
    return one.by_call.of - one.absent


def test_listings_are_unlike_each_other_and_do_not_depend_on_where_one_begins() -> None:
    made = list(listings(50, 7))

    assert len({one.text for one in made}) == 50
    assert {len(one.text) for one in made} == {33_370}
    assert list(listings(50, 7, first=48)) == made[48:]


def test_a_ledger_of_listings_that_was_stopped_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "many.ledger"
    write_ledger(listings(5, 7), path)

    assert generate("listings", path, 7, 12) == 7
    with Ledger.read(path) as ledger:
        assert [one.text for one in ledger.results()] == [one.text for one in listings(12, 7)]


def test_a_ledger_of_other_results_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "many.ledger"
    write_ledger(listings(5, 8), path)

    with pytest.raises(SystemExit, match="other results"):
        generate("listings", path, 7, 12)


def test_lines_and_ledger_are_replayed_alike(tmp_path: Path) -> None:
    lines, ledger = tmp_path / "a.jsonl", tmp_path / "a.ledger"
    write_lines(listings(4, 7), lines)
    write_ledger(listings(4, 7), ledger)

    first, second = (replay(one, workers=1, tokens=False) for one in (lines, ledger))
    assert [unplaced(one.produced) for one in first.policies] == [
        unplaced(one.produced) for one in second.policies
    ]


def unplaced(one: Outcome) -> Outcome:
    """Leave out where results stand: lines and a ledger name them otherwise."""
    parts, fields = (
        tuple(replace(rate, example=None, apart=None) for rate in rates)
        for rates in (one.parts, one.fields)
    )
    return replace(one, parts=parts, fields=fields)


def made_case(loudness: Loudness) -> Case:
    return next(cases(loudness, 1, 7))


@pytest.mark.parametrize("loudness", ["loud", "quiet", "other-part"])
def test_the_truth_of_a_case_stands_in_its_listing(loudness: Loudness) -> None:
    for one in cases(loudness, 5, 7):
        found = json.loads(one.results[0].text)
        record = found["late_list"][one.truth.index]
        every = [*found["early_list"], *found["late_list"]]

        assert one.truth.part == "$.late_list"
        assert (record["tid"], record["container"]) == (one.truth.tid, one.truth.container)
        assert record["wait_ms"] == max(each["wait_ms"] for each in every)
        assert len(one.results[0].text) == 33_370


def test_a_loud_culprit_makes_14_percent_and_leads_the_table() -> None:
    made = made_case("loud")
    row = json.loads(made.results[1].text)["rows"][0]

    assert (row["tid"], row["percent"]) == (made.truth.tid, 14.0)


def test_a_quiet_culprit_is_one_of_five_java_processes_below_the_rows_that_are_delivered() -> None:
    made = made_case("quiet")
    rows = json.loads(made.results[1].text)["rows"]
    javas = [one for one in rows if one["percent"] == 1.4]
    delivered = made.results[1].text[:BUDGET]

    assert [one["comm"] for one in javas] == ["java"] * 5
    assert len({one["container"] for one in javas}) == 5
    assert made.truth.tid in [one["tid"] for one in javas]
    assert [one for one in javas if str(one["tid"]) in delivered] == []
    assert sum(one["percent"] for one in rows) < 100


def test_the_culprit_of_another_part_is_named_near_the_top_of_the_early_list() -> None:
    made = made_case("other-part")
    early = json.loads(made.results[0].text)["early_list"]

    assert [one["parent"] for one in early].index(made.truth.tid) < 10


def test_the_truth_is_written_beside_the_recording(tmp_path: Path) -> None:
    path = tmp_path / "quiet.jsonl"
    written = generate("quiet", path, 7, 0)
    truth = json.loads((tmp_path / "quiet.jsonl.truth.json").read_text(encoding="utf-8"))

    assert written == 2 * len(truth) == 40
    assert truth["quiet-0"]["tid"] == made_case("quiet").truth.tid


def test_the_first_days_payload_has_two_lists_of_100_records_with_three_keys() -> None:
    text = two_lists()
    found = json.loads(text)

    assert {name: len(each) for name, each in found.items()} == {
        "early_list": 100,
        "late_list": 100,
    }
    assert {tuple(one) for each in found.values() for one in each} == {("id", "value", "note")}
    assert 29_000 < len(text) <= 30_000
    assert two_lists() == text != two_lists(8)

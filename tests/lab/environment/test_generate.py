"""A generated recording has what its parameters say, and nothing that tells more."""

import dataclasses
import random
import tracemalloc
from collections import Counter
from itertools import pairwise

import pytest
from tests.lab.environment.made import events, generated, indexed

from ullage.lab.environment.deployment import HOST, PEERS
from ullage.lab.environment.generate import Generated, generate, regenerate
from ullage.lab.environment.listing import EARLY, LATE, list_containers
from ullage.lab.environment.parameters import (
    BORDER,
    CONTAINERS,
    EVENTS,
    Fault,
    Kind,
    Loudness,
    Parameters,
    cohort,
)
from ullage.lab.environment.threads import Thread

KINDS: list[tuple[Kind, Loudness]] = [
    ("spawned", "loud"),
    ("spawned", "quiet"),
    ("resident", "loud"),
    ("resident", "quiet"),
    ("healthy", "loud"),
]
FAULTS: list[Fault] = ["cpu_quota", "io", "memory"]


def shares(made: Generated) -> dict[int, float]:
    """Each process's part of all events."""
    processes = {tid: task.pid for task in made.deployment.tasks for tid in task.tids} | {0: 0}
    counts = Counter(processes[event.tid] for event in events(made))
    return {pid: count / len(events(made)) for pid, count in counts.items()}


def container_share(made: Generated, ns: int) -> float:
    by_process = shares(made)
    return sum(by_process[task.pid] for task in made.deployment.tasks if task.ns == ns)


def longest(thread: Thread, fault: Fault) -> int:
    found = {
        "cpu_quota": thread.longest["runnable"],
        "io": thread.longest["blocked"],
        "memory": thread.reclaim,
    }
    return found[fault] // 1_000_000


def test_the_same_seed_gives_the_same_events() -> None:
    parameters = generated().parameters

    again = generate(parameters, random.Random(4))
    assert tuple(again.recording.events()) == events(generated())
    assert tuple(regenerate(parameters, again.seed).recording.events()) == events(generated())


def test_another_seed_gives_other_events() -> None:
    other = generated(seed=5)

    assert events(other) != events(generated())
    assert other.deployment.focus.pid != generated().deployment.focus.pid


def test_renaming_containers_changes_nothing_but_the_name() -> None:
    names = tuple(f"name-{number:04}" for number in range(CONTAINERS))
    renamed = generated(names=names)

    assert events(renamed) == events(generated())
    assert set(renamed.recording.containers.values()) == set(names)
    changed = dict(
        zip(
            generated().recording.containers.values(),
            renamed.recording.containers.values(),
            strict=True,
        )
    )
    before, after = (list_containers(indexed(one)) for one in (generated(), renamed))
    assert after == {
        part: [row | {"container": changed[str(row["container"])]} for row in rows]
        for part, rows in before.items()
    }


@pytest.mark.parametrize(("kind", "loudness"), KINDS)
def test_time_never_goes_back_and_every_cpu_is_coherent(kind: Kind, loudness: Loudness) -> None:
    found = events(generated(kind, loudness))
    running: dict[int, int] = {}

    assert all(one.time <= other.time for one, other in pairwise(found))
    for event in found:
        assert event.tid == running.get(event.cpu, 0)
        if event.name == "sched_switch":
            assert event.fields["prev_tid"] == event.tid
            running[event.cpu] = int(event.fields["next_tid"])
            others = [tid for cpu, tid in running.items() if cpu != event.cpu and tid]
            assert event.fields["next_tid"] not in others


@pytest.mark.parametrize(("kind", "loudness"), KINDS)
def test_a_recording_has_21_containers_and_the_papers_lists(kind: Kind, loudness: Loudness) -> None:
    made = generated(kind, loudness)
    lists = list_containers(indexed(made))

    assert (len(lists[EARLY]), len(lists[LATE])) == (118, 128)
    names = {row["container"] for rows in lists.values() for row in rows}
    assert names == set(made.recording.containers.values())
    assert len(names) == CONTAINERS


@pytest.mark.parametrize(("kind", "loudness"), KINDS)
def test_one_process_is_loud(kind: Kind, loudness: Loudness) -> None:
    made = generated(kind, loudness)

    by_process = shares(made)
    assert by_process[made.deployment.loud.pid] == pytest.approx(0.14, abs=0.001)
    del by_process[made.deployment.loud.pid], by_process[0]
    assert max(by_process.values()) < 0.05


def test_the_loud_process_of_a_healthy_recording_is_innocent() -> None:
    made = generated("healthy", "loud")

    assert made.deployment.loud == made.deployment.focus
    assert not any(task.faulty for task in made.deployment.tasks)
    assert all(
        longest(thread, fault) < 50
        for thread in indexed(made).threads.values()
        for fault in FAULTS
        if thread.tid
    )


def test_a_quiet_culprit_is_one_of_five_containers_that_are_alike() -> None:
    made = generated("resident", "quiet")
    peers = made.deployment.peers

    assert len(peers) == PEERS
    assert made.deployment.focus.ns in {one.ns for one in peers}
    assert made.deployment.loud.ns not in {one.ns for one in peers}
    assert [container_share(made, one.ns) for one in peers] == pytest.approx(
        [0.014] * 5, abs=0.0005
    )
    everybody = [container_share(made, one.ns) for one in made.deployment.containers]
    assert sorted(everybody)[PEERS] > 0.025


@pytest.mark.parametrize("kind", ["spawned", "resident"])
def test_what_is_alike_stands_in_one_list_only(kind: Kind) -> None:
    made = generated(kind, "quiet")
    lists = list_containers(indexed(made))
    peers = {one.name for one in made.deployment.peers}

    named = {part: {row["container"] for row in rows} for part, rows in lists.items()}
    mine, other = (EARLY, LATE) if kind == "spawned" else (LATE, EARLY)
    assert peers <= named[mine]
    assert not peers & named[other]


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize(("kind", "loudness"), KINDS[:4])
def test_the_fault_shows_in_the_culprit_and_in_nobody_else(
    kind: Kind, loudness: Loudness, fault: Fault
) -> None:
    made = generated(kind, loudness, fault=fault)
    threads = [thread for thread in indexed(made).threads.values() if thread.tid]
    culprit = [thread for thread in threads if thread.tid in made.deployment.focus.tids]
    others = [thread for thread in threads if thread.tid not in made.deployment.focus.tids]

    assert max(longest(thread, fault) for thread in culprit) >= 60
    for other in set(FAULTS) - {fault}:
        assert max(longest(thread, other) for thread in culprit) < 50
    assert max(longest(thread, one) for thread in others for one in FAULTS) < 50


@pytest.mark.parametrize("fault", FAULTS)
def test_the_fault_changes_no_count_of_a_quiet_culprit(fault: Fault) -> None:
    made = generated("resident", "quiet", fault=fault)
    wanted = {"block_rq_issue", "mm_vmscan_direct_reclaim_begin", "sched_process_exit"}
    counts = []
    for container in made.deployment.peers:
        threads = [one for one in indexed(made).threads.values() if one.ns == container.ns]
        counts.append([sum(one.events[name] for one in threads) for name in sorted(wanted)])
        assert sum(one.events.total() for one in threads) == 40 * 7

    assert counts == [[7, 7, 0]] * PEERS


@pytest.mark.parametrize(("kind", "part"), [("spawned", EARLY), ("resident", LATE)])
@pytest.mark.parametrize("position", [0, 29, 30, 117])
def test_the_culprit_stands_at_its_position(kind: Kind, part: str, position: int) -> None:
    made = generated(kind, "quiet", position=position)

    record = list_containers(indexed(made))[part][position]
    assert record["pid"] == made.deployment.focus.pid


@pytest.mark.parametrize("kind", ["spawned", "resident", "healthy"])
def test_positions_of_a_cohort_are_below_and_above_the_border_by_turns(kind: Kind) -> None:
    found = cohort(kind, "loud", recordings=20, rng=random.Random(1))

    assert [one.position < BORDER for one in found] == [True, False] * 10
    assert len({one.position for one in found}) > 10
    if kind == "healthy":
        assert {(one.side, one.position < BORDER) for one in found} == {
            ("spawned", True),
            ("spawned", False),
            ("resident", True),
            ("resident", False),
        }


def test_a_share_may_be_of_what_stands_behind_the_fork() -> None:
    whole = generated("spawned", "loud").parameters
    made = generate(dataclasses.replace(whole, share_of="after_fork"), random.Random(4))
    found = list(made.recording.events())
    born = next(
        at
        for at, event in enumerate(found)
        if event.fields.get("child_tid") == made.deployment.focus.pid
    )

    mine = sum(event.tid in made.deployment.focus.tids for event in found[born:])
    assert mine / (len(found) - born) == pytest.approx(0.14, abs=0.003)
    assert mine / len(found) < 0.135


def test_host_processes_are_in_no_container() -> None:
    made = generated()
    listed = {row["pid"] for rows in list_containers(indexed(made)).values() for row in rows}

    assert not listed & {task.pid for task in made.deployment.tasks if task.ns == HOST}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"kind": "odd"}, "kind is 'odd'"),
        ({"fault": None}, "fault is None in a recording that is resident"),
        ({"kind": "healthy"}, "a healthy one has None"),
        ({"kind": "healthy", "fault": None}, "side is None"),
        ({"side": "spawned"}, "the culprit is resident"),
        ({"position": 128}, "the list has 128 records"),
        ({"n_events": 10}, "at least 12000"),
        ({"names": ["a", "b"]}, "21 are needed"),
        ({"fault": "fire"}, "fault is 'fire'"),
    ],
)
def test_parameters_that_do_not_go_together_are_refused(
    changed: dict[str, object], words: str
) -> None:
    known: dict[str, object] = {"kind": "resident", "loudness": "quiet", "position": 3}

    with pytest.raises(ValueError, match=words):
        Parameters(**(known | changed))  # type: ignore[arg-type]


@pytest.mark.slow
def test_production_scale_is_large_and_held_in_little_memory() -> None:
    parameters = Parameters(
        kind="resident", loudness="loud", position=3, n_events=EVENTS["production"]
    )
    tracemalloc.start()
    count = sum(1 for _ in generate(parameters, random.Random(1)).recording.events())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert count >= 240_000
    assert peak < 8_000_000

"""A recording as files: read whole by others, the same for the same seed, the truth apart."""

import json
import random
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from tests.lab.environment.made import events, generated

from ullage.errors import LoadError
from ullage.lab.environment.ctf import PACKET, CtfWriter
from ullage.lab.environment.deployment import HOST
from ullage.lab.environment.event import Event
from ullage.lab.environment.generate import generate, regenerate
from ullage.lab.environment.opened import open_recording
from ullage.lab.environment.parameters import EVENTS, Parameters
from ullage.lab.environment.written import write_recording

needs_babeltrace = pytest.mark.skipif(
    shutil.which("babeltrace2") is None, reason="babeltrace2 is not installed: nothing reads CTF"
)
CONTEXT = re.compile(r"procname = \"[^\"]*\", tid = (\d+), ")
FILES = ("ctf/metadata", "ctf/channel0_0", "ctf/channel0_3", "ftrace.txt", "perf.txt")


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("written")
    write_recording(generated("spawned", "loud"), folder / "recording", folder / "truth.json")
    return folder


def test_the_same_seed_gives_the_same_bytes(written: Path, tmp_path: Path) -> None:
    again = regenerate(generated("spawned", "loud").parameters, generated("spawned", "loud").seed)
    write_recording(again, tmp_path / "recording", tmp_path / "truth.json")

    assert files(tmp_path) == files(written)
    assert set(FILES) <= set(files(written / "recording"))


def test_another_seed_gives_other_bytes_in_every_form(written: Path, tmp_path: Path) -> None:
    write_recording(
        generated("spawned", "loud", seed=9), tmp_path / "recording", tmp_path / "truth.json"
    )

    before, after = files(written), files(tmp_path)
    assert [name for name in before if before[name] == after.get(name)] == []


def test_renamed_containers_leave_every_event_file_as_it_is(written: Path, tmp_path: Path) -> None:
    names = tuple(f"name-{number:04}" for number in range(21))
    renamed = generated("spawned", "loud", names=names)
    write_recording(renamed, tmp_path / "recording", tmp_path / "truth.json")

    before, after = files(written / "recording"), files(tmp_path / "recording")
    assert [name for name in before if before[name] != after[name]] == ["containers.json"]


@needs_babeltrace
def test_babeltrace2_reads_the_ctf_whole_and_counts_what_the_truth_says(written: Path) -> None:
    truth = json.loads((written / "truth.json").read_text(encoding="utf-8"))
    names = json.loads((written / "recording" / "containers.json").read_text(encoding="utf-8"))
    done = subprocess.run(
        ["babeltrace2", str(written / "recording" / "ctf")],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()

    assert done.stderr == ""
    assert len(lines) == truth["events"]
    spaces = {"0": "idle"}
    for line in lines:
        if "lttng_statedump_process_state" in line or "sched_process_fork" in line:
            payload = line.rsplit("{", 1)[-1]
            found = re.search(r"child_tid = (\d+).*child_ns_inum = (\d+)", payload) or re.search(
                r" tid = (\d+).* ns_inum = (\d+)", payload
            )
            assert found
            spaces[found[1]] = "host" if int(found[2]) == HOST else names[found[2]]
    counts: Counter[str] = Counter()
    for line in lines:
        thread = CONTEXT.search(line)
        assert thread
        counts[spaces[thread[1]]] += 1
    wanted = {name: one["events"] for name, one in truth["containers"].items()}
    assert counts == wanted | {name: truth[name]["events"] for name in ("host", "idle")}


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("perf.txt", "perf-script"),
        ("ftrace.txt", "ftrace"),
        pytest.param("ctf", "ctf", marks=needs_babeltrace),
    ],
)
def test_every_form_opens_as_the_same_recording(written: Path, name: str, form: str) -> None:
    opened = open_recording(written / "recording" / name)

    assert opened.form == form
    assert opened.reading.notes == []
    assert tuple(opened.recording.events()) == events(generated("spawned", "loud"))
    assert opened.recording.containers == generated("spawned", "loud").recording.containers


def test_the_truth_says_who_where_and_when(written: Path) -> None:
    truth = json.loads((written / "truth.json").read_text(encoding="utf-8"))
    made = generated("spawned", "loud")

    assert truth["culprit"] == truth["loud"]
    assert truth["culprit"]["pid"] == made.deployment.focus.pid
    assert truth["culprit"]["container"] in truth["peers"]
    assert truth["listed"] == {"list": "early_list", "index": 90, "records": 118}
    assert truth["listing"]["early"] == 118
    begin, end = truth["fault_interval"]
    assert truth["fork_time"] < begin < end
    mine = truth["containers"][truth["culprit"]["container"]]
    assert mine["share"] == pytest.approx(0.14 + 0.012, abs=0.001)
    assert mine["share_after_fork"] > mine["share"]
    assert regenerate(made.parameters, truth["seed"]).uuid == made.uuid


def test_the_truth_of_a_healthy_recording_names_no_culprit(tmp_path: Path) -> None:
    truth = write_recording(generated("healthy", "loud"), tmp_path / "r", tmp_path / "truth.json")

    assert truth.culprit is None
    assert truth.fault is None
    assert truth.fault_interval is None
    assert truth.fork_time is None
    assert truth.loud.container not in truth.peers


def test_the_truth_is_never_written_where_an_agent_reads(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="write the truth elsewhere"):
        write_recording(generated(), tmp_path, tmp_path / "truth.json")


@needs_babeltrace
def test_a_stream_of_many_packets_is_read_whole(tmp_path: Path) -> None:
    one = events(generated())[40]
    size = 13_000
    made = [
        Event(
            time=number,
            cpu=0,
            comm=one.comm,
            tid=one.tid,
            pid=one.pid,
            name="sched_process_exec",
            fields={"filename": "x" * 100, "tid": 1, "old_tid": 1},
        )
        for number in range(size)
    ]
    with CtfWriter(tmp_path / "ctf", uuid=generated().uuid) as writer:
        for event in made:
            writer.add(event)

    assert (tmp_path / "ctf" / "channel0_0").stat().st_size > PACKET
    assert list(open_recording(tmp_path / "ctf").recording.events()) == made


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"time": 4}, "sort events by time"),
        ({"name": "odd"}, "odd with .* cannot be written as CTF: no such event"),
        ({"fields": {"fd": 3}}, "its fields are fd, count"),
        ({"fields": {"fd": -1, "count": 3}}, "field fd is -1, but must fit u32"),
        ({"comm": "sixteen letters."}, "has 16 bytes; the kernel keeps 15"),
    ],
)
def test_an_event_that_ctf_cannot_hold_is_refused(
    tmp_path: Path, changed: dict[str, object], words: str
) -> None:
    known: dict[str, object] = {
        "time": 5,
        "cpu": 0,
        "comm": "a",
        "tid": 1,
        "pid": 1,
        "name": "syscall_entry_read",
        "fields": {"fd": 3, "count": 4},
    }
    with CtfWriter(tmp_path, uuid=generated().uuid) as writer:
        writer.add(Event(**known))  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=words):
            writer.add(Event(**(known | changed)))  # type: ignore[arg-type]


def test_a_file_that_is_no_recording_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello\n", encoding="utf-8")
    (tmp_path / "perf.data").write_bytes(b"PERFILE2\xff\xfe")
    (tmp_path / "empty.txt").write_text("# tracer: nop\n", encoding="utf-8")

    with pytest.raises(LoadError, match="none of perf-script, perf-json, ftrace"):
        open_recording(tmp_path / "notes.txt")
    with pytest.raises(LoadError, match=r"give perf\.data to `perf script` first"):
        open_recording(tmp_path / "perf.data")
    with pytest.raises(LoadError, match="no event in it, read as ftrace"):
        open_recording(tmp_path / "empty.txt")
    with pytest.raises(LoadError, match="cannot be read: No such file"):
        open_recording(tmp_path / "nothing.txt")


def test_a_damaged_file_of_names_is_refused(tmp_path: Path) -> None:
    line = "a-1 [000] ..... 1.000000: sched_process_exit: comm=a pid=1 prio=120\n"
    (tmp_path / "ftrace.txt").write_text(line, encoding="utf-8")
    (tmp_path / "containers.json").write_text("[]", encoding="utf-8")

    with pytest.raises(LoadError, match=r"containers\.json: .* namespace numbers and names"):
        open_recording(tmp_path / "ftrace.txt")


@needs_babeltrace
@pytest.mark.slow
def test_production_scale_is_written_and_read_whole(tmp_path: Path) -> None:
    parameters = Parameters(
        kind="resident", loudness="quiet", position=90, n_events=EVENTS["production"]
    )
    made = generate(parameters, random.Random(2))
    truth = write_recording(made, tmp_path / "r", tmp_path / "truth.json")

    done = subprocess.run(["babeltrace2", str(tmp_path / "r" / "ctf")], capture_output=True)
    assert done.stdout.count(b"\n") == truth.events >= 240_000
    assert truth.fault_interval is not None

"""A build under a CPU quota, recorded by perf on this machine, goes through the same tools."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.lab.environment.made import rows_of

from ullage.lab.environment.event import Event
from ullage.lab.environment.opened import Opened, open_recording
from ullage.lab.environment.threads import index
from ullage.lab.environment.tools import call

pytestmark = pytest.mark.slow

PERF = shutil.which("perf")
QUOTA, PERIOD = 20_000, 100_000
"""Microseconds: a fifth of a CPU, so that a gap lasts about 80 ms."""
EVENTS = (
    "sched_switch",
    "sched_waking",
    "sched_wakeup_new",
    "sched_process_fork",
    "sched_process_exec",
    "sched_process_exit",
    "sched_stat_runtime",
)
BUILD = "import compileall, json; compileall.compile_dir(json.__path__[0], quiet=2, force=True)"


@pytest.fixture(scope="module")
def limited() -> Iterator[Path]:
    """A cgroup of a fifth of a CPU, of either version."""
    name = f"ullage-test-{os.getpid()}"
    first, second = Path("/sys/fs/cgroup/cpu"), Path("/sys/fs/cgroup")
    try:
        if (first / "cpu.cfs_quota_us").exists() or (first / "cgroup.procs").exists():
            group = first / name
            group.mkdir()
            (group / "cpu.cfs_period_us").write_text(str(PERIOD), encoding="utf-8")
            (group / "cpu.cfs_quota_us").write_text(str(QUOTA), encoding="utf-8")
        else:
            group = second / name
            group.mkdir()
            (group / "cpu.max").write_text(f"{QUOTA} {PERIOD}", encoding="utf-8")
    except OSError as error:
        pytest.skip(f"no cgroup with a CPU quota can be made here: {error}")
    yield group
    group.rmdir()


@pytest.fixture(scope="module")
def recorded(limited: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file that perf wrote, or a skip with what perf said."""
    if PERF is None or shutil.which("unshare") is None:
        pytest.skip("perf or unshare is not installed")
    folder = tmp_path_factory.mktemp("recorded")
    # Inside its new namespace a process does not know its own pid outside; 0 is the writer.
    inside = f'echo 0 > "{limited}/cgroup.procs" && exec "{sys.executable}" -c "{BUILD}"'
    done = subprocess.run(
        [
            *(PERF, "record", "--namespaces", "-o", str(folder / "perf.data")),
            *("-e", ",".join(f"sched:{name}" for name in EVENTS), "--"),
            *("unshare", "--pid", "--fork", "sh", "-c", inside),
        ],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPYCACHEPREFIX": str(folder / "compiled")},
        timeout=60,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"perf cannot record here: {done.stderr.strip().splitlines()[-1:]}")
    return folder / "perf.data"


@pytest.fixture(scope="module")
def opened(recorded: Path) -> Opened:
    text = recorded.with_name("perf.txt")
    with text.open("w", encoding="utf-8") as file:
        options = ["--ns", "-F", "+pid", "--show-namespace-events", "--show-task-events"]
        subprocess.run(
            [str(PERF), "script", "-i", str(recorded), *options], stdout=file, check=True
        )
    return open_recording(text)


def test_every_line_of_perf_is_read(opened: Opened) -> None:
    lines = Path(opened.reading.place).read_text(encoding="utf-8").count("\n")

    assert opened.form == "perf-script"
    assert opened.reading.counts.total() == lines
    assert opened.reading.counts["event"] > 50


def test_a_build_under_a_quota_waits_and_its_listing_says_so(opened: Opened) -> None:
    whole = index(opened.recording)
    found = call(whole, "list_containers", {})
    rows = [row for part in found.values() for row in part]  # type: ignore[attr-defined]
    builds = [row for row in rows if row["wait_ms"] >= 40]

    assert builds
    assert all(str(row["container"]).startswith("ns-") for row in builds)
    states = call(whole, "thread_states", {"pid": builds[0]["pid"]})
    assert max(row["wait_ms"] for row in rows_of(states)) == builds[0]["wait_ms"]
    assert len(rows_of(call(whole, "timeline", {}))) < 600


def test_the_build_is_the_loudest_of_its_recording(opened: Opened) -> None:
    asked = {
        "source": "events",
        "group": ["pid", "comm"],
        "aggregate": {"count": "sum"},
        "sort": [{"column": "count", "descending": True}],
        "limit": 1,
    }

    (row,) = rows_of(call(index(opened.recording), "compute", asked))
    assert row["comm"].startswith("python") or row["comm"] == Path(sys.executable).name


def test_perfs_json_of_the_same_recording_has_as_many_events(
    recorded: Path, opened: Opened
) -> None:
    document = recorded.with_name("perf.json")
    subprocess.run(
        [str(PERF), "data", "convert", "-i", str(recorded), "--to-json", str(document)],
        capture_output=True,
        check=True,
    )
    found = open_recording(document)

    samples = [event for event in opened.recording.events() if not event.name.startswith("perf_")]
    assert found.form == "perf-json"
    assert [one.time for one in found.recording.events()] == [one.time for one in samples]


@pytest.mark.skipif(shutil.which("babeltrace2") is None, reason="babeltrace2 is not installed")
def test_perfs_ctf_of_the_same_recording_has_the_same_events(
    recorded: Path, opened: Opened
) -> None:
    folder = recorded.with_name("ctf")
    done = subprocess.run(
        [str(PERF), "data", "convert", "-i", str(recorded), "--to-ctf", str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"this perf writes no CTF: {done.stderr.strip().splitlines()[-1:]}")
    found = open_recording(folder)

    samples = [event for event in opened.recording.events() if not event.name.startswith("perf_")]
    assert [told(one) for one in found.recording.events()] == [told(one) for one in samples]


def told(event: Event) -> tuple[object, ...]:
    """What both forms say of an event: perf's CTF names no command, and more fields."""
    names = ("prev_tid", "next_tid", "prev_state", "child_tid", "next_comm")
    found = {name: event.fields[name] for name in names if name in event.fields}
    return event.time, event.cpu, event.tid, event.pid, event.name, found

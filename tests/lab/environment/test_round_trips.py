"""What is written of a recording is read back equal, whichever form it takes."""

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lab.environment.events import comms, events, known, unknown

from ullage.lab.environment import ftrace, perf_script
from ullage.lab.environment.ctf import CtfWriter
from ullage.lab.environment.event import Event, state_letters, state_number
from ullage.lab.environment.opened import open_recording
from ullage.lab.environment.perf_json import read_perf_json
from ullage.lab.environment.reading import Reading

anything = st.lists(events(known | unknown), max_size=8)
needs_babeltrace = pytest.mark.skipif(
    shutil.which("babeltrace2") is None, reason="babeltrace2 is not installed: nothing reads CTF"
)


def reading() -> Reading:
    return Reading(place="made.txt")


@given(anything)
def test_ftrace_text_is_read_back_as_it_was(made: list[Event]) -> None:
    lines = [ftrace.write_ftrace(event) for event in made]

    assert list(ftrace.read_ftrace(lines, reading())) == made


@given(anything)
def test_perf_text_is_read_back_as_it_was(made: list[Event]) -> None:
    lines = [perf_script.write_perf(event) for event in made]

    assert list(perf_script.read_perf(lines, reading())) == made


@needs_babeltrace
@settings(max_examples=12)
@given(st.lists(events(), min_size=1, max_size=30, unique_by=lambda event: event.time))
def test_ctf_is_read_back_by_babeltrace2(made: list[Event]) -> None:
    made.sort(key=lambda event: event.time)
    with TemporaryDirectory() as folder:
        with CtfWriter(Path(folder) / "ctf", uuid=UUID(int=7, version=4)) as writer:
            for event in made:
                writer.add(event)

        found = open_recording(Path(folder) / "ctf")

    assert list(found.recording.events()) == made


@given(st.integers(0, 511))
def test_a_state_is_the_same_in_letters_and_as_a_number(number: int) -> None:
    assert state_number(state_letters(number)) == number


def test_states_are_those_that_the_kernel_prints() -> None:
    assert [state_letters(number) for number in (0, 1, 2, 256, 128, 2 | 128, 4096)] == [
        "R",
        "S",
        "D",
        "R+",
        "I",
        "D|I",
        "0x1000",
    ]


PERF_NAMES = {
    "sched_switch": {"prev_tid": "prev_pid", "next_tid": "next_pid"},
    "sched_waking": {"tid": "pid"},
    "sched_process_exec": {"tid": "pid", "old_tid": "old_pid"},
    "sched_process_exit": {"tid": "pid"},
}


def perf_json(made: list[Event]) -> str:
    """What perf 6.3 writes: fields behind the call chain, all of them as strings."""
    samples = []
    for event in made:
        head = {"timestamp": event.time, "pid": event.pid or 0, "tid": event.tid}
        comm = "swapper" if event.tid == 0 else event.comm
        head_text = json.dumps(head | {"cpu": event.cpu, "comm": comm, "callchain": []})
        renamed = PERF_NAMES.get(event.name, {})
        fields = dict(event.fields)
        if "prev_state" in fields:
            fields["prev_state"] = hex(state_number(str(fields["prev_state"])))
        if event.name.startswith("syscall_"):
            fields = {"__syscall_nr": 0, **fields}
        shown = json.dumps({renamed.get(key, key): str(value) for key, value in fields.items()})
        # Keys may come twice, as in perf's own output.
        samples.append(head_text[:-1] + ", " + shown[1:])
    header = {"arch": "x86_64", "cmdline": ["perf", "record", "-e", "sched:sched_waking"]}
    return (
        f'{{"linux-perf-json-version": 1, "headers": {json.dumps(header)}, '
        f'"samples": [{", ".join(samples)}]}}'
    )


told = (
    "sched_switch",
    "sched_waking",
    "sched_process_exit",
    "sched_process_exec",
    "syscall_entry_read",
    "syscall_exit_read",
    "irq_handler_entry",
    "block_rq_issue",
    "block_rq_complete",
    "mm_vmscan_direct_reclaim_end",
)


@given(st.lists(events(known.filter(lambda payload: payload[0] in told)), max_size=8), comms)
def test_perf_json_is_read_back_as_it_was(made: list[Event], comm: str) -> None:
    made = [
        Event(
            time=one.time,
            cpu=one.cpu,
            comm=one.comm,
            tid=one.tid,
            pid=one.pid or 0,
            name=one.name,
            fields=one.fields,
        )
        for one in made
    ]
    assert list(read_perf_json(perf_json(made), reading())) == made

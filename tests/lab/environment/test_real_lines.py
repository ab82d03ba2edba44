"""Lines as real tools write them, in all their ways; and lines that are none."""

import json

import pytest

from ullage.errors import LoadError
from ullage.lab.environment.babeltrace import read_babeltrace
from ullage.lab.environment.event import Event
from ullage.lab.environment.ftrace import read_ftrace
from ullage.lab.environment.perf_json import read_perf_json
from ullage.lab.environment.perf_script import read_perf
from ullage.lab.environment.reading import Reading


def reading() -> Reading:
    return Reading(place="trace.txt")


SWITCH = {
    "prev_comm": "bash",
    "prev_tid": 1013,
    "prev_prio": 120,
    "prev_state": "R",
    "next_comm": "C2 CompilerThre",
    "next_tid": 77,
    "next_prio": 110,
}
BODY = (
    "prev_comm=bash prev_pid=1013 prev_prio=120 prev_state=R ==> next_comm=C2 CompilerThre "
    "next_pid=77 next_prio=110"
)
PLUGIN = "bash:1013 [120] R ==> C2 CompilerThre:77 [110]"


@pytest.mark.parametrize(
    "line",
    [
        f"            bash-1013    [001] d..2.    10.000100: sched_switch: {BODY}",
        f"            bash-1013    [001] d..2    10.000100: sched_switch: {BODY}",
        f"            bash-1013    (   1013) [001] d.h2.    10.000100: sched_switch: {BODY}",
        f"            bash-1013  [001]    10.000100: sched_switch:         {BODY}",
        f"            bash-1013  [001]    10.000100000: sched_switch:         {PLUGIN}",
    ],
    ids=["kernel", "older kernel", "tgid", "trace-cmd", "trace-cmd with nanoseconds"],
)
def test_a_switch_in_ftrace_text(line: str) -> None:
    (event,) = read_ftrace([line], reading())

    assert (event.time, event.cpu, event.comm, event.tid) == (10_000_100_000, 1, "bash", 1013)
    assert event.name == "sched_switch"
    assert event.fields == SWITCH


@pytest.mark.parametrize(
    "line",
    [
        f"            bash  1013 [001]    10.000100:       sched:sched_switch: {BODY}",
        f"            bash  1013/1013  [001]    10.000100:       sched:sched_switch: {BODY}",
        f"            bash  1013 [001]    10.000100:          1 sched:sched_switch: {BODY}",
        f"            bash  1013 [001] d..2.    10.000100100: sched_switch: {BODY}",
    ],
    ids=["default", "-F +pid", "period", "flags"],
)
def test_a_switch_in_perf_text(line: str) -> None:
    (event,) = read_perf([line], reading())

    assert (event.cpu, event.comm, event.tid, event.name) == (1, "bash", 1013, "sched_switch")
    assert event.fields == SWITCH


def test_a_system_call_is_the_same_in_all_texts() -> None:
    fields = {"fd": 3, "buf": 0x7FFE, "count": 0x340}
    head = "sleep-8041 [001] .....  4187.959612:"

    (kernel,) = read_ftrace([f"{head} sys_read(fd: 3, buf: 0x7ffe, count: 0x340)"], reading())
    (trace_cmd,) = read_ftrace(
        [f"{head} sys_enter_read: fd: 0x00000003, buf: 0x7ffe, count: 0x00000340"], reading()
    )
    (perf,) = read_perf(
        [
            "sleep 8041 [001] 4187.959612: syscalls:sys_enter_read: fd: 0x00000003, buf: 0x7ffe, "
            "count: 0x00000340"
        ],
        reading(),
    )
    assert kernel == trace_cmd == perf
    assert (kernel.name, kernel.fields) == ("syscall_entry_read", fields)


def test_a_failed_system_call_returns_a_negative_number() -> None:
    (event,) = read_ftrace(["a-1 [000] ..... 1.000000: sys_read -> 0xfffffffffffffff5"], reading())

    assert (event.name, event.fields) == ("syscall_exit_read", {"ret": -11})


def test_what_newer_kernels_add_to_an_event_is_kept() -> None:
    line = (
        "ls 6240 [000] 3672.09: sched:sched_process_exit: comm=ls pid=6240 prio=120 group_dead=true"
    )

    (event,) = read_perf([line], reading())

    assert event.fields == {"comm": "ls", "tid": 6240, "prio": 120, "group_dead": "true"}


def test_a_block_event_with_a_priority() -> None:
    line = (
        "sh 8027 [001] 4186.517307: block:block_rq_issue: 254,0 RM 4096 () 8129592 + 8 0x2,0,4 [sh]"
    )

    (event,) = read_perf([line], reading())

    assert event.fields["sector"] == 8_129_592
    assert event.fields["dev"] == 254 << 20
    assert event.fields["ioprio"] == "0x2,0,4"


def test_a_body_that_nothing_reads_is_kept_as_it_is() -> None:
    (event,) = read_ftrace(["a-1 [000] ..... 1.0: tracing_mark_write: hello there"], reading())

    assert event.fields == {"body": "hello there"}


NAMESPACES = [
    "       perf-exec     0 [000]     0.000000000: "
    "PERF_RECORD_NAMESPACES 8025/8025 - nr_namespaces: 7",
    "\t\t[0/net: 4/0xeffffff9, 1/uts: 4/0xeffffffe, 2/ipc: 4/0xefffffff, 3/pid: 4/0xf0000153, ",
    "\t\t 4/user: 4/0xeffffffd, 5/mnt: 4/0xeffffff8, 6/cgroup: 4/0xeffffffb]",
]


def test_perf_tells_a_threads_pid_namespace() -> None:
    (event,) = read_perf(NAMESPACES, reading())

    assert event.name == "perf_namespaces"
    assert event.fields == {"tid": 8025, "pid": 8025, "ns_inum": 0xF0000153}


def test_a_list_of_namespaces_that_breaks_off_is_no_recording() -> None:
    with pytest.raises(LoadError, match=r"trace.txt:2: no event"):
        list(read_perf(NAMESPACES[:2], reading()))


def test_every_line_is_counted_and_losses_are_said() -> None:
    lines = [
        "# tracer: nop",
        "",
        "CPU:1 [LOST 12 EVENTS]",
        "a-1 [000] ..... 1.000000: sched_wakeup: comm=b pid=2 prio=120 target_cpu=001",
    ]
    found = reading()

    assert len(list(read_ftrace(lines, found))) == 1
    assert found.counts == {"comment": 1, "blank": 1, "lost": 1, "event": 1}
    assert found.lost == 12


def test_perfs_stacks_and_losses_are_counted() -> None:
    lines = [
        "a 1 [000] 1.000000: sched:sched_waking: comm=b pid=2 prio=120 target_cpu=001",
        "\tffffffff813b4b46 try_to_wake_up+0x2a6 ([kernel.kallsyms])",
        "",
        "a 1 [000] 1.000000: PERF_RECORD_LOST lost 7",
    ]
    found = reading()

    assert len(list(read_perf(lines, found))) == 1
    assert found.counts == {"event": 1, "stack": 1, "blank": 1, "lost": 1}
    assert found.lost == 7


@pytest.mark.parametrize("read", [read_ftrace, read_perf, read_babeltrace])
@pytest.mark.parametrize("bad", ["hello", "a-1 [000] 1.0", "[1.0] (+0.1) x: { a = "])
def test_a_line_that_is_no_event_is_named(read, bad: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(LoadError, match=r"trace\.txt:2: no event: .*expected a line like"):
        list(read(["", bad], reading()))


PERF_CTF = (
    "sched:sched_switch: { cpu_id = 0 }, { perf_ip = 0xFFFFFFFF82265908, perf_tid = 6116, "
    "perf_pid = 6110, perf_id = 13, perf_period = 1, common_type = 372, common_pid = 6116, "
    'prev_comm = "perf", prev_pid = 6116, prev_prio = 120, prev_state = 2, '
    'next_comm = "py\\"thon", next_pid = 18, next_prio = 0 }'
)


def test_perfs_ctf_has_the_fields_of_all_others() -> None:
    (event,) = read_babeltrace([f"[3654.775625140] (+?.?????????) {PERF_CTF}"], reading())

    assert event == Event(
        time=3_654_775_625_140,
        cpu=0,
        comm="perf",
        tid=6116,
        pid=6110,
        name="sched_switch",
        fields={
            "prev_comm": "perf",
            "prev_tid": 6116,
            "prev_prio": 120,
            "prev_state": "D",
            "next_comm": 'py"thon',
            "next_tid": 18,
            "next_prio": 0,
        },
    )


LTTNG = (
    'host sched_switch: { cpu_id = 2 }, { prev_comm = "a", prev_tid = 5, prev_prio = 20, '
    'prev_state = 1, next_comm = "b", next_tid = 6, next_prio = 20 }'
)
ENTRY = "host syscall_entry_read: { cpu_id = 2 }, { fd = 3, count = 4096 }"


def test_without_contexts_the_thread_is_the_one_that_was_switched_to() -> None:
    found = reading()
    lines = [f"[1.0] (+?.?) {ENTRY}", f"[2.0] (+1.0) {LTTNG}", f"[3.0] (+1.0) {ENTRY}"]

    before, switch, after = read_babeltrace(lines, found)

    assert [(one.tid, one.comm) for one in (before, switch, after)] == [
        (-1, ""),
        (5, "a"),
        (6, "b"),
    ]
    assert found.notes == ["1 events stand before the first switch on their CPU and name no thread"]


def test_a_clock_of_the_day_goes_on_behind_midnight() -> None:
    lines = [f"[23:59:59.5] (+?.?) {ENTRY}", f"[00:00:00.5] (+1.0) {ENTRY}"]

    first, second = read_babeltrace(lines, reading())

    assert second.time - first.time == 1_000_000_000


def test_arrays_and_enumerations_are_kept_in_words() -> None:
    line = (
        '[1.0] (+?.?) x: { cpu_id = 0 }, { v = [ [0] = 1, [1] = 2 ], e = ( "A" : container = 1 ) }'
    )

    (event,) = read_babeltrace([line], reading())

    assert event.fields["v"] == "[ [ 0 ] = 1 , [ 1 ] = 2 ]"
    assert event.fields["e"] == '( "A" : container = 1 )'


def sample(**fields: str) -> str:
    head = '{"timestamp": 5, "pid": 1, "tid": 1, "cpu": 0, "comm": "a", "callchain": []'
    return head + "".join(f', "{key}": "{value}"' for key, value in fields.items()) + "}"


def document(*samples: str) -> str:
    return f'{{"linux-perf-json-version": 1, "headers": {{}}, "samples": [{", ".join(samples)}]}}'


def test_perfs_json_says_what_it_cannot_tell() -> None:
    found = reading()
    wake = sample(comm="b", pid="2", prio="120", target_cpu="1")

    first, second, third = read_perf_json(document(sample(), wake, sample(odd="1")), found)

    assert (first.name, first.fields) == ("sample", {})
    assert (second.name, second.comm, second.fields["comm"]) == ("sched_wakeup", "a", "b")
    assert (third.name, third.fields) == ("sample", {"odd": 1})
    assert [note.split(":")[0] for note in found.notes] == [
        "1 of 3 samples carry no fields",
        "1 of 3 samples are a wakeup or a waking, which perf's JSON does not tell apart",
        "1 of 3 samples have the fields of no known event",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "no JSON of `perf data convert --to-json`"),
        (json.dumps({"samples": []}), "linux-perf-json-version"),
        (document('{"a": 1}'), "sample 1 cannot be read"),
        (document('{"timestamp": "x", "tid": 1, "callchain": []}'), "timestamp is 'x'"),
    ],
)
def test_json_that_is_not_perfs_is_refused(text: str, words: str) -> None:
    with pytest.raises(LoadError, match=r"trace\.txt") as raised:
        list(read_perf_json(text, reading()))
    assert words in str(raised.value)

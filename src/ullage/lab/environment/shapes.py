"""The fields of each event that a recording is made of, and how they look in a line of text.

Names and fields of events are those of lttng-modules 2.8; lines of text are those of the kernel's
`TP_printk` (include/trace/events/ of Linux), as both ftrace and `perf script` print them. Fields
that the kernel prints nowhere (namespaces) follow its own ones, in the same `key=value` form.
"""

from collections.abc import Mapping
from typing import Literal

Kind = Literal["i32", "u32", "u64", "i64", "comm", "text", "state"]
"""A field's type: a comm is at most 15 bytes, a state is letters here and a number in CTF."""

WAKE: Mapping[str, Kind] = {"comm": "comm", "tid": "i32", "prio": "i32", "target_cpu": "i32"}

FIELDS: dict[str, Mapping[str, Kind]] = {
    "lttng_statedump_process_state": {
        "tid": "i32",
        "vtid": "i32",
        "pid": "i32",
        "vpid": "i32",
        "ppid": "i32",
        "vppid": "i32",
        "name": "comm",
        "type": "i32",
        "mode": "i32",
        "submode": "i32",
        "status": "i32",
        "ns_level": "u32",
        "ns_inum": "u32",
    },
    "sched_process_fork": {
        "parent_comm": "comm",
        "parent_tid": "i32",
        "child_comm": "comm",
        "child_tid": "i32",
        "parent_pid": "i32",
        "parent_ns_inum": "u32",
        "child_pid": "i32",
        "child_ns_inum": "u32",
    },
    "sched_switch": {
        "prev_comm": "comm",
        "prev_tid": "i32",
        "prev_prio": "i32",
        "prev_state": "state",
        "next_comm": "comm",
        "next_tid": "i32",
        "next_prio": "i32",
    },
    "sched_waking": WAKE,
    "sched_wakeup": WAKE,
    "sched_wakeup_new": WAKE,
    "sched_process_exit": {"comm": "comm", "tid": "i32", "prio": "i32"},
    "sched_process_exec": {"filename": "text", "tid": "i32", "old_tid": "i32"},
    "syscall_entry_read": {"fd": "u32", "count": "u64"},
    "syscall_exit_read": {"ret": "i64"},
    "irq_handler_entry": {"irq": "i32", "name": "text"},
    "block_rq_issue": {
        "dev": "u32",
        "rwbs": "text",
        "bytes": "u32",
        "sector": "u64",
        "nr_sector": "u32",
        "comm": "comm",
    },
    "block_rq_complete": {
        "dev": "u32",
        "rwbs": "text",
        "sector": "u64",
        "nr_sector": "u32",
        "error": "i32",
    },
    "mm_vmscan_direct_reclaim_begin": {"order": "i32", "gfp_flags": "text"},
    "mm_vmscan_direct_reclaim_end": {"nr_reclaimed": "u64"},
}
"""Every event that the generator makes, its fields in order. A CTF recording holds no other."""

WAKE_TEXT = (
    "comm={comm} pid={tid} prio={prio} target_cpu={target_cpu:03}",
    "comm={comm} pid={tid} prio={prio} success={success} target_cpu={target_cpu:03}",
    "{comm}:{tid} [{prio}] success={success} CPU:{target_cpu:03}",
    "{comm}:{tid} [{prio}] CPU:{target_cpu:03}",
)

BODIES: dict[str, tuple[str, ...]] = {
    "sched_switch": (
        "prev_comm={prev_comm} prev_pid={prev_tid} prev_prio={prev_prio} prev_state={prev_state}"
        " ==> next_comm={next_comm} next_pid={next_tid} next_prio={next_prio}",
        "{prev_comm}:{prev_tid} [{prev_prio}] {prev_state}"
        " ==> {next_comm}:{next_tid} [{next_prio}]",
    ),
    "sched_waking": WAKE_TEXT,
    "sched_wakeup": WAKE_TEXT,
    "sched_wakeup_new": WAKE_TEXT,
    "sched_process_fork": (
        "comm={parent_comm} pid={parent_tid} child_comm={child_comm} child_pid={child_tid}"
        " tgid={parent_pid} ns_inum={parent_ns_inum}"
        " child_tgid={child_pid} child_ns_inum={child_ns_inum}",
        "comm={parent_comm} pid={parent_tid} child_comm={child_comm} child_pid={child_tid}",
    ),
    "sched_process_exit": ("comm={comm} pid={tid} prio={prio}",),
    "sched_process_exec": ("filename={filename} pid={tid} old_pid={old_tid}",),
    "sched_stat_runtime": ("comm={comm} pid={tid} runtime={runtime} [ns]",),
    "sched_migrate_task": (
        "comm={comm} pid={tid} prio={prio} orig_cpu={orig_cpu} dest_cpu={dest_cpu}",
    ),
    "irq_handler_entry": ("irq={irq} name={name}",),
    "block_rq_issue": (
        "{dev} {rwbs} {bytes} () {sector} + {nr_sector} [{comm}]",
        "{dev} {rwbs} {bytes} ({cmd}) {sector} + {nr_sector} {ioprio} [{comm}]",
        "{dev} {rwbs} {bytes} ({cmd}) {sector} + {nr_sector} [{comm}]",
    ),
    "block_rq_complete": (
        "{dev} {rwbs} () {sector} + {nr_sector} [{error}]",
        "{dev} {rwbs} ({cmd}) {sector} + {nr_sector} {ioprio} [{error}]",
        "{dev} {rwbs} ({cmd}) {sector} + {nr_sector} [{error}]",
    ),
    "lttng_statedump_process_state": (
        "tid={tid} vtid={vtid} pid={pid} vpid={vpid} ppid={ppid} vppid={vppid} name={name}"
        " type={type} mode={mode} submode={submode} status={status}"
        " ns_level={ns_level} ns_inum={ns_inum}",
    ),
    "mm_vmscan_direct_reclaim_begin": ("order={order} gfp_flags={gfp_flags}",),
}
"""How the body of an event is written: the first form; and read: any of them, in order."""

TEXTS = frozenset(
    {"comm", "name", "filename", "rwbs", "gfp_flags", "cmd", "ioprio"}
    | {"prev_comm", "next_comm", "parent_comm", "child_comm", "prev_state"}
)
"""Fields that hold text, even where it is digits; the others hold numbers."""

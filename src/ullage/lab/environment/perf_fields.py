"""Fields as perf's own exports name them (CTF, JSON): made those of LTTng."""

from collections.abc import Mapping

from ullage.lab.environment.event import Value, state_letters

WAKE = {"pid": "tid"}
RENAMED: dict[str, Mapping[str, str]] = {
    "sched_switch": {"prev_pid": "prev_tid", "next_pid": "next_tid"},
    "sched_waking": WAKE,
    "sched_wakeup": WAKE,
    "sched_wakeup_new": WAKE,
    "sched_process_exit": WAKE,
    "sched_process_exec": {"pid": "tid", "old_pid": "old_tid"},
    "sched_stat_runtime": WAKE,
    "sched_migrate_task": WAKE,
    "sched_process_fork": {
        "parent_pid": "parent_tid",
        "child_pid": "child_tid",
        # Older kernels' field names are those of the printed line.
        "comm": "parent_comm",
        "pid": "parent_tid",
    },
}


def as_lttng(name: str, fields: Mapping[str, Value]) -> dict[str, Value]:
    """Return perf's fields of an event under LTTng's names."""
    renamed = RENAMED.get(name, {})
    return {renamed.get(key, key): value for key, value in fields.items()}


def with_letters(fields: dict[str, Value]) -> dict[str, Value]:
    """Return fields with the state as letters, where it is a number."""
    state = fields.get("prev_state")
    return fields | {"prev_state": state_letters(state)} if isinstance(state, int) else fields

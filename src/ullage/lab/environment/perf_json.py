"""Events as the JSON of `perf data convert --to-json`.

That JSON has no names of events. A sample's fields tell its event where no other event has the same
ones; a waking cannot be told from a wakeup but by what perf was asked to record, which the headers
hold. perf before 6.3 writes no fields at all. All of that is said in the reading's notes. Fields
stand behind `callchain`, and may have the names of what stands before it (`pid`, `comm`).
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ullage.errors import LoadError
from ullage.lab.environment import syscalls
from ullage.lab.environment.event import Event, Value
from ullage.lab.environment.perf_fields import as_lttng, with_letters
from ullage.lab.environment.reading import Reading
from ullage.lab.environment.shapes import TEXTS

BORDER = "callchain"
WAKES = ("sched_wakeup", "sched_waking", "sched_wakeup_new")
NAMELESS = "sample"
"""The name of an event whose sample does not tell it."""
SYSCALL = "__syscall_nr"
CALLS = {("x86_64", 0): "read", ("aarch64", 63): "read"}
"""System calls of recordings by architecture and number; any other is named by its number."""

SIGNATURES: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    name: (frozenset(needed.split()), frozenset(allowed.split()))
    for name, needed, allowed in (
        (
            "sched_switch",
            "prev_comm prev_pid prev_prio prev_state next_comm next_pid next_prio",
            "",
        ),
        (WAKES[0], "comm pid prio target_cpu", "success"),
        ("sched_process_fork", "parent_comm parent_pid child_comm child_pid", ""),
        ("sched_process_exit", "comm pid prio", "group_dead"),
        ("sched_process_exec", "filename pid old_pid", ""),
        ("sched_stat_runtime", "comm pid runtime", "vruntime"),
        ("sched_migrate_task", "comm pid prio orig_cpu dest_cpu", ""),
        ("irq_handler_entry", "irq name", ""),
        ("block_rq_issue", "dev sector nr_sector bytes rwbs comm", "cmd ioprio"),
        ("block_rq_complete", "dev sector nr_sector error rwbs", "cmd ioprio"),
        ("mm_vmscan_direct_reclaim_begin", "order gfp_flags", ""),
        ("mm_vmscan_direct_reclaim_end", "nr_reclaimed", ""),
    )
}
"""The fields that an event must have, and those that it may have besides, in perf's own names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One sample: what stands before its call chain, and its fields behind it."""

    head: Mapping[str, object]
    fields: Mapping[str, str]


@dataclass(slots=True, kw_only=True)
class Naming:
    """What tells names apart in a document, and how often something did not."""

    arch: str
    wakes: Sequence[str]
    told: Counter[str]


def read_perf_json(text: str | bytes, reading: Reading) -> Iterator[Event]:
    """Yield the events of a JSON document by perf, and say in `reading` what it cannot tell.

    Raises LoadError for a text that is no such document, and for a sample without time or thread.
    """
    try:
        document = json.loads(text, object_pairs_hook=built)
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise LoadError(
            f"{reading.place}: no JSON of `perf data convert --to-json`: {error}"
        ) from error
    samples = document.get("samples") if isinstance(document, dict) else None
    if not isinstance(samples, list) or "linux-perf-json-version" not in document:
        raise LoadError(
            f"{reading.place}: no JSON of `perf data convert --to-json`: it has "
            "`linux-perf-json-version` and a list `samples`"
        )
    naming = naming_of(document.get("headers"))
    for number, sample in enumerate(samples, 1):
        try:
            event = event_of(sample, naming)
        except (KeyError, TypeError, ValueError) as error:
            raise LoadError(
                f"{reading.place}: sample {number} cannot be read ({error}); it needs timestamp, "
                "tid and callchain, as perf writes them"
            ) from error
        reading.counts["event"] += 1
        yield event
    reading.notes += notes(naming.told, len(samples))


def built(pairs: list[tuple[str, object]]) -> object:
    """Return an object of the document: a sample where it has a call chain, else a dict."""
    names = [name for name, _ in pairs]
    if BORDER not in names or "timestamp" not in names:
        return dict(pairs)
    at = names.index(BORDER)
    return Sample(
        head={name: value for name, value in pairs[:at]},
        fields={name: str(value) for name, value in pairs[at + 1 :]},
    )


def naming_of(headers: object) -> Naming:
    """Return what the headers of a document say about its events."""
    found = headers if isinstance(headers, dict) else {}
    asked = found.get("cmdline")
    words = ",".join(map(str, asked)).split(",") if isinstance(asked, list) else []
    wakes = [one for one in WAKES if f"sched:{one}" in words]
    return Naming(arch=str(found.get("arch", "")), wakes=wakes, told=Counter())


def event_of(sample: object, naming: Naming) -> Event:
    """Return the event of a sample. Raises KeyError, TypeError or ValueError."""
    if not isinstance(sample, Sample):
        raise TypeError("no object with a call chain")
    head = sample.head
    time, tid, cpu, pid = (whole(head, key) for key in ("timestamp", "tid", "cpu", "pid"))
    if time is None or tid is None:
        raise ValueError("no timestamp or no tid")
    name = name_of(sample.fields, naming)
    values = {key: value_of(key, value) for key, value in sample.fields.items()}
    if name.startswith((syscalls.ENTRY, syscalls.EXIT)):
        values.pop(SYSCALL, None)
    comm = str(head.get("comm", ""))
    return Event(
        time=time,
        cpu=cpu or 0,
        comm=f"swapper/{cpu or 0}" if tid == 0 and comm in {"swapper", ":0"} else comm,
        tid=tid,
        pid=pid,
        name=name,
        fields=with_letters(as_lttng(name, values)),
    )


def whole(head: Mapping[str, object], key: str) -> int | None:
    """Return a number of a sample's head, None where it is not there. Raises TypeError."""
    value = head.get(key)
    if value is not None and not isinstance(value, int):
        raise TypeError(f"{key} is {value!r}, no number")
    return value


def name_of(fields: Mapping[str, str], naming: Naming) -> str:
    """Return the name of the event that has these fields, and count where they do not tell it."""
    keys = frozenset(fields)
    if SYSCALL in keys:
        number = int(fields[SYSCALL], 0)
        call = CALLS.get((naming.arch, number), str(number))
        return (syscalls.EXIT if keys == {SYSCALL, "ret"} else syscalls.ENTRY) + call
    for name, (needed, allowed) in SIGNATURES.items():
        if needed <= keys <= needed | allowed:
            if name != WAKES[0]:
                return name
            if len(naming.wakes) == 1:
                return naming.wakes[0]
            naming.told["wake"] += 1
            return name
    naming.told["unknown" if keys else "nameless"] += 1
    return NAMELESS


def value_of(key: str, value: str) -> Value:
    """Return a field's value: a number, in whatever base perf printed it, or the text."""
    if key in TEXTS and key != "prev_state":
        return value
    try:
        return int(value, 0)
    except ValueError:
        return value


def notes(told: Counter[str], samples: int) -> list[str]:
    """Return what a document did not say, in words."""
    found = []
    if told["nameless"]:
        found.append(
            f"{told['nameless']} of {samples} samples carry no fields: perf before 6.3 writes "
            "none into JSON; read the text of `perf script` instead"
        )
    if told["wake"]:
        found.append(
            f"{told['wake']} of {samples} samples are a wakeup or a waking, which perf's JSON does "
            f"not tell apart: they are read as {WAKES[0]}"
        )
    if told["unknown"]:
        found.append(f"{told['unknown']} of {samples} samples have the fields of no known event")
    return found

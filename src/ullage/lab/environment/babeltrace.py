"""Events as lines of `babeltrace2`, of an LTTng recording or of perf's CTF."""

import re
from collections.abc import Iterable, Iterator
from datetime import date

from ullage.lab.environment import syscalls
from ullage.lab.environment.clock import NANO, nanoseconds
from ullage.lab.environment.event import Event, Value
from ullage.lab.environment.perf_fields import as_lttng, with_letters
from ullage.lab.environment.reading import Reading, bad_line, numbered

LINE = re.compile(
    r"\[(?:(?P<date>\d{4}-\d\d-\d\d) )?(?:(?P<hour>\d\d):(?P<minute>\d\d):)?(?P<seconds>\d+)"
    r"\.(?P<fraction>\d+)\]\s+(?:\(\+[\d.?]+\)\s+)?(?:(?P<host>[^\s{}]+)\s+)?"
    r"(?:(?P<group>\w+):)?(?P<name>\w+):(?:\s+(?P<rest>\{.*))?"
)
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]()=,:]|[^\s"{}\[\]()=,:]+')
LOST = re.compile(r"(?:.*\bWARNING: )?.*\b[Dd]iscarded (?P<lost>\d+) events? .*")
"""What babeltrace2 says where the tracer dropped events (plugins/text/pretty)."""
ESCAPED = re.compile(r"\\(.)")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
OPENING, CLOSING = "{[(", "}])"
THREAD = {"procname": "comm", "tid": "tid", "vtid": "vtid", "pid": "pid"}
PERF_THREAD = {"perf_tid": "tid", "perf_pid": "pid"}
PERF_OWN = re.compile(r"perf_\w+|common_\w+")
DAY = 24 * 60 * 60 * NANO
EXPECTED = "a line like `[10.000100000] (+0.000001000) host sched_switch: { cpu_id = 0 }, { … }`"


def read_babeltrace(lines: Iterable[str], reading: Reading) -> Iterator[Event]:
    """Yield the events of babeltrace2's text, of any of its ways to show times.

    Without a date or `--clock-seconds` a time is that of its day: where it falls by more than
    half a day, a new one has begun. The thread is that of the contexts (`procname` and `tid`, which
    `lttng add-context` records; `perf_tid`), else the one that was last switched to on that CPU;
    before the first such switch it is -1 with an empty comm, and a note in `reading` counts those.
    Raises LoadError for a line that is no event.
    """
    running: dict[int, tuple[int, str]] = {}
    days, last, unknown = 0, 0, 0
    for number, line in numbered(lines):
        if not line.strip():
            reading.counts["blank"] += 1
            continue
        lost = LOST.fullmatch(line)
        if lost:
            reading.lost += int(lost["lost"])
            reading.counts["lost"] += 1
            continue
        found = LINE.fullmatch(line)
        groups = parsed(found["rest"] or "") if found else None
        if found is None or groups is None:
            raise bad_line(reading, number, line, expected=EXPECTED)
        reading.counts["event"] += 1
        time = time_of(found)
        if found["hour"] and not found["date"]:
            days += time + DAY // 2 < last
            last = time
            time += days * DAY
        event = event_of(found, groups, time, running)
        unknown += event.tid < 0
        yield event
    if unknown:
        reading.notes.append(
            f"{unknown} events stand before the first switch on their CPU and name no thread"
        )


def time_of(found: re.Match[str]) -> int:
    """Return the time of a line in nanoseconds."""
    time = nanoseconds(found["seconds"], found["fraction"])
    if found["hour"]:
        time += (int(found["hour"]) * 60 + int(found["minute"])) * 60 * NANO
    if found["date"]:
        time += (date.fromisoformat(found["date"]) - date(1970, 1, 1)).days * DAY
    return time


def event_of(
    found: re.Match[str],
    groups: list[dict[str, Value]],
    time: int,
    running: dict[int, tuple[int, str]],
) -> Event:
    """Return the event of a line; `running` is who runs on each CPU, and is kept up to date."""
    name = syscalls.named(found["name"])
    payload = groups[-1] if len(groups) > 1 or "cpu_id" not in (groups or [{}])[0] else {}
    around = {key: value for group in groups[:-1] for key, value in group.items()}
    cpu = int(around.get("cpu_id", groups[0].get("cpu_id", 0) if groups else 0))
    perf = {key: payload[key] for key in PERF_THREAD if key in payload}
    fields = {key: value for key, value in payload.items() if not (perf and PERF_OWN.match(key))}
    if found["group"]:
        fields = as_lttng(name, fields)
    fields = with_letters(fields)
    named = {PERF_THREAD[key]: int(value) for key, value in perf.items()}
    tid, comm = running.get(cpu, (-1, ""))
    if "tid" in around or "tid" in named:
        now = int(around.get("tid", named.get("tid", -1)))
        comm = str(around.get("procname", comm if now == tid else ""))
        tid = now
    pid = around.get("pid", named.get("pid"))
    if name == "sched_switch":
        running[cpu] = (int(fields["next_tid"]), str(fields["next_comm"]))
        comm = comm or str(fields["prev_comm"])
        tid = int(fields["prev_tid"]) if tid < 0 else tid
    return Event(
        time=time,
        cpu=cpu,
        comm=comm,
        tid=tid,
        pid=None if pid is None or int(pid) < 0 else int(pid),
        name=name,
        fields=fields,
    )


def parsed(text: str) -> list[dict[str, Value]] | None:
    """Return the groups of `{ key = value, … }` in a text, None where it has another form."""
    tokens = TOKEN.findall(text)
    groups: list[dict[str, Value]] = []
    at = 0
    while at < len(tokens):
        if tokens[at] == ",":
            at += 1
            continue
        if tokens[at] != "{":
            return None
        group: dict[str, Value] = {}
        at += 1
        while at < len(tokens) and tokens[at] != "}":
            if tokens[at] == ",":
                at += 1
                continue
            if at + 2 >= len(tokens) or tokens[at + 1] != "=":
                return None
            key = tokens[at]
            end = value_end(tokens, at + 2)
            group[key] = value_of(tokens[at + 2 : end])
            at = end
        if at >= len(tokens):
            return None
        groups.append(group)
        at += 1
    return groups


def value_end(tokens: list[str], at: int) -> int:
    """Return where the value that begins at a token ends: at a comma or brace of its own level."""
    depth = 0
    while at < len(tokens):
        if depth == 0 and tokens[at] in {",", "}"}:
            return at
        depth += (tokens[at] in OPENING) - (tokens[at] in CLOSING)
        at += 1
    return at


def value_of(tokens: list[str]) -> Value:
    """Return a number, an unescaped string, or the words of an array or an enumeration."""
    if len(tokens) == 1:
        if tokens[0].startswith('"'):
            inside = tokens[0].removeprefix('"').removesuffix('"')
            return ESCAPED.sub(lambda one: ESCAPES.get(one[1], one[1]), inside)
        try:
            return int(tokens[0], 0)
        except ValueError:
            return tokens[0]
    return " ".join(tokens)

"""The body of an event in a line of text: what stands behind its name, both ways."""

import re
from collections.abc import Mapping

from ullage.lab.environment import syscalls
from ullage.lab.environment.event import Value
from ullage.lab.environment.shapes import BODIES, TEXTS

PLACE = re.compile(r"\{(\w+)(?::\w+)?\}")
KEY = re.compile(r"(?:^|(?<=\s)|(?<=,))([A-Za-z_]\w*)=")
NUMBER = re.compile(r"-?(?:0|[1-9]\d*)")
DEVICE = re.compile(r"(\d+),(\d+)")
MINOR_BITS = 20
"""A device's number is its major one above so many bits: the kernel's MKDEV."""


def pattern(template: str) -> re.Pattern[str]:
    """Return what reads a body that `template` writes, and what follows it in `rest`."""
    parts, at = [], 0
    for place in PLACE.finditer(template):
        parts.append(re.escape(template[at : place.start()]))
        parts.append(f"(?P<{place[1]}>{form(place[1])})")
        at = place.end()
    parts.append(re.escape(template[at:]))
    return re.compile("".join(parts) + r"(?P<rest>|\s.*)", re.DOTALL)


def form(field: str) -> str:
    """Return what the text of a field looks like."""
    if field == "dev":
        return DEVICE.pattern.replace("(", "(?:")
    if field in {"rwbs", "ioprio", "prev_state"}:
        return r"\S+"
    return ".*" if field in TEXTS else r"-?\d+"


READERS = {name: [pattern(one) for one in templates] for name, templates in BODIES.items()}


def write_body(name: str, fields: Mapping[str, Value]) -> str:
    """Return the body of an event that is no system call, as the kernel prints it."""
    templates = BODIES.get(name)
    if templates is None:
        return " ".join(f"{key}={value}" for key, value in fields.items())
    shown = dict(fields)
    if "dev" in shown:
        dev = int(shown["dev"])
        shown["dev"] = f"{dev >> MINOR_BITS},{dev & (1 << MINOR_BITS) - 1}"
    return templates[0].format_map(shown)


def read_named(name: str, body: str) -> tuple[str, dict[str, Value]]:
    """Return the name and the fields of any event. Raises ValueError for a bad system call."""
    ours = syscalls.named(name)
    if syscalls.is_syscall(ours):
        return ours, syscalls.read_perf(ours, body)
    return ours, read_body(ours, body)


def read_body(name: str, body: str) -> dict[str, Value]:
    """Return the fields of a body: by the kernel's form of the event, else by `key=value`.

    A body that has neither is the one field `body`, so that nothing of it is lost.
    """
    for reader in READERS.get(name, ()):
        found = reader.fullmatch(body)
        if found:
            values = found.groupdict()
            rest = values.pop("rest")
            # An empty `()` stands in every block event; only a command in it says something.
            if values.get("cmd") == "":
                del values["cmd"]
            return {key: typed(key, value) for key, value in values.items()} | pairs(rest)
    return pairs(body)


def pairs(body: str) -> dict[str, Value]:
    """Return `key=value` pairs; a value ends where the next key begins."""
    keys = list(KEY.finditer(body))
    before = body[: keys[0].start()] if keys else body
    found: dict[str, Value] = {}
    if before.strip():
        found["body"] = before.strip()
    ends = [key.start() for key in keys[1:]] + [len(body)] * bool(keys)
    for key, end in zip(keys, ends, strict=True):
        found[key[1]] = guessed(key[1], body[key.end() : end].strip().removesuffix(","))
    return found


def guessed(field: str, value: str) -> Value:
    """Return a value of a field that no form names: a number where it is written as one."""
    return int(value) if field not in TEXTS and NUMBER.fullmatch(value) else value


def typed(field: str, value: str) -> Value:
    """Return the value of a field of a known form."""
    if field == "dev":
        major, minor = value.split(",")
        return int(major) << MINOR_BITS | int(minor)
    return value if field in TEXTS else int(value)

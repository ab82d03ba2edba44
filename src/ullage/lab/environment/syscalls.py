"""System calls in lines of text: perf and ftrace each print them in a form of their own."""

import re
from collections.abc import Mapping

from ullage.lab.environment.event import Value

ENTRY, EXIT = "syscall_entry_", "syscall_exit_"
PERF_ENTRY, PERF_EXIT = "sys_enter_", "sys_exit_"

FTRACE_ENTRY = re.compile(r"sys_(?P<call>\w+)\((?P<arguments>.*)\)")
FTRACE_EXIT = re.compile(r"sys_(?P<call>\w+) -> (?P<ret>0x[0-9a-f]+|-?\d+)")
ARGUMENT = re.compile(r"(?:^|, )(\w+): ")
WORD = 1 << 64
"""A return value is printed as an unsigned word: the negative ones count down from here."""


def is_syscall(name: str) -> bool:
    """Whether an event of this name is written in the form of system calls."""
    return name.startswith((ENTRY, EXIT))


def named(name: str) -> str:
    """Return the name of an event as LTTng has it, whoever names it."""
    for theirs, ours in ((PERF_ENTRY, ENTRY), (PERF_EXIT, EXIT)):
        if name.startswith(theirs):
            return ours + name.removeprefix(theirs)
    return name


def write_perf(name: str, fields: Mapping[str, Value]) -> tuple[str, str]:
    """Return perf's name and body of a system call's event."""
    if name.startswith(EXIT):
        return PERF_EXIT + name.removeprefix(EXIT), hex(int(fields["ret"]) % WORD)
    shown = ", ".join(f"{key}: 0x{value:08x}" for key, value in fields.items())
    return PERF_ENTRY + name.removeprefix(ENTRY), shown


def write_ftrace(name: str, fields: Mapping[str, Value]) -> str:
    """Return a system call's event as ftrace prints it: there is no name before it."""
    if name.startswith(EXIT):
        return f"sys_{name.removeprefix(EXIT)} -> {int(fields['ret']) % WORD:#x}"
    shown = ", ".join(f"{key}: {value:#x}" for key, value in fields.items())
    return f"sys_{name.removeprefix(ENTRY)}({shown})"


def read_perf(name: str, body: str) -> dict[str, Value]:
    """Return the fields of perf's body; trace-cmd prints the same. Raises ValueError."""
    if name.startswith(EXIT):
        return {"ret": signed(body.strip())}
    return arguments(body)


def read_ftrace(text: str) -> tuple[str, dict[str, Value]] | None:
    """Return the name and fields of ftrace's form, None for a text that is no system call."""
    entry = FTRACE_ENTRY.fullmatch(text)
    if entry:
        return ENTRY + entry["call"], arguments(entry["arguments"])
    leave = FTRACE_EXIT.fullmatch(text)
    return (EXIT + leave["call"], {"ret": signed(leave["ret"])}) if leave else None


def arguments(text: str) -> dict[str, Value]:
    """Return `name: value` pairs; a value that is no number stays the text it is."""
    keys = list(ARGUMENT.finditer(text))
    if not keys:
        return {"body": text} if text.strip() else {}
    ends = [key.start() for key in keys[1:]] + [len(text)]
    return {
        key[1]: number(text[key.end() : end].strip()) for key, end in zip(keys, ends, strict=True)
    }


def number(text: str) -> Value:
    """Return a number in hex or decimal, else the text."""
    try:
        return int(text, 0)
    except ValueError:
        return text


def signed(text: str) -> int:
    """Return a return value. Raises ValueError for a text that is no number."""
    value = int(text, 0)
    return value - WORD if value >= WORD // 2 else value

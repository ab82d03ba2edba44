"""Which file a call reads or writes, and whether it does so to the whole of it."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ullage.arrivals.asked import asks_for_part
from ullage.arrivals.call_words import PATHS, READS
from ullage.arrivals.kinds import compared
from ullage.history.rules.results import Result

Does = Literal["read", "write", "edit"]
"""`write` puts a whole file in place, `edit` alters a part of one."""

WRITES = ("write", "create", "save_file", "put_file", "overwrite")
EDITS = ("edit", "replace", "patch", "insert", "append", "update", "modify", "delete", "remove")
MORE_PATHS = (*PATHS, "filepath", "file_name", "target_file", "notebook_path")
# Tools that do several things name which in one of these, such as `{"command": "view"}`.
ACTS = ("command", "action", "operation", "mode")
LONGEST_COMMAND = 2_000
SHOWS = frozenset({"cat", "type", "bat", "nl"})
EDITORS = frozenset({"sed", "perl", "patch"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """One file that a call dealt with; `whole` where all of it was read or written."""

    path: str
    does: Does
    whole: bool


def touched(one: Result) -> Touched | None:
    """Return the file that a call reads, writes or edits; None where it does none of it."""
    path = path_in(one.arguments)
    if path is None:
        command = one.command
        short = command is not None and len(command) <= LONGEST_COMMAND
        return of_command(command) if command is not None and short else None
    does = done(one.tool, one.arguments)
    if does is None:
        return None
    whole = does == "write" or (does == "read" and not asks_for_part(one.arguments))
    return Touched(path=compared(path), does=does, whole=whole)


def path_in(arguments: Mapping[str, Any]) -> str | None:
    """Return the file that arguments name."""
    found = (arguments.get(name) for name in MORE_PATHS)
    return next((one for one in found if isinstance(one, str) and one), None)


def done(tool: str, arguments: Mapping[str, Any]) -> Does | None:
    """Return what a tool does to a file, by the act that its arguments name, or by its name."""
    acts = [one.lower() for name in ACTS if isinstance(one := arguments.get(name), str)]
    kinds: tuple[tuple[tuple[str, ...], Does], ...] = (
        (EDITS, "edit"),
        (WRITES, "write"),
        (READS, "read"),
    )
    for said in (*acts, tool):
        for words, does in kinds:
            if any(word in said for word in words):
                return does
    return None


def of_command(command: str) -> Touched | None:
    """Return the file of a shell command that shows, edits or writes one and does nothing else."""
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    if any(mark in word for word in words for mark in ("|", ";", "&", "`", "$(", "*")):
        return None
    if len(words) == 2 and words[0] in SHOWS:
        return Touched(path=compared(words[1]), does="read", whole=True)
    if len(words) > 3 and words[-2] == ">":
        return Touched(path=compared(words[-1]), does="write", whole=True)
    if len(words) > 2 and words[0] in EDITORS and any(one.startswith("-i") for one in words):
        return Touched(path=compared(words[-1]), does="edit", whole=False)
    return None


def is_read(one: Result) -> bool:
    """Whether a result is what stands in a file, whatever its lines look like."""
    found = touched(one)
    return found is not None and found.does == "read"

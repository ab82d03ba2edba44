"""The Python files of a folder, read without importing any."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ullage.doctor.answers import ANSWERS, Decided, decided_in
from ullage.doctor.diagnosis import Item
from ullage.doctor.parse import parsed
from ullage.doctor.slices import slices_in
from ullage.doctor.table.usages import USAGES
from ullage.doctor.usages import Defaults, usages_in
from ullage.errors import LoadError

# Other people's code, and what tools leave behind.
PASSED_OVER = {"node_modules", "site-packages", "dist-packages", "__pycache__", "build", "dist"}

# What a usage cannot be without: the package that it is imported from.
ROOTS = {one.root.encode() for one in USAGES} | {one.root.encode() for one in ANSWERS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """What a folder's programs ask for; `unread` are files that are no Python of this version."""

    files: int
    items: list[Item]
    decided: list[Decided]
    unread: list[str]


def look(folder: Path, defaults: Defaults) -> Code:
    """Return what the programs in a folder, or one program, ask for. Raises LoadError."""
    if not folder.exists():
        raise LoadError(f"{folder}: no such file or folder")
    items: list[Item] = []
    decided: list[Decided] = []
    read, unread = 0, []
    for path in [folder] if folder.is_file() else programs(folder):
        source = bytes_of(path)
        tree = None if source is None else parsed(source)
        if source is None or tree is None:
            unread.append(str(path))
            continue
        read += 1
        # Looking through a tree takes ten times as long as making it.
        if any(name in source for name in ROOTS):
            items += usages_in(tree, str(path), defaults)
            decided += decided_in(tree, str(path))
        if b"[:" in source:
            items += slices_in(tree, str(path))
    return Code(files=read, items=items, decided=decided, unread=unread)


def bytes_of(path: Path) -> bytes | None:
    """Return what a file holds; None where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError:
        return None


def programs(folder: Path) -> Iterator[Path]:
    """Yield the Python files of a folder, sorted; hidden folders and environments passed over."""
    for place, folders, files in os.walk(folder):
        inside = [one for one in folders if one not in PASSED_OVER and not one.startswith(".")]
        folders[:] = sorted(
            one for one in inside if not (Path(place, one) / "pyvenv.cfg").is_file()
        )
        yield from (Path(place, one) for one in sorted(files) if one.endswith(".py"))

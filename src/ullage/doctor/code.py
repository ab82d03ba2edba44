"""The Python files of a folder, read without importing any."""

import ast
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ullage.doctor.diagnosis import Item
from ullage.doctor.slices import slices_in
from ullage.doctor.usages import Defaults, usages_in
from ullage.errors import LoadError

# Other people's code, and what tools leave behind.
PASSED_OVER = {"node_modules", "site-packages", "dist-packages", "__pycache__", "build", "dist"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """What a folder's programs ask for; `unread` are files that are no Python of this version."""

    files: int
    items: list[Item]
    unread: list[str]


def look(folder: Path, defaults: Defaults) -> Code:
    """Return what the programs in a folder, or one program, ask for. Raises LoadError."""
    if not folder.exists():
        raise LoadError(f"{folder}: no such folder")
    read, items, unread = 0, [], []
    for path in [folder] if folder.is_file() else programs(folder):
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError, RecursionError, OSError):
            unread.append(str(path))
            continue
        read += 1
        items += [*usages_in(tree, str(path), defaults), *slices_in(tree, str(path))]
    return Code(files=read, items=items, unread=unread)


def programs(folder: Path) -> Iterator[Path]:
    """Yield the Python files of a folder, sorted; hidden folders and environments passed over."""
    for place, folders, files in os.walk(folder):
        inside = [one for one in folders if one not in PASSED_OVER and not one.startswith(".")]
        folders[:] = sorted(
            one for one in inside if not (Path(place, one) / "pyvenv.cfg").is_file()
        )
        yield from (Path(place, one) for one in sorted(files) if one.endswith(".py"))

"""Packages of npm: below a `node_modules`, or the one that a command on the path belongs to."""

import json
from collections.abc import Sequence
from pathlib import Path

from ullage.doctor.environment import Package
from ullage.errors import LoadError


def modules_in(place: Path) -> Path:
    """Return the `node_modules` that a path names or holds. Raises LoadError for none."""
    found = place if place.name == "node_modules" else place / "node_modules"
    if not found.is_dir():
        raise LoadError(f"--node {place}: no node_modules there: give the folder that holds it")
    return found


def below(modules: Path, name: str) -> Package | None:
    """Return a package of a `node_modules`; None where it is not in it."""
    return package_at(modules / name, name)


def of_command(program: Path, names: Sequence[str]) -> Package | None:
    """Return the package that a command's file belongs to, if it is one of these."""
    for folder in program.resolve().parents:
        for name in names:
            found = package_at(folder, name)
            if found:
                return found
    return None


def package_at(folder: Path, name: str) -> Package | None:
    """Return the package of this name whose folder it is; None for any other folder."""
    try:
        members = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(members, dict) or members.get("name") != name:
        return None
    return Package(name=name, version=str(members.get("version", "")), folders=[folder])

"""What `ullage doctor` found, in words: worst first, and beneath each what to do."""

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from rich.console import Console
from rich.text import Text

from ullage.cutter.excerpt import excerpt
from ullage.doctor.diagnosis import Diagnosis, Installed, Item, Value
from ullage.report.findings import COLOURS
from ullage.report.spelled import spelled
from ullage.transcript.counted import many

LONGEST = 200
TOLD = {
    "silent": "nothing is said",
    "said": "the model is told",
    "changed": "all of it arrives, in another form",
    "none": "nothing is lost",
}


def print_diagnosis(console: Console, found: Diagnosis) -> None:
    """Print where was looked, what loses data, what would once it is asked for, and what does not.

    Where nothing is installed and no code was given, one line says so.
    """
    for line in opening(found):
        console.print(Text(spelled(line)))
    in_force = [one for one in found.items if one.standing == "on"]
    asked_for = [one for one in found.items if one.standing == "off"]
    changed = [one for one in found.items if one.standing == "unknown"]
    for one in in_force:
        console.print()
        print_item(console, one, found)
    section(console, "Not confirmed, because this version keeps it elsewhere:", changed, found)
    section(console, "Only once it is asked for:", asked_for, found)
    for line in closing(found, in_force):
        console.print(Text(spelled(line)))


def opening(found: Diagnosis) -> Iterator[str]:
    """Yield where was looked and what is there."""
    places = ", ".join(found.looked_in)
    yield f"Looked in {places}: {many(found.packages, 'package')}."
    if found.installed:
        yield f"Known: {', '.join(map(named, found.installed))}."
    else:
        yield "No agent framework or coding CLI that is known here was found."
    if found.code is not None:
        yield f"Read: {many(found.code, 'Python file')}."
    for path in found.unread:
        yield f"Not read, no Python of this version: {path}"


def named(one: Installed) -> str:
    """Return a package and its version."""
    return f"{one.name} {one.version}" if one.version else f"{one.name} (version not found)"


def section(console: Console, head: str, items: Sequence[Item], found: Diagnosis) -> None:
    """Print items under a line of their own, if there are any."""
    if items:
        console.print()
        console.print(Text(head))
    for one in items:
        console.print()
        print_item(console, one, found)


def print_item(console: Console, one: Item, found: Diagnosis) -> None:
    """Print one item: what it is, what it does, the values in force, what to do."""
    of = f"{one.of} {one.version}".rstrip()
    head = f" {of} · boundary {one.boundary} · {TOLD[one.loss]}"
    mark = (one.severity, COLOURS[one.severity]) if one.severity else ("", "")
    console.print(Text.assemble(mark, spelled(head)))
    if one.path is not None:
        console.print(Text(spelled(f"  {one.path}:{one.line}")))
    console.print(Text(f"  {one.what}"))
    for value in one.values:
        console.print(Text(spelled(f"  {value_line(value, one, found)}")))
    if one.remedy:
        console.print(Text(spelled(f"  do: {one.remedy}")))


def value_line(one: Value, item: Item, found: Diagnosis) -> str:
    """Return a value and where it stands; one that is found no longer with what it was."""
    unit = f" {one.unit}" if one.unit else ""
    if one.value is None:
        version = item.version or "this version"
        return f"{one.name}: not found in {version}; it was {one.known}{unit} in {one.known_in}"
    if one.source:
        # Not read from what is installed: never written as a value in force is.
        return f"{one.name}: {one.value}{unit}, published for {one.known_in} ({one.source})"
    shown = f"{one.name} = {excerpt(one.value, LONGEST)}{unit}"
    if one.path is None or (one.path == item.path and one.line == item.line):
        return shown
    line = "" if one.line is None else f":{one.line}"
    own = ", set by you" if one.chosen and one.line is None else ""
    return f"{shown} ({shortened(one.path, found.looked_in)}{line}{own})"


def shortened(path: str, folders: Sequence[str]) -> str:
    """Return a path from the folder of packages that it is in."""
    for folder in folders:
        if PurePath(path).is_relative_to(folder):
            return PurePath(path).relative_to(folder).as_posix()
    return path


def closing(found: Diagnosis, in_force: Sequence[Item]) -> Iterator[str]:
    """Yield the packages that lose nothing by default, and how to see it on the wire."""
    losing = {one.of for one in in_force}
    calm = [one for one in found.installed if one.name not in losing]
    if calm:
        yield ""
        yield "Nothing lost by default:"
    for one in calm:
        yield f"  {named(one)}{f': {one.note}' if one.note else ''}"
    if found.installed or found.code:
        yield ""
        yield "These are settings, not a run: ullage run -- CMD measures what your agent loses."

"""A recording from files that others wrote: perf, ftrace, babeltrace2, or a folder of CTF."""

import json
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal, get_args

from ullage.cutter.excerpt import excerpt
from ullage.errors import LoadError
from ullage.lab.environment import babeltrace, ftrace, perf_script
from ullage.lab.environment.event import Event
from ullage.lab.environment.perf_json import read_perf_json
from ullage.lab.environment.reading import Reading
from ullage.lab.environment.recording import Recording

Form = Literal["perf-script", "perf-json", "ftrace", "babeltrace2", "ctf"]
PROGRAM = "babeltrace2"
LOOKED_AT = 200
"""So many lines at most are looked at to know a form; an ftrace header has a dozen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A recording, and what was read for it: counts of lines, losses, what the source left open."""

    recording: Recording
    reading: Reading
    form: Form


def open_recording(
    path: Path, *, form: Form | None = None, containers: Mapping[int, str] | None = None
) -> Opened:
    """Read a recording whole; events are put in the order of time, equal times as they stand.

    `form` is found by looking, where it is not said. A folder is CTF, which the program babeltrace2
    reads. `containers` names namespaces; without it, a file `containers.json` beside the recording
    does (`{"4026532013": "cart-7f3a"}`). Raises LoadError for what cannot be read, with its line.
    """
    if form is not None and form not in get_args(Form):
        raise ValueError(f"form is {form!r}; choose one of {get_args(Form)}")
    found = form or sniff(path)
    reading = Reading(place=str(path))
    events = sorted(READERS[found](path, reading), key=lambda one: one.time)
    if not events:
        raise LoadError(
            f"{path}: no event in it, read as {found}; say another form, or record again"
        )
    names = named(path.parent / "containers.json") if containers is None else containers
    return Opened(
        recording=Recording(events=lambda: iter(events), containers=names),
        reading=reading,
        form=found,
    )


def sniff(path: Path) -> Form:
    """Return the form of a recording. Raises LoadError where its first lines are of none."""
    if path.is_dir():
        return "ctf"
    with lines_of(path) as lines:
        for line in islice(lines, LOOKED_AT):
            if line.lstrip().startswith("{"):
                return "perf-json"
            if babeltrace.LINE.fullmatch(line.rstrip("\r\n")):
                return "babeltrace2"
            if line.startswith("# tracer:") or ftrace.LINE.fullmatch(line.rstrip("\r\n")):
                return "ftrace"
            if perf_script.LINE.fullmatch(line.rstrip("\r\n")):
                return "perf-script"
    raise LoadError(
        f"{path}: no recording: its first {LOOKED_AT} lines are none of {', '.join(get_args(Form))}"
    )


@contextmanager
def lines_of(path: Path) -> Iterator[Iterable[str]]:
    """Open a text file. Raises LoadError where it is not there, or no UTF-8."""
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            yield file
    except OSError as error:
        raise LoadError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise LoadError(
            f"{path}: byte {error.start} is no UTF-8; give perf.data to `perf script` first, and a "
            "recording of LTTng as its folder"
        ) from error


def from_lines(
    read: Callable[[Iterable[str], Reading], Iterator[Event]],
) -> Callable[[Path, Reading], list[Event]]:
    """Return what reads a file of lines."""

    def events(path: Path, reading: Reading) -> list[Event]:
        with lines_of(path) as lines:
            return list(read(lines, reading))

    return events


def from_json(path: Path, reading: Reading) -> list[Event]:
    """Read perf's JSON."""
    with lines_of(path) as lines:
        return list(read_perf_json("".join(lines), reading))


def from_ctf(path: Path, reading: Reading) -> list[Event]:
    """Read a folder of CTF by babeltrace2. Raises LoadError where that is not there or fails."""
    try:
        done = subprocess.run(
            [PROGRAM, "--clock-seconds", str(path)], capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise LoadError(
            f"{path} is a folder: CTF is read by the program {PROGRAM}, which is not there; "
            "install it (Debian: babeltrace2), or give its text"
        ) from error
    if done.returncode:
        raise LoadError(f"{path}: {PROGRAM} cannot read it: {excerpt(done.stderr.strip(), 500)}")
    # What the tracer dropped is said among the complaints, the events are on stdout.
    said = [line for line in done.stderr.split("\n") if babeltrace.LOST.fullmatch(line)]
    return list(babeltrace.read_babeltrace([*said, *done.stdout.split("\n")], reading))


READERS: dict[Form, Callable[[Path, Reading], list[Event]]] = {
    "perf-script": from_lines(perf_script.read_perf),
    "perf-json": from_json,
    "ftrace": from_lines(ftrace.read_ftrace),
    "babeltrace2": from_lines(babeltrace.read_babeltrace),
    "ctf": from_ctf,
}


def named(path: Path) -> dict[int, str]:
    """Return names of namespaces from a file, none where there is none. Raises LoadError."""
    if not path.exists():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return {int(ns): str(name) for ns, name in found.items()}
    except (ValueError, AttributeError) as error:
        raise LoadError(
            f"{path}: {error}; it holds an object of namespace numbers and names"
        ) from error

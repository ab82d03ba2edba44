"""A generated recording as files: one event list in three forms, and the truth apart from them."""

from contextlib import ExitStack
from pathlib import Path

import msgspec

from ullage.lab.environment.ctf import CtfWriter
from ullage.lab.environment.ftrace import HEADER, write_ftrace
from ullage.lab.environment.generate import Generated
from ullage.lab.environment.perf_script import write_perf
from ullage.lab.environment.threads import Indexing
from ullage.lab.environment.truth import Counting, Truth, truth

CTF, FTRACE, PERF, CONTAINERS = "ctf", "ftrace.txt", "perf.txt", "containers.json"


def write_recording(generated: Generated, folder: Path, truth_file: Path) -> Truth:
    """Write a recording into `folder` and its truth into `truth_file`; return the truth.

    `folder` gets `ctf/` (CTF 1.8), `ftrace.txt`, `perf.txt` (`perf script`) and `containers.json`
    (namespace numbers and names). An agent may be given all of it. Events are made once, and only
    those of a few milliseconds are in memory. Raises ValueError where `truth_file` is inside.
    """
    if truth_file.resolve().is_relative_to(folder.resolve()):
        raise ValueError(
            f"{truth_file} is inside {folder}, which an agent may read; write the truth elsewhere"
        )
    folder.mkdir(parents=True, exist_ok=True)
    counting = Counting(deployment=generated.deployment, fault=generated.parameters.fault)
    indexing = Indexing()
    with ExitStack() as stack:
        ctf = stack.enter_context(CtfWriter(folder / CTF, uuid=generated.uuid))
        ftrace = stack.enter_context((folder / FTRACE).open("w", encoding="utf-8", newline="\n"))
        perf = stack.enter_context((folder / PERF).open("w", encoding="utf-8", newline="\n"))
        ftrace.write(HEADER)
        for event in generated.recording.events():
            ctf.add(event)
            ftrace.write(write_ftrace(event))
            perf.write(write_perf(event))
            counting.add(event)
            indexing.add(event)
    names = {str(ns): name for ns, name in sorted(generated.recording.containers.items())}
    write_json(folder / CONTAINERS, names)
    found = truth(generated, counting, indexing.done(generated.recording.containers))
    truth_file.parent.mkdir(parents=True, exist_ok=True)
    write_json(truth_file, found)
    return found


def write_json(path: Path, value: object) -> None:
    """Write a value as JSON for people to read."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    path.write_text(text + "\n", encoding="utf-8", newline="\n")

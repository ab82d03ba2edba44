"""What a scan costs: its time beside parsing the same files, and its memory as sessions add up.

python -m benchmarks.audit.speed [SESSIONS]; `make audit-bench`. It prints a Markdown table. The
corpora are read from $ULLAGE_SHARED (else ../shared); without them that part is skipped, and said.
"""

import json
import resource
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.audit.sessions import FORMS, files
from tests.shared import SHARED

from ullage.checks.scan import Scanning, scan
from ullage.sources.files import open_all, read_file

ROUNDS = 3
STEPS = (100, 300, 1_000)
ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Print both tables."""
    sessions = int(sys.argv[1]) if len(sys.argv) > 1 else STEPS[-1]
    print(f"{datetime.now(UTC):%Y-%m-%d}, Python {sys.version.split()[0]}, processor time\n")
    with tempfile.TemporaryDirectory() as folder:
        corpora(Path(folder))
    grown(sessions)


def corpora(folder: Path) -> None:
    """Print what each folder of the corpora costs, beside `json.loads` of the same files."""
    packed = SHARED / "corpora" / "permissive.tgz"
    if not packed.exists():
        print(f"skipped: no corpora at {packed}; set ULLAGE_SHARED to the folder that holds them\n")
        return
    with tarfile.open(packed) as tar:
        tar.extractall(folder, filter="data")
    print("| folder | MB | scan / json | scan | peak memory |")
    print("|---|---|---|---|---|")
    inside = [one for one in sorted(folder.rglob("*")) if one.is_dir()]
    top = next(one.parent for one in inside if one.name == "livemcpbench")
    for one in [*sorted(path for path in top.iterdir() if path.is_dir()), top]:
        found = child("folder", str(one))
        name = "all" if one == top else one.name
        # Cassettes are YAML: there is no JSON file to hold them against.
        ratio = "n/a" if name == "pydantic-ai-cassettes" else f"{found['ratio']:.0f}"
        print(
            f"| {name} | {found['mb']:.2f} | {ratio} | {found['scan']:.2f} s "
            f"| {found['peak']:.0f} MB (import: {found['before']:.0f}) |",
            flush=True,
        )


def grown(sessions: int) -> None:
    """Print the memory and the time of many sessions, form by form and all together."""
    print("\n| sessions | form | scan / json | a MB | peak memory after | a session more |")
    print("|---|---|---|---|---|---|")
    for form in [*(one.__name__ for one in FORMS), "all"]:
        most = sessions if form == "all" else sessions // 5
        found = child("sessions", form, str(most))
        steps = [tuple(one) for one in found["peaks"]]
        (first, low), (last, high) = steps[0], steps[-1]
        slope = (high - low) / max(1, last - first) * 1_000
        peaks = ", ".join(f"{count}: {peak:.0f}" for count, peak in steps)
        each = found["scan"] / found["mb"] * 1e3
        print(
            f"| {most} | {form} | {found['ratio']:.0f} | {each:.0f} ms | {peaks} MB "
            f"| {slope:.0f} kB |",
            flush=True,
        )


def child(*arguments: str) -> dict[str, object]:
    """Measure in a process of its own: the peak of a process never falls."""
    command = [sys.executable, "-m", "benchmarks.audit.speed", "--child", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    found: dict[str, object] = json.loads(done.stdout)
    return found


def of_folder(name: str) -> dict[str, object]:
    """Scan a folder a few times, each time beside its floor; the medians count."""
    folder = Path(name)
    before = peak()
    times: list[float] = [timed(lambda: scan(open_all(folder, None, ignored)))]
    after = peak()
    floors = [timed(lambda: load(folder))]
    for _ in range(ROUNDS - 1):
        times.append(timed(lambda: scan(open_all(folder, None, ignored))))
        floors.append(timed(lambda: load(folder)))
    size = sum(one.stat().st_size for one in folder.rglob("*") if one.is_file())
    ratio = statistics.median(one / floor for one, floor in zip(times, floors, strict=True))
    return {
        "mb": size / 1e6,
        "ratio": ratio,
        "scan": statistics.median(times),
        "before": before,
        "peak": after,
    }


def of_sessions(form: str, most: int) -> dict[str, object]:
    """Scan generated sessions, each from a file that is removed when the next one comes."""
    scanning = Scanning()
    spent = beside = floor = 0.0
    size = 0
    peaks = []
    with tempfile.TemporaryDirectory() as name:
        for number, path in enumerate(written(Path(name), form, most), start=1):
            size += path.stat().st_size
            took = timed(lambda path=path: scanning.add(read_file(path)))
            spent += took
            if path.suffix != ".ledger":  # a ledger is no JSON: it has no floor
                beside += took
                floor += timed(lambda path=path: load(path))
            if number in {step * most // STEPS[-1] for step in STEPS}:
                peaks.append((number, peak()))
    spent += timed(scanning.done)
    ratio = beside / floor if floor else float("nan")
    return {"mb": size / 1e6, "ratio": ratio, "scan": spent, "peaks": peaks}


def written(folder: Path, form: str, most: int) -> Iterator[Path]:
    """Write sessions one by one, and remove each behind its reading."""
    of_form = {one.__name__: one for one in FORMS}
    for number in range(most):
        path = files(folder, number) if form == "all" else of_form[form](folder, number)
        yield path
        for one in folder.iterdir():
            one.unlink()


def load(path: Path) -> None:
    """Parse the JSON of files, line by line where a file is lines: the floor."""
    for one in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if one.suffix in (".json", ".traj"):
            json.loads(one.read_bytes())
        elif one.suffix == ".jsonl":
            for line in one.read_bytes().split(b"\n"):
                if line.strip():
                    parsed(line)


def parsed(line: bytes) -> None:
    """Parse a line; a torn one costs what it costs."""
    try:
        json.loads(line)
    except ValueError:
        return


def timed(call: Callable[[], object]) -> float:
    """Return the processor time of a call in seconds."""
    start = time.process_time()
    call()
    return time.process_time() - start


def peak() -> float:
    """Return the most memory that this process has held, in MB (Linux counts in KiB)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def ignored(_: object) -> None:
    """Pass over a file that is not read."""


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        what, *rest = sys.argv[2:]
        told = of_folder(*rest) if what == "folder" else of_sessions(rest[0], int(rest[1]))
        print(json.dumps(told))
    else:
        main()

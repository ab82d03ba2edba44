"""Run every tool on the same inputs, judge what comes out, and print the table.

    python compare.py run [--seeds N] [--tools NAME ...] [--again]
    python compare.py table

Each tool runs in the environment that environments.py made for it, twice, under two hash seeds,
and once more for the times. A row is written when it is known: an interrupted run goes on where it
was, a finished one is set aside and a new one begins. With `--tools` the named tools are measured
anew, into the run that is there. Everything is under work/ beside this file.
"""

import argparse
import fcntl
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import side_by_side
from environments import HERE, ROOT, VOCABULARY, WORK, python_of, why_missing
from inputs import PINNED, Input, write
from judge import SCORED, judge, passes

from adapters import CHARS, COUNT_TOKENS, ENVIRONMENTS, FACTORIES, TOKENS, Budget

RESULTS = WORK / "results.jsonl"
EARLIER = WORK / "earlier"
TABLE = WORK / "table.md"
OUR_SEEDS = 20
HASH_SEEDS = ("0", "12345")
SECONDS = 900  # for all inputs of one seed


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One tool on the inputs of one seed at one budget."""

    tool: str
    environment: str
    budget: Budget
    seed: int

    @property
    def key(self) -> tuple[str, str, int]:
        """What names a job in the results."""
        return (self.tool, self.budget.unit, self.seed)


def main() -> None:
    """Read the arguments and run or print."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    runner = commands.add_parser("run")
    runner.add_argument("--seeds", type=int, help="for all tools; else 20 for ullage, 1 for others")
    runner.add_argument("--tools", nargs="+", choices=FACTORIES, default=[])
    runner.add_argument("--again", action="store_true", help="set the present run aside first")
    commands.add_parser("table")
    options = parser.parse_args()
    if options.command == "run":
        try:
            with alone():
                run(options.seeds, options.tools, again=options.again)
        except KeyboardInterrupt:
            print("\nstopped; the same command goes on from here", file=sys.stderr)
            sys.exit(130)
    text = side_by_side.markdown(RESULTS)
    TABLE.write_text(text, encoding="utf-8")
    print(f"\n{text}")


@contextmanager
def alone() -> Iterator[None]:
    """Let only one run write the results at a time."""
    WORK.mkdir(exist_ok=True)
    with (WORK / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit("another run is going on here: wait for its end, or stop it")
        yield


def run(seeds: int | None, tools: list[str], *, again: bool) -> None:
    """Do the jobs that have no result yet."""
    done = begin(tools, again=again)
    missing = {name: why for name in ENVIRONMENTS if (why := why_missing(name))}
    for name, why in missing.items():
        append({"missing": name, "why": why})
        print(f"environment {name} is missing: {why}")
    jobs = [job for job in all_jobs(seeds, tools) if job.environment not in missing]
    started = time.monotonic()
    for number, job in enumerate(jobs, 1):
        if job.key in done and not tools:
            continue
        rows = measure(job)
        append(*rows)
        score = sum(passes(row) for row in rows if row["input"] in SCORED)
        spent = time.monotonic() - started
        print(
            f"[{number}/{len(jobs)}] {job.tool}, {job.budget.limit} {job.budget.unit},"
            f" seed {job.seed}: {score}/{len(SCORED)}  ({spent:.0f} s)",
            flush=True,
        )
    append({"ended": now()})


def begin(tools: list[str], *, again: bool) -> set[tuple[str, str, int]]:
    """Return the jobs of an unfinished run; a finished one is set aside."""
    rows = side_by_side.read(RESULTS)
    if rows and (again or ("ended" in rows[-1] and not tools)):
        EARLIER.mkdir(exist_ok=True)
        RESULTS.rename(EARLIER / f"{rows[0]['began'].replace(':', '')}.jsonl")
        rows = []
    if not rows:
        append({"began": now(), **side_by_side.machine()})
    stamp = our_stamp()
    return {
        (row["tool"], row["unit"], row["seed"])
        for row in rows
        if "tool" in row and row["stamp"] in ("", stamp)
    }


def all_jobs(seeds: int | None, tools: list[str]) -> Iterator[Job]:
    """Yield every job: the pinned seed first."""
    for environment, group in ENVIRONMENTS.items():
        for tool in (factory.__name__ for factory in group):
            if tools and tool not in tools:
                continue
            count = seeds or (OUR_SEEDS if tool == "ullage" else 1)
            for budget in (CHARS, TOKENS) if tool in COUNT_TOKENS else (CHARS,):
                for seed in range(PINNED, PINNED + count):
                    yield Job(tool=tool, environment=environment, budget=budget, seed=seed)


def measure(job: Job) -> list[dict[str, Any]]:
    """Run a job under both hash seeds, time it on the pinned inputs, and judge what came out."""
    folder = WORK / "inputs" / str(job.seed)
    sources = write(folder, job.seed)
    out = WORK / "out" / job.tool / job.budget.unit / str(job.seed)
    first, second = (child(job, folder, out, hash_seed) for hash_seed in HASH_SEEDS)
    times = child(job, folder, out, HASH_SEEDS[0], "--timed") if job.seed == PINNED else {}
    return [
        {
            "tool": job.tool,
            "unit": job.budget.unit,
            "seed": job.seed,
            "input": name,
            "at": now(),
            "stamp": our_stamp() if job.tool == "ullage" else "",
            "same": first[name].get("sha256") == second[name].get("sha256"),
            **judged(first[name], source, out / name, job.budget),
            "ms": times[name].get("ms") if times else None,
        }
        for name, source in sources.items()
    ]


def judged(row: dict[str, Any], source: Input, out: Path, budget: Budget) -> dict[str, Any]:
    """Return a row with the verdict on the output that it belongs to."""
    if "error" in row:
        return row
    text = out.read_bytes().decode("utf-8", "surrogatepass")
    return {**row, **judge(source, text, budget, says=row["says"])}


def child(job: Job, inputs: Path, out: Path, hash_seed: str, *options: str) -> dict[str, Any]:
    """Run the worker in the tool's environment, with an empty home; return its rows by input."""
    limit = [f"--{job.budget.unit}", str(job.budget.limit)]
    folders = ["--inputs", str(inputs), "--out", str(out)]
    command = [str(python_of(job.environment)), str(HERE / "worker.py"), job.tool]
    with tempfile.TemporaryDirectory() as home:
        try:
            done = subprocess.run(
                [*command, *folders, *limit, *options],
                capture_output=True,
                text=True,
                encoding="utf-8",
                env=surroundings(home, hash_seed),
                timeout=SECONDS,
                check=False,
            )
            printed, said = done.stdout, done.stderr.strip().split("\n")[-1]
        except subprocess.TimeoutExpired as error:
            # What a process printed before it was ended comes as bytes, whatever was asked for.
            printed, said = (error.stdout or b"").decode(), f"over {SECONDS} s"
    rows = [json.loads(line) for line in printed.split("\n") if line.startswith('{"input"')]
    found = {path.name: {"error": said or "no result"} for path in inputs.iterdir()}
    return found | {row.pop("input"): row for row in rows}


def surroundings(home: str, hash_seed: str) -> dict[str, str]:
    """Return the environment variables of a tool: no network, no beacon, no state of its own."""
    return {
        **os.environ,  # noqa: TID251 - a child needs the PATH and locale that we were given
        "PYTHONHASHSEED": hash_seed,
        "HOME": home,
        "TRIMTOK_DIR": home,
        "HEADROOM_TELEMETRY": "off",
        "DO_NOT_TRACK": "1",
        "HF_HUB_OFFLINE": "1",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "TIKTOKEN_CACHE_DIR": str(VOCABULARY),
        "CUSTOM_TIKTOKEN_CACHE_DIR": str(VOCABULARY),  # litellm's name for the same
    }


def our_stamp() -> str:
    """Return a digest of Ullage's source: results of another source are no results."""
    files = sorted((ROOT / "src").rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]


def append(*rows: dict[str, Any]) -> None:
    """Write rows to the results, all or none where the process is ended between them."""
    with RESULTS.open("a", encoding="utf-8") as file:
        file.write("".join(json.dumps(row) + "\n" for row in rows))


def now() -> str:
    """Return the time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


if __name__ == "__main__":
    main()

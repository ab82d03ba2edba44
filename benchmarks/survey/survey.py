"""Probe every harness of the manifest in an environment of its own, and write the survey.

    python -m benchmarks.survey.survey [NAME …] [--again]  run what is missing, then write
    python -m benchmarks.survey.survey --write             only write, of what is there

A result is written when it is known: an interrupted run goes on where it was. What was made of
another source of Ullage, another recipe or other packages is made anew. Everything is under work/.
"""

import argparse
import fcntl
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.survey.environments import WORK, NotMadeError, command_of, vocabularies
from benchmarks.survey.jobs import RESULTS, Job, commands, jobs, stamp, surroundings, version
from benchmarks.survey.manifest import Harness, harnesses
from benchmarks.survey.written import write

INTERRUPTED = 130
LONGEST = 1800
"""Seconds for one setting of a harness; each case has its own, shorter limit."""


class NotRunError(Exception):
    """A probe came to no document; the message says why."""


def main() -> None:
    """Read the arguments, run, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--again", action="store_true", help="make results anew that are there")
    parser.add_argument("--jobs", type=int, default=2, help="how many at once (2)")
    parser.add_argument("--write", action="store_true", help="only write what is there")
    options = parser.parse_args()
    known = harnesses()
    if unknown := sorted(set(options.names) - {one.name for one in known}):
        parser.error(f"no harness {unknown}: choose from {', '.join(one.name for one in known)}")
    wanted = [one for one in known if not options.names or one.name in options.names]
    if not options.write:
        try:
            with alone():
                run(wanted, again=options.again, at_once=options.jobs)
        except KeyboardInterrupt:
            print("\nstopped; the same command goes on from here", file=sys.stderr)
            sys.exit(INTERRUPTED)
    for path in write(known):
        print(f"written: {path}")


@contextmanager
def alone() -> Iterator[None]:
    """Let only one run write the results at a time."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    with (WORK / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit("another run is going on here: wait for its end, or stop it")
        yield


def run(wanted: Sequence[Harness], *, again: bool, at_once: int) -> None:
    """Do the jobs that have no result yet; one that fails is said, and the rest go on."""
    todo = [job for job in jobs(wanted) if again or not is_done(job)]
    prepare(todo)
    print(f"{len(todo)} settings to probe, {at_once} at once", flush=True)
    with ThreadPoolExecutor(max_workers=at_once) as pool:
        doing = [pool.submit(done, job) for job in todo]
        try:
            for number, one in enumerate(as_completed(doing), 1):
                print(f"[{number}/{len(todo)}] {one.result()}", flush=True)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def prepare(todo: Sequence[Job]) -> None:
    """Make the environments one after the other: two jobs of one harness share theirs."""
    wanted = {job.harness.name: job.harness for job in todo}
    for number, harness in enumerate(wanted.values(), 1):
        print(f"environment [{number}/{len(wanted)}] {harness.name}", flush=True)
        try:
            command_of(harness)
        except NotMadeError as error:
            print(f"  not made: {error}", flush=True)  # its jobs say so, too


def done(job: Job) -> str:
    """Run a job and keep its result; return what is to be said of it."""
    started = time.monotonic()
    document = result_of(job)
    seconds = round(time.monotonic() - started, 1)
    document |= {"stamp": stamp(job), "at": f"{datetime.now(UTC):%Y-%m-%d}", "seconds": seconds}
    job.result.write_text(json.dumps(document), encoding="utf-8")
    return f"{job.name}: {document.get('why') or 'done'} ({seconds} s)"


def is_done(job: Job) -> bool:
    """Whether a job has a result of what is there now; a failure is tried again."""
    if not job.result.exists():
        return False
    document = json.loads(job.result.read_text(encoding="utf-8"))
    return document["stamp"] == stamp(job) and "why" not in document


def result_of(job: Job) -> dict[str, object]:
    """Run a job; return its document, or why there is none."""
    with tempfile.TemporaryDirectory(prefix="survey-") as scratch:
        folder = Path(scratch)
        home = folder / "home"
        home.mkdir()
        try:
            counting = vocabularies() if job.harness.vocabulary else {}
            environment = surroundings(job, home, counting)
            documents = [
                document_of(words, output, environment, folder)
                for words, output in commands(job, folder)
            ]
        except (NotMadeError, NotRunError) as error:
            return {"why": str(error)}
    first: dict[str, Any] = documents[0]
    for other in documents[1:]:
        first["cases"] += other["cases"]
        first["thresholds"] += other["thresholds"]
    return {**first, "version": version(job.harness)}


def document_of(
    words: Sequence[str], output: Path, environment: Mapping[str, str], folder: Path
) -> dict[str, Any]:
    """Run one command; return the document that it wrote. Raises NotRunError with the reason."""
    try:
        done = subprocess.run(
            words,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise NotRunError(f"not ended after {LONGEST} s") from error
    if not output.exists():
        last = done.stderr.strip().split("\n")[-1]
        raise NotRunError(f"ended with {done.returncode}: {last}")
    document: dict[str, Any] = json.loads(output.read_text(encoding="utf-8"))
    return document


if __name__ == "__main__":
    main()

"""Test every adapter in an environment of its own, probe it before and after, and write the page.

    python -m benchmarks.adapters.adapters [NAME …] [--again]  run what is missing, then write
    python -m benchmarks.adapters.adapters --write             only write, of what is there

A result is written when it is known: an interrupted run goes on where it was. What was made of
another source of Ullage, another recipe or other packages is made anew. Everything is under work/.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.adapters.environments import WORK, python
from benchmarks.adapters.written import write
from benchmarks.survey.environments import NotMadeError, vocabularies
from benchmarks.survey.jobs import Job, probe, stamp, surroundings
from benchmarks.survey.manifest import FITTED, ROOT, Harness, harnesses
from benchmarks.survey.survey import INTERRUPTED, NotRunError, document_of

RESULTS = WORK / "results"
CASES = ("result", "history", "overflow")
OPTIONS = ("--sizes", "33k,200k", "--formats", "json", "--returns", "all", "--turns", "12")
TESTS = ROOT / "tests" / "frameworks"
OUTCOME = re.compile(r"\d+ \w+.* in [\d.]+s")
OTHERS = re.compile(r", \d+ deselected")
LONGEST = 600
"""Seconds for the tests of one adapter."""


def main() -> None:
    """Read the arguments, run, and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--again", action="store_true", help="make results anew that are there")
    parser.add_argument("--write", action="store_true", help="only write what is there")
    options = parser.parse_args()
    known = adapted()
    if unknown := sorted(set(options.names) - {one.name for one in known}):
        parser.error(
            f"no adapter for {unknown}: choose from {', '.join(one.name for one in known)}"
        )
    wanted = [one for one in known if not options.names or one.name in options.names]
    if not options.write:
        try:
            failed = run(wanted, again=options.again)
        except KeyboardInterrupt:
            print("\nstopped; the same command goes on from here", file=sys.stderr)
            sys.exit(INTERRUPTED)
    else:
        failed = False
    print(f"written: {write(known, RESULTS)}")
    sys.exit(failed)


def adapted() -> list[Harness]:
    """Return the harnesses that there is an adapter for."""
    return [one for one in harnesses() if one.adapter]


def run(wanted: Sequence[Harness], *, again: bool) -> bool:
    """Do what has no result yet; one that fails is said, and the rest go on. True if one failed."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    failed = False
    for number, harness in enumerate(wanted, 1):
        path = RESULTS / f"{harness.name}.json"
        print(f"[{number}/{len(wanted)}] {harness.name}: ", end="", flush=True)
        if not again and is_done(path, harness):
            print("there already", flush=True)
            continue
        document = result_of(harness)
        path.write_text(json.dumps(document), encoding="utf-8")
        failed |= "why" in document
        print(document.get("why") or document["tests"], flush=True)
    return failed


def is_done(path: Path, harness: Harness) -> bool:
    """Whether there is a result of what is there now; a failure is tried again."""
    if not path.exists():
        return False
    document = json.loads(path.read_text(encoding="utf-8"))
    return document.get("stamp") == stamp_of(harness) and "why" not in document


def result_of(harness: Harness) -> dict[str, Any]:
    """Test and probe an adapter; return the documents, or why there are none."""
    try:
        interpreter = python(harness)
        document: dict[str, Any] = {
            "tests": tested(harness, interpreter),
            **{job.variant.name: probed(job, interpreter) for job in both(harness)},
            "version": version(harness, interpreter),
        }
    except (NotMadeError, NotRunError) as error:
        document = {"why": str(error)}
    return {**document, "stamp": stamp_of(harness), "at": f"{datetime.now(UTC):%Y-%m-%d}"}


def both(harness: Harness) -> list[Job]:
    """Return the harness as it comes, and with Ullage."""
    wanted = [harness.variants[0], *(one for one in harness.variants if one.name == FITTED)]
    return [Job(harness=harness, variant=one) for one in wanted]


def stamp_of(harness: Harness) -> str:
    """Return a digest of all that the figures of an adapter depend on."""
    return "-".join(stamp(job) for job in both(harness))


def probed(job: Job, interpreter: Path) -> dict[str, Any]:
    """Probe one setting. Raises NotRunError, NotMadeError."""
    with tempfile.TemporaryDirectory(prefix="adapters-") as scratch:
        folder = Path(scratch)
        (folder / "home").mkdir()
        counting = vocabularies() if job.harness.vocabulary else {}
        environment = surroundings(job, folder / "home", counting)
        output = folder / "probe.json"
        cases = [one for one in CASES if one in job.variant.cases]
        words = [*probe(job, cases, output), *OPTIONS, "--"]
        words += [str(interpreter), str(job.harness.recipe)]
        return document_of(words, output, environment, folder)


def tested(harness: Harness, interpreter: Path) -> str:
    """Run the tests of an adapter in its environment; return what pytest counted.

    Raises NotRunError where one fails, or where none passes.
    """
    name = harness.name.replace("-", "_")
    own = TESTS / f"test_adapter_{name}.py"
    words = [str(interpreter), "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    words += ["-k", name, str(TESTS / "test_adapters.py"), *([str(own)] if own.exists() else [])]
    try:
        done = subprocess.run(
            words, cwd=ROOT, capture_output=True, text=True, timeout=LONGEST, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise NotRunError(f"its tests have not ended after {LONGEST} s") from error
    last = outcome(done.stdout)
    if done.returncode != 0 or "passed" not in last:
        print(done.stdout, done.stderr, file=sys.stderr)
        raise NotRunError(f"its tests: {last}")
    return last


def outcome(printed: str) -> str:
    """Return what pytest counted, without the time that it took; skipped tests are among it.

    Those of the other adapters, which it was told to leave out, are not.
    """
    lines = [line for line in printed.splitlines() if OUTCOME.match(line)]
    return OTHERS.sub("", lines[-1].rpartition(" in ")[0]) if lines else "no test was run"


def version(harness: Harness, interpreter: Path) -> str:
    """Return the version of a harness in its environment."""
    code = f"from importlib.metadata import version; print(version({harness.package!r}))"
    words = [str(interpreter), "-c", code]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    main()

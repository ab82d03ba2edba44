"""What is to be run for a survey: one `ullage probe run` for each setting of each harness."""

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path

from benchmarks.survey.environments import WORK, command_of
from benchmarks.survey.manifest import FITTED, RECIPES, ROOT, Harness, Variant

RESULTS = WORK / "results"
# The same records in every run: figures of two runs differ by what is surveyed, not by luck.
SEED = "survey"


# The default setting is looked at in all ways, the others at what they change.
ALL = ("--sizes", "8k,16k,33k,64k,200k", "--formats", "json,ndjson", "--turns", "12,50")
FEW = ("--sizes", "33k,200k", "--formats", "json,ndjson", "--turns", "12")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One setting of one harness."""

    harness: Harness
    variant: Variant

    @property
    def name(self) -> str:
        """What it is called in files and on the screen."""
        return f"{self.harness.name}.{self.variant.name}"

    @property
    def result(self) -> Path:
        """Where its document is kept (`ullage.probe/1`, with what it was made of)."""
        return RESULTS / f"{self.name}.json"


def jobs(harnesses: Sequence[Harness]) -> Iterator[Job]:
    """Yield every job, harness by harness; what an adapter does is another table's."""
    for harness in harnesses:
        for variant in harness.variants:
            if harness.surveyed and variant.name != FITTED:
                yield Job(harness=harness, variant=variant)


def commands(job: Job, folder: Path) -> Iterator[tuple[list[str], Path]]:
    """Yield the command lines of a job, each with the document that it writes.

    The harness's environment is made if need be.
    """
    program = command_of(job.harness)
    for number, (cases, options) in enumerate(passes(job)):
        output = folder / f"{number}.json"
        yield [*probe(job, cases, output), *options, "--", *program], output


def passes(job: Job) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield what is tried, and with which options.

    A coding CLI starts anew for each prompt, in seconds: its limit is searched for in one form.
    """
    cases = job.variant.cases
    if job.harness.kind == "cli":
        yield cases, ("--sizes", "33k,200k", "--formats", "json", "--turns", "12", "--bisect")
        if "result" in cases:
            yield ["result"], ("--sizes", "33k,200k", "--formats", "ndjson")
    elif is_default(job):
        search = ["--bisect"] if job.variant.bisect else []
        yield cases, (*ALL, "--returns", "all", *search)
    else:
        yield cases, (*FEW, "--bisect")


def probe(job: Job, cases: Sequence[str], output: Path) -> list[str]:
    """Return the command line of one pass, without its own options and the program."""
    harness, variant = job.harness, job.variant
    words = [sys.executable, "-m", "ullage", "probe", "run", "--variant", variant.name]
    words += ["--what", ",".join(cases), "--style", harness.style_of(variant), "--seed", SEED]
    words += ["--timeout", str(harness.seconds), "--format", "json", "--output", str(output)]
    if harness.model:
        words += ["--model", harness.model]
    if harness.tool:
        words += ["--tool", harness.tool]
    if "handoff" in cases:
        given = f"={json.dumps(harness.arguments)}" if harness.arguments else ""
        words += ["--delegate", f"{harness.delegate}{given}"]
    return words


def is_default(job: Job) -> bool:
    """Whether a setting is the one that a user gets who sets nothing."""
    return job.variant is job.harness.variants[0]


def surroundings(job: Job, home: Path, vocabularies: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a job: a home of its own, and what keeps a harness quiet."""
    present = dict(os.environ)  # noqa: TID251 - a child needs the PATH that we were given
    for name in ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME"):
        present.pop(name, None)
    # Where the recipes of coding CLIs look for them: in the user's cache, not in the empty home.
    caches = Path(present.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    present.setdefault("ULLAGE_CLI_CACHE", str(caches / "ullage-clis"))
    counting = vocabularies if job.harness.vocabulary else {}
    return {**present, "HOME": str(home), "DO_NOT_TRACK": "1", **counting, **job.harness.env}


def stamp(job: Job) -> str:
    """Return a digest of all that a job's figures depend on."""
    harness = job.harness
    pins = [harness.requirements, harness.lock and harness.lock / "package-lock.json"]
    files = [*sorted((ROOT / "src" / "ullage").rglob("*.py")), RECIPES / "probing.py"]
    files += [harness.recipe, *(path for path in pins if path)]
    made = hashlib.sha256(repr(job).encode())
    for path in files:
        made.update(path.read_bytes())
    return made.hexdigest()[:16]


def version(harness: Harness) -> str | None:
    """Return the version of a harness that is installed in its environment."""
    if harness.version:
        return harness.version  # its lock file says the same: a test holds that
    sites = (WORK / "venvs" / harness.name / "lib").glob("python*/site-packages")
    found = distributions(name=harness.package, path=[str(one) for one in sites])
    return next((one.version for one in found), None)

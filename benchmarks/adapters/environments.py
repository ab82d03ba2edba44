"""An environment for each adapter: the harness as the survey pins it, Ullage, and pytest beside it.

Ullage's own dependencies are pinned by requirements/, but for those that the harness pins itself.
"""

import hashlib
import re
from pathlib import Path

from benchmarks.survey.environments import UV, NotMadeError, digest, run
from benchmarks.survey.manifest import ROOT, Harness

WORK = Path(__file__).resolve().parent / "work"
PINS = (ROOT / "requirements" / "demo.txt", ROOT / "requirements" / "dev.txt")
TESTING = ("pytest", "pytest-timeout", "hypothesis")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def python(harness: Harness) -> Path:
    """Make the environment of an adapter if it is not there; return its interpreter.

    Raises NotMadeError with the reason.
    """
    folder = WORK / "venvs" / harness.name
    interpreter = folder / "bin" / "python"
    if harness.requirements is None:
        raise NotMadeError("the manifest names no requirements")
    made = folder / "made-of"
    wanted = made_of(harness.requirements)
    if made.exists() and made.read_text(encoding="utf-8") == wanted:
        return interpreter
    version = ["--python", harness.python] if harness.python else []
    run(str(UV), "venv", "--quiet", "--clear", "--no-python-downloads", *version, str(folder))
    install = [str(UV), "pip", "install", "--quiet", "--python", str(interpreter)]
    run(*install, "--requirement", str(harness.requirements))
    constraints = folder / "constraints.txt"
    constraints.write_text(own_pins(harness.requirements), encoding="utf-8")
    run(*install, "--constraint", str(constraints), "--editable", str(ROOT), *TESTING)
    made.write_text(wanted, encoding="utf-8")
    return interpreter


def own_pins(requirements: Path) -> str:
    """Return our pins of the packages that a harness does not pin itself, a line each."""
    theirs = {name_of(line) for line in pins(requirements)}
    return "".join(
        f"{line}\n" for path in PINS for line in pins(path) if name_of(line) not in theirs
    )


def pins(path: Path) -> list[str]:
    """Return the lines of a file of requirements that pin a package."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if NAME.match(line)]


def name_of(line: str) -> str:
    """Return the package that a line pins, spelled in the one way that all spellings have."""
    found = NAME.match(line)
    return re.sub(r"[-_.]+", "-", found[0]).lower() if found else ""


def made_of(requirements: Path) -> str:
    """Return a digest of all that decides what is installed."""
    paths = (requirements, *PINS, ROOT / "pyproject.toml")
    return hashlib.sha256(" ".join(map(digest, paths)).encode()).hexdigest()

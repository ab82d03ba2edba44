"""Make an environment for each group of tools, under work/ beside this file.

    python environments.py [NAME ...]     default: all that are not there yet

About 1.1 GB in all, 500 MB of it headroom's. Versions are pinned in requirements/ and
package-lock.json. What cannot be made is named, with the reason, and the rest go on.
"""

import argparse
import gzip
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from vocabulary import CACHED

from adapters import ENVIRONMENTS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = HERE / "work"
VENVS = WORK / "venvs"
NPM = WORK / "npm"
VOCABULARY = WORK / "vocabulary"
FAILED = WORK / "failed.json"
PIP = ("-m", "pip", "--disable-pip-version-check", "install", "--quiet")


class NotMadeError(Exception):
    """An environment cannot be made; the message says why."""


def main() -> None:
    """Make the environments that are missing; say how far it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    names = parser.parse_args().names or list(MAKERS)
    if unknown := set(names) - set(MAKERS):
        parser.error(f"no environment {sorted(unknown)}: choose from {', '.join(MAKERS)}")
    failed: dict[str, str] = json.loads(FAILED.read_text()) if FAILED.exists() else {}
    for number, name in enumerate(names, 1):
        label = f"[{number}/{len(names)}] environment {name}"
        if is_ready(name):
            print(f"{label}: is there")
            continue
        print(f"{label}: installing", flush=True)
        failed.pop(name, None)
        try:
            MAKERS[name]()
            ready(name).touch()
        except NotMadeError as error:
            failed[name] = str(error)
            print(f"{label}: SKIPPED, {error}")
        FAILED.write_text(json.dumps(failed, indent=1), encoding="utf-8")


def python_of(name: str) -> Path:
    """Return the interpreter of an environment; baselines and npm packages run under this one."""
    return VENVS / name / "bin" / "python" if name not in ("plain", "npm") else Path(sys.executable)


def ready(name: str) -> Path:
    """Return the file that says that an environment was made to its end."""
    return WORK / f"{name}.ready"


def is_ready(name: str) -> bool:
    """Say whether an environment is whole and no older than its list of versions."""
    pins = {"npm": HERE / "package-lock.json", "ullage": ROOT / "requirements" / "demo.txt"}
    pinned = pins.get(name, HERE / "requirements" / f"{name}.txt")
    if not pinned.exists():
        return True  # nothing to install
    return ready(name).exists() and ready(name).stat().st_mtime > pinned.stat().st_mtime


def why_missing(name: str) -> str:
    """Return why an environment cannot be used, or an empty text if it can."""
    if is_ready(name):
        return ""
    failed: dict[str, str] = json.loads(FAILED.read_text()) if FAILED.exists() else {}
    return failed.get(name, "not installed: run environments.py")


def peer(name: str) -> Callable[[], None]:
    """Return what makes an environment of requirements/NAME.txt."""

    def make() -> None:
        venv(name)
        run(python_of(name), *PIP, "-r", HERE / "requirements" / f"{name}.txt")

    return make


def ours() -> None:
    """Make the environment of Ullage: its own dependencies, as pinned for its demo."""
    venv("ullage")
    python, pins = python_of("ullage"), ROOT / "requirements" / "demo.txt"
    run(python, *PIP, "--constraint", pins, "hatchling", "editables")
    run(python, *PIP, "--constraint", pins, "--no-build-isolation", "--editable", ROOT)


def vocabulary() -> None:
    """Write the vocabularies to where tiktoken looks for what it has downloaded."""
    peer("vocabulary")()
    VOCABULARY.mkdir(exist_ok=True)
    (data,) = (VENVS / "vocabulary").glob("lib/*/site-packages/bpe_openai/data")
    for name, cached in CACHED.items():
        ranks = gzip.decompress((data / f"{name}.tiktoken.gz").read_bytes())
        (VOCABULARY / cached).write_bytes(ranks)


def npm() -> None:
    """Install the Node packages of package-lock.json."""
    executable = shutil.which("npm")
    if executable is None or shutil.which("node") is None:
        raise NotMadeError("node and npm are not on PATH")
    NPM.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, NPM / name)
    run(executable, "ci", "--prefix", NPM, "--no-audit", "--no-fund", "--loglevel=error")


def venv(name: str) -> None:
    """Make an empty environment."""
    VENVS.mkdir(parents=True, exist_ok=True)
    run(sys.executable, "-m", "venv", "--clear", VENVS / name)


def run(*command: str | Path) -> None:
    """Run a command; its last words are the reason if it fails."""
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, cwd=HERE
    )
    if done.returncode != 0:
        words = (done.stderr.strip() or done.stdout.strip()).split("\n")[-1]
        raise NotMadeError(f"{Path(command[0]).name} failed: {words}")


MAKERS: dict[str, Callable[[], None]] = {
    "vocabulary": vocabulary,
    **{name: peer(name) for name in ENVIRONMENTS if name not in ("ullage", "plain", "npm")},
    "ullage": ours,
    "npm": npm,
}


if __name__ == "__main__":
    main()

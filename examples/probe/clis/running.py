"""Runs a coding CLI for a case: one process a prompt, in a home and a folder of its own.

The standard library only. The CLIs are kept in a cache folder (ULLAGE_CLI_CACHE, else
~/.cache/ullage-clis); `python running.py install NAME` puts one there, as its lock file says.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

sys.path.insert(0, str(Path(__file__).parents[1]))  # where probing.py is

from probing import Case, Recipe, probe

__all__ = ["Case", "Cli", "Scratch", "probe", "recipe"]

HERE = Path(__file__).parent
PROMPT_SECONDS = 240
NOBODY = "http://127.0.0.1:9"


@dataclass(frozen=True)
class Scratch:
    """The folders of one case: the CLI's home, where it works, and its temporary files."""

    home: Path
    work: Path
    temporary: Path


class Words(Protocol):
    """The words behind a CLI's command."""

    def __call__(self, case: Case, /, *, first: bool) -> Sequence[str]:
        """Return them."""


@dataclass(frozen=True)
class Cli:
    """How a CLI is started.

    `program` is its command inside of its cache folder (a pattern: some are built per platform),
    `settings` are the files of a case, `words` what stands behind the command (`first` is False
    where the session before goes on), `variables` what its environment has beside the scratch
    folders. It reads what the user says from its standard input.
    """

    name: str
    program: str
    settings: Callable[[Case, Scratch], Mapping[Path, str]]
    words: Words
    variables: Callable[[Case], Mapping[str, str]]


def cache(name: str) -> Path:
    """Return where a CLI is kept: outside of this checkout, one folder a version."""
    kept = Path(
        os.environ.get("ULLAGE_CLI_CACHE")
        or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ullage-clis"
    )
    return kept / f"{name}-{version(name)}"


def version(name: str) -> str:
    """Return the version of a CLI that its lock file names."""
    wanted = json.loads((HERE / name / "package.json").read_text(encoding="utf-8"))
    (number,) = wanted["dependencies"].values()
    return str(number)


def install(name: str) -> None:
    """Install a CLI from its npm package; nothing of it is run.

    Not `npm ci`: that refuses where a lock file does not name the builds for all platforms.
    """
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("npm is not here: install Node.js 20 or newer (Debian: apt-get install npm)")
    folder = cache(name)
    folder.mkdir(parents=True, exist_ok=True)
    for file in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name / file, folder)
    words = [npm, "install", "--ignore-scripts", "--no-save", "--no-audit", "--no-fund"]
    subprocess.run(words, cwd=folder, check=True)


def recipe(cli: Cli) -> Recipe:
    """Return what does a case: each of its prompts, one process after the other."""

    def ask(case: Case) -> None:
        with scratch() as folders:
            for path, text in cli.settings(case, folders).items():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            for number, prompt in enumerate(case.prompts):
                case.answered(say(cli, case, prompt, folders, first=number == 0))

    return ask


@contextmanager
def scratch() -> Iterator[Scratch]:
    """Make the folders of a case, and take them away: sessions, caches and spilled results too."""
    with tempfile.TemporaryDirectory(prefix="ullage-probe-", ignore_cleanup_errors=True) as top:
        folders = Scratch(*(Path(top) / name for name in ("home", "work", "tmp")))
        for folder in (folders.home, folders.work, folders.temporary):
            folder.mkdir()
        yield folders


def say(cli: Cli, case: Case, prompt: str, folders: Scratch, *, first: bool) -> str:
    """Run the CLI for one prompt; return what it printed for its user.

    The prompt goes through the standard input, which ends behind it: a word of a command line
    holds 128 KiB at most (Linux, MAX_ARG_STRLEN).
    """
    done = subprocess.run(
        [*command(cli), *cli.words(case, first=first)],
        cwd=folders.work,
        env={**environment(folders), **cli.variables(case)},
        input=prompt,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        timeout=PROMPT_SECONDS,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{cli.name} ended with {done.returncode}: {complaint(done.stderr)}")
    return done.stdout.strip()


def complaint(said: str) -> str:
    """Return the last line that speaks of an error, else the last: a CLI also prints its work."""
    lines = [line.strip() for line in said.split("\n") if line.strip()]
    return next((line for line in reversed(lines) if "error" in line.lower()), (lines or [""])[-1])


def command(cli: Cli) -> Sequence[str]:
    """Return the words that start a CLI; a script needs node."""
    found = cache(cli.name).glob(cli.program)
    program = min(found, key=lambda path: len(str(path)), default=None)
    if program is None:
        sys.exit(
            f"{cli.name} {version(cli.name)} is not in {cache(cli.name)}: "
            f"python {Path(__file__).name} install {cli.name}"
        )
    return ["node", str(program)] if program.suffix == ".js" else [str(program)]


def environment(folders: Scratch) -> dict[str, str]:
    """Return an environment without your home, your keys and your settings."""
    return {
        "PATH": os.environ["PATH"],
        "LANG": os.environ.get("LANG", "C.UTF-8"),
        "TERM": "dumb",
        "CI": "1",
        "NO_COLOR": "1",
        "HOME": str(folders.home),
        "TMPDIR": str(folders.temporary),
        "npm_config_registry": NOBODY,  # opencode fetches a package at each start, else
    }


if __name__ == "__main__":
    if sys.argv[1:2] != ["install"]:
        sys.exit("usage: python running.py install NAME [NAME ...]")
    for one in sys.argv[2:]:
        install(one)

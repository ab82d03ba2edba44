"""The page on auditing what one has, and the README's first screen: their commands run."""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path

import pytest
from tests.cli.test_scan import scan

ROOT = Path(__file__).parents[1]
SESSIONS = Path("examples") / "audit" / "projects"
MAKE = ROOT / "examples" / "audit" / "make_sessions.py"
PAGE = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
LEFT_OUT = "…"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sessions at the place at which the pages name them."""
    path = tmp_path_factory.mktemp("checkout")
    shutil.copytree(ROOT / SESSIONS, path / SESSIONS)
    return path


def blocks(kind: str, text: str = PAGE) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)


def run(words: Sequence[str], folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "ullage", *words], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def stripped(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines()]


def in_order(wanted: Sequence[str], lines: Sequence[str]) -> bool:
    """Whether lines stand among others in their order; a mark stands for any of them."""
    rest = iter(lines)
    return all(line in rest for line in wanted if line != LEFT_OUT)


def test_the_sessions_are_what_their_program_writes(tmp_path: Path) -> None:
    subprocess.run([sys.executable, MAKE, tmp_path / "projects"], check=True)

    written = {one.relative_to(tmp_path): one.read_bytes() for one in files(tmp_path)}
    kept = ROOT / SESSIONS.parent
    assert written == {one.relative_to(kept): one.read_bytes() for one in files(kept / "projects")}


def files(folder: Path) -> list[Path]:
    return [one for one in folder.rglob("*") if one.is_file()]


def test_every_command_of_the_page_runs_and_prints_what_the_page_shows(folder: Path) -> None:
    commands = [shlex.split(line) for block in blocks("sh") for line in block.splitlines()]
    printed = [line for words in commands for line in stripped(run(words[1:], folder))]

    assert len(commands) == 6
    assert all(words[0] == "ullage" for words in commands)
    for block in blocks("text"):
        assert in_order(stripped(block), printed), block


def test_the_python_of_the_page_runs(folder: Path) -> None:
    (example,) = blocks("python")

    with chdir(folder):
        exec(compile(example, "audit.md", "exec"), {"__name__": "example"})


def test_the_first_screen_of_the_readme_is_what_a_scan_prints(folder: Path) -> None:
    sample = blocks("text", README)[0]

    assert sample.startswith("Read: ")
    assert in_order(stripped(sample), stripped(scan(str(SESSIONS), cwd=folder).stdout))

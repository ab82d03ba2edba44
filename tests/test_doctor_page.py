"""The page on the doctor: its commands run, and print what it says."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[1] / "docs" / "doctor.md").read_text(encoding="utf-8")
LEFT_OUT = "…"


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


def printed(words: str, folder: Path) -> list[str]:
    ullage, *arguments = shlex.split(words)
    assert ullage == "ullage"
    clean = {
        name: value
        for name, value in os.environ.items()
        if name not in ("VIRTUAL_ENV", "PYTHONPATH")
    }
    done = subprocess.run(
        [sys.executable, "-m", "ullage", *arguments],
        cwd=folder,
        env={**clean, "PATH": str(folder), "HOME": str(folder)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def same(wanted: str, line: str) -> bool:
    """Whether a line is the one of the page; a mark at its end stands for the rest."""
    if wanted.endswith(LEFT_OUT):
        return line.startswith(wanted.removesuffix(LEFT_OUT))
    return line == wanted


def in_order(wanted: list[str], lines: list[str]) -> bool:
    rest = iter(lines)
    return all(any(same(one, line) for line in rest) for one in wanted if one != LEFT_OUT)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "words"), [*enumerate(blocks("sh"))])
def test_each_command_prints_what_the_page_says(number: int, words: str, tmp_path: Path) -> None:
    for source in blocks("python"):
        name = source.splitlines()[0].removeprefix("# ")
        (tmp_path / name).write_text(source, encoding="utf-8")

    lines = printed(words, tmp_path)

    assert in_order(blocks("text")[number].splitlines(), lines), "\n".join(lines)

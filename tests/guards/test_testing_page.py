"""The tutorial on testing, carried out: the test fails with what the page says, then passes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "testing.md"


def blocks() -> list[tuple[str, str]]:
    """The files of the page in their order, each under the name in its first line."""
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(r"```python\n# (\S+\.py)\n(.*?)```", text, re.DOTALL)


def printed_by(folder: Path, name: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=short", name],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.mark.slow
def test_the_tutorial_fails_as_it_says_and_passes_once_it_is_fixed(tmp_path: Path) -> None:
    (program, broken), (test, asked), (_, fixed), *_ = blocks()
    (said,) = re.findall(r"```text\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "conftest.py").touch()  # its folder is where `report` is imported from
    (tmp_path / program).write_text(broken, encoding="utf-8")
    (tmp_path / test).write_text(asked, encoding="utf-8")

    code, printed = printed_by(tmp_path, test)
    assert code == 1
    assert [line for line in said.splitlines() if line not in printed] == []

    (tmp_path / program).write_text(fixed, encoding="utf-8")
    code, printed = printed_by(tmp_path, test)
    assert code == 0, printed


@pytest.mark.slow
def test_the_tests_of_single_runs_pass(tmp_path: Path) -> None:
    name, test = blocks()[3]
    (tmp_path / name).write_text(test, encoding="utf-8")

    code, printed = printed_by(tmp_path, name)
    assert code == 0, printed

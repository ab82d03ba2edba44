"""The page on the probe, carried out: its agent loses what the page says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[1] / "docs" / "probe.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"```sh\n(ullage probe run .*? my_agent\.py \{prompt\})\n```", PAGE)
PRINTED = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
(AGENT,) = re.findall(r"```python\n# my_agent\.py\n(.*?)```", PAGE, re.DOTALL)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="process groups of POSIX"),
]


def carried_out(command: str, folder: Path) -> str:
    words = command.split()
    assert words[0] == "ullage"
    python = {"python": sys.executable}
    done = subprocess.run(
        [sys.executable, "-m", "ullage", *(python.get(word, word) for word in words[1:])],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.replace(sys.executable, "python")


def test_the_agent_of_the_page_loses_what_the_page_says(tmp_path: Path) -> None:
    (tmp_path / "my_agent.py").write_text(AGENT, encoding="utf-8")

    printed = carried_out(COMMANDS[0], tmp_path)

    assert [line for line in PRINTED[0].splitlines() if line not in printed] == []


def test_the_limit_of_the_page_is_found(tmp_path: Path) -> None:
    # Without the time that the SDK takes to load, which some twenty starts would take again.
    program = Path(__file__).parent / "probe" / "harnesses" / "dots.py"
    (tmp_path / "my_agent.py").write_text(program.read_text(encoding="utf-8"), encoding="utf-8")

    printed = carried_out(COMMANDS[1], tmp_path)

    assert [line for line in PRINTED[1].splitlines() if line not in printed] == []


def test_the_fix_of_the_page_leaves_no_broken_result(tmp_path: Path) -> None:
    fixed = AGENT.replace('result[:6000] + "…"', "ullage.cut(result, ullage.chars(6000)).text")
    assert fixed != AGENT
    (tmp_path / "my_agent.py").write_text(f"import ullage\n{fixed}", encoding="utf-8")

    printed = carried_out(COMMANDS[0], tmp_path)

    assert "invalid-syntax" not in printed
    assert "partial · notice: counted" in printed

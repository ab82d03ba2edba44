"""What the child of `ullage run` gets in its environment."""

import os
from pathlib import Path

from ullage.cli import child
from ullage.tap.auto import STARTUP


def test_the_hook_stands_before_the_childs_own_python_path() -> None:
    changed = child.changes({}, Path("my.ledger"), "r", {"PYTHONPATH": "src"}, tap="auto")

    assert changed["PYTHONPATH"] == f"{STARTUP}{os.pathsep}src"


def test_without_a_python_path_the_hook_is_all_of_it() -> None:
    # An empty entry would be the working directory.
    changed = child.changes({}, Path("my.ledger"), "r", {"PYTHONPATH": ""}, tap="auto")

    assert changed["PYTHONPATH"] == str(STARTUP)


def test_with_the_tap_off_the_python_path_is_left_alone() -> None:
    changed = child.changes({}, Path("my.ledger"), "r", {"PYTHONPATH": "src"}, tap="off")

    assert "PYTHONPATH" not in changed

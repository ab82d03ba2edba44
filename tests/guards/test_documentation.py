"""Every command and option is documented, and the documents' examples run."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

import ullage
from ullage.cli.main import COMMANDS
from ullage.cli.main import ullage as root

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "commands.md"
GENERATE = ROOT / "docs" / "generate.py"


def commands() -> dict[str, click.Command]:
    """Every command and sub-command by its full name."""
    found: dict[str, click.Command] = {}
    for name, module in COMMANDS.items():
        command = importlib.import_module(module).command
        found[name] = command
        if isinstance(command, click.Group):
            found |= {f"{name} {inner}": sub for inner, sub in command.commands.items()}
    return found


@pytest.mark.parametrize("name", sorted(commands()))
def test_a_command_says_what_it_does_with_an_example(name: str) -> None:
    command = commands()[name]

    assert command.help
    assert isinstance(command, click.Group) or f"ullage {name}" in command.help


def test_every_option_says_what_it_is_for() -> None:
    silent = [
        f"{name} {option.opts[0]}"
        for name, command in commands().items()
        for option in command.params
        if isinstance(option, click.Option) and not option.help
    ]
    assert silent == []


def test_the_reference_is_what_help_prints() -> None:
    # In a process of its own: click remembers how a command was first asked for its help.
    code = f"import runpy; print(runpy.run_path({str(GENERATE)!r})['reference'](), end='')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert REFERENCE.read_text(encoding="utf-8") == done.stdout, "run make docs"


def test_every_public_name_stands_in_the_library_reference() -> None:
    text = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")

    assert [name for name in ullage.__all__ if f"`{name}" not in text] == []


def test_every_finding_of_a_check_stands_in_the_reference() -> None:
    text = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
    checks = importlib.import_module("ullage.checks.scan").NAMES

    assert [name for name in checks if f"`{name}`" not in text] == []


def test_every_check_has_a_row_in_the_catalog() -> None:
    checks = importlib.import_module("ullage.checks.scan").NAMES
    rules = importlib.import_module("ullage.checks.catalog").RULES

    assert [name for name in checks if name not in rules] == []


@pytest.mark.parametrize("page", ["docs/compact.md", "docs/library.md", "docs/recall.md"])
def test_the_python_examples_of_a_page_run(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", text, re.DOTALL)

    assert examples
    for example in examples:
        exec(compile(example, page, "exec"), {"__name__": "example"})


def test_the_readme_names_every_command() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    assert [
        name for name in root.list_commands(click.Context(root)) if f"ullage {name}" not in text
    ] == []

"""Write docs/commands.md from what `--help` prints: run by `make docs`, checked by a test."""

import importlib
from pathlib import Path

import click

from ullage.cli.main import COMMANDS

HEAD = """# Commands

Written by `make docs` from what `--help` prints. Exit codes: 0 done; 1 findings, only with
`--fail-on`; 2 wrong usage or settings; 3 could not do it. Data goes to stdout, words to stderr.
"""


def reference() -> str:
    """Return the page."""
    return HEAD + "".join(sections())


def sections() -> list[str]:
    """Return one section a command, sub-commands after their group."""
    found = []
    for name, module in sorted(COMMANDS.items()):
        command = importlib.import_module(module).command
        found.append(section(name, command))
        if isinstance(command, click.Group):
            found += [
                section(f"{name} {sub}", one) for sub, one in sorted(command.commands.items())
            ]
    return found


def section(name: str, command: click.Command) -> str:
    """Return one command's help as a section."""
    context = click.Context(
        command,
        info_name=f"ullage {name}",
        terminal_width=100,
        help_option_names=["-h", "--help"],
    )
    return f"\n## ullage {name}\n\n```text\n{command.get_help(context)}\n```\n"


if __name__ == "__main__":
    Path(__file__).with_name("commands.md").write_text(HEAD + "".join(sections()), encoding="utf-8")

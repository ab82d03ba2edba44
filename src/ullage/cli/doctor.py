"""`ullage doctor`: the context settings in force in an environment."""

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import click
from rich.console import Console

from ullage.cli.gate import root_of
from ullage.cli.nearest import nearest
from ullage.cli.options import Output, format_option
from ullage.cli.output import print_document
from ullage.cli.printable import printable
from ullage.doctor.environment import folders_of
from ullage.doctor.look import CLIS, diagnose, hits
from ullage.doctor.node import modules_in
from ullage.doctor.surroundings import Surroundings
from ullage.report.doctor import print_diagnosis
from ullage.transcript.words import Boundary, Severity

FOUND = 1
WORDS = (*get_args(Severity), *get_args(Boundary))


@click.command("doctor", short_help="Show the context settings in force, and which lose data.")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option(
    "--python",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="The interpreter or folder of the environment to look in. Without it: the active virtual"
    " environment, else the one that ullage runs in.",
)
@click.option(
    "--node",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="A folder with a node_modules to look in for coding CLIs, besides those on the path.",
)
@click.option(
    "--fail-on",
    metavar="SEVERITY|BOUNDARY",
    multiple=True,
    help="Exit 1 on an item of this severity or above (note, warning, error), or on one in force at"
    " this boundary.",
)
@format_option
def command(
    folder: Path | None,
    python: Path | None,
    node: Path | None,
    fail_on: tuple[str, ...],
    output: Output,
) -> int:
    """Show the context settings in force, which of them lose data, and how to switch that off.

    Of the agent frameworks and coding CLIs that are installed. None of them is imported: each value
    is read from the installed file, with its line. Settings of yours that win over a default are
    read too (Claude Code, Codex, opencode, pi, Qwen Code, Gemini CLI, variables).

    With FOLDER, its Python files are read for layers that lose data, such as
    SummarizationMiddleware, and for results cut by position, such as json.dumps(rows)[:6000].

    An error is a loss that nobody is told of, a warning one that the model is told of. A note is
    one that happens only once it is asked for or could not be confirmed, or another form of all.

    \b
    Example:
      ullage doctor
      ullage doctor src --python .venv/bin/python
      ullage doctor src --fail-on error
      ullage doctor --node ~/my-app --format json
    """
    for word in fail_on:
        if word not in WORDS:
            said = f"{word!r} is neither a severity nor a boundary: {nearest(word, WORDS)}"
            raise click.BadParameter(said, param_hint="--fail-on")
    start = (folder or Path.cwd()).absolute()
    project = root_of(start.parent if start.is_file() else start)
    found = diagnose(
        places(python, os.environ),
        Surroundings(environment=os.environ, home=Path.home(), folder=project),
        commands=on_the_path(),
        modules=modules_in(node) if node else None,
        code=folder,
    )
    if output == "json":
        print_document("ullage.doctor/1", found.to_dict())
    else:
        print_diagnosis(Console(file=printable(sys.stdout), highlight=False, soft_wrap=True), found)
    return FOUND if any(hits(item, word) for item in found.items for word in fail_on) else 0


def places(python: Path | None, environment: Mapping[str, str]) -> list[Path]:
    """Return the folders of packages to look in. Raises LoadError where there are none."""
    if python is not None:
        found = None if python.exists() else shutil.which(python)
        return folders_of(Path(found) if found else python)
    active = Path(environment.get("VIRTUAL_ENV", ""))
    if environment.get("VIRTUAL_ENV") and active.is_dir():
        return folders_of(active)
    return [Path(one) for one in sys.path if Path(one).name in ("site-packages", "dist-packages")]


def on_the_path() -> dict[str, Path]:
    """Return the files of the coding CLIs that are on the path, by the name of their command."""
    names = [name for one in CLIS for name in one.commands]
    return {name: Path(found) for name in names if (found := shutil.which(name))}

"""What every command prints the same way: JSON documents to stdout, words to stderr."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO

import click

from ullage.errors import LoadError

if TYPE_CHECKING:
    from rich.console import Console

# Where nobody looks at a terminal, lines are as long as they are.
WIDE = 200


def print_document(schema: str, members: Mapping[str, object]) -> None:
    """Print one JSON document whose first member names its schema, such as `ullage.cut/1`."""
    click.echo(json.dumps({"schema": schema, **members}, ensure_ascii=True))


@contextmanager
def written_to(path: Path | None) -> Iterator[TextIO]:
    """Open what a report is written to: a file, or stdout. Raises LoadError."""
    try:
        with path.open("w", encoding="utf-8") if path else nullcontext(sys.stdout) as file:
            yield file
    except OSError as error:
        raise LoadError(f"cannot write {path}: {error.strerror or error}") from error


def tables() -> "Console":
    """Return what prints tables to stdout: as wide as the terminal, wide where there is none."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else WIDE
    return Console(highlight=False, width=width)


def print_exactly(text: str) -> None:
    """Print a text as UTF-8, byte for byte; only a terminal gets a line end that it lacks."""
    out: BinaryIO = sys.stdout.buffer
    out.write(text.encode("utf-8", "surrogatepass"))
    if sys.stdout.isatty() and not text.endswith("\n"):
        out.write(b"\n")
    out.flush()


def say(words: str) -> None:
    """Print words for people."""
    click.echo(words, err=True)

"""What every command prints the same way: JSON documents to stdout, words to stderr."""

import json
import sys
from collections.abc import Mapping
from typing import BinaryIO

import click


def print_document(schema: str, members: Mapping[str, object]) -> None:
    """Print one JSON document whose first member names its schema, such as `ullage.cut/1`."""
    click.echo(json.dumps({"schema": schema, **members}, ensure_ascii=True))


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

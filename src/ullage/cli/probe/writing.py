"""The forms of a probe's report, each written to a file or to stdout."""

import json
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, TextIO

from rich.console import Console

from ullage.cli.output import WIDE, written_to
from ullage.cli.printable import printable
from ullage.report.probe import Probed, print_probe, probe_document, probe_markdown

Form = Literal["text", "json", "md"]


def temporary() -> "tempfile.TemporaryDirectory[str]":
    """Make a folder for the ledger that nobody wants to keep."""
    return tempfile.TemporaryDirectory(prefix="ullage-probe-", ignore_cleanup_errors=True)


def write_words(file: TextIO, probed: Probed) -> None:
    """Write words for people."""
    width = None if file.isatty() else WIDE
    print_probe(Console(file=printable(file), highlight=False, width=width), probed)


def write_json(file: TextIO, probed: Probed) -> None:
    """Write `ullage.probe/1`."""
    file.write(json.dumps(probe_document(probed), ensure_ascii=True) + "\n")


def write_markdown(file: TextIO, probed: Probed) -> None:
    """Write a table in Markdown."""
    file.write(probe_markdown(probed))


WRITE: Mapping[Form, Callable[[TextIO, Probed], None]] = {
    "text": write_words,
    "json": write_json,
    "md": write_markdown,
}


def write(probed: Probed, form: Form, output: Path | None) -> None:
    """Write the report to stdout or into a file."""
    with written_to(output) as file:
        WRITE[form](file, probed)

"""The forms of a scan's report, each written to a file or to stdout."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, TextIO, get_args

import click
from rich.console import Console

from ullage.cli.output import written_to
from ullage.cli.printable import printable
from ullage.report.audit import Audit
from ullage.report.document import scan_document
from ullage.report.github import github_text
from ullage.report.junit import junit_text
from ullage.report.markdown import markdown_text
from ullage.report.sarif import sarif_members
from ullage.report.scan import print_scan

SCHEMA = "ullage.scan/1"
Form = Literal["text", "json", "sarif", "junit", "md", "html", "github"]
FORMS = get_args(Form)


def write_words(file: TextIO, audit: Audit) -> None:
    """Write words for people."""
    console = Console(file=printable(file), highlight=False, soft_wrap=True)
    items = audit.items if audit.checklist else ()
    print_scan(console, audit.scan, audit.gate, audit.places, items)


def write_json(file: TextIO, audit: Audit) -> None:
    """Write `ullage.scan/1`."""
    members = {
        "schema": SCHEMA,
        **scan_document(audit.scan),
        "findings": [one.to_dict() for one in audit.gate.judged],
        "gate": audit.gate.to_dict(),
        "checklist": [one.to_dict() for one in audit.items],
    }
    file.write(json.dumps(members, ensure_ascii=True) + "\n")


def write_sarif(file: TextIO, audit: Audit) -> None:
    """Write SARIF 2.1.0."""
    file.write(json.dumps(sarif_members(audit), ensure_ascii=True, indent=1) + "\n")


def write_junit(file: TextIO, audit: Audit) -> None:
    """Write JUnit XML."""
    file.write(junit_text(audit))


def write_markdown(file: TextIO, audit: Audit) -> None:
    """Write Markdown."""
    file.write(markdown_text(audit))


def write_page(file: TextIO, audit: Audit) -> None:
    """Write the page that `ullage report` writes."""
    file.write(audit.page())


def write_github(file: TextIO, audit: Audit) -> None:
    """Write workflow commands."""
    file.write(github_text(audit))


WRITE: Mapping[Form, Callable[[TextIO, Audit], None]] = {
    "text": write_words,
    "json": write_json,
    "sarif": write_sarif,
    "junit": write_junit,
    "md": write_markdown,
    "html": write_page,
    "github": write_github,
}


def write(audit: Audit, form: Form, to: Path | None) -> None:
    """Write a report in one form, to a file or to stdout."""
    with written_to(to) as file:
        WRITE[form](file, audit)


def read_also(words: tuple[str, ...]) -> list[tuple[Form, Path]]:
    """Return the forms and files of --also."""
    found = []
    for word in words:
        name, _, path = word.partition("=")
        form = next((one for one in FORMS if one == name), None)
        if form is None or not path:
            raise click.BadParameter(
                f"{word!r}: write FORM=FILE, such as sarif=ullage.sarif; the forms are "
                f"{', '.join(FORMS)}",
                param_hint="--also",
            )
        found.append((form, Path(path)))
    return found

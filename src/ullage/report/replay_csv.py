"""A replay as comma-separated values: a row for each rate."""

import csv
from typing import TextIO

from ullage.policies.replayed import Replayed
from ullage.report.replay_rows import Row, rows_of
from ullage.report.spelled import spelled

FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20")
"""A spreadsheet takes a text that begins so for a formula, and a tool may have any name. The wide
forms are taken so where Chinese or Japanese is written (OWASP, CSV Injection)."""


def write_csv(found: Replayed, file: TextIO) -> None:
    """Write a head with the names of `Row`, then its rows; nothing stands for None."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(Row._fields)
    for row in rows_of(found):
        writer.writerow([plain(cell) if isinstance(cell, str) else cell for cell in row])


def plain(text: str) -> str:
    """Return a text that is printable, and no formula: an apostrophe stands before one.

    White space before it is passed over by some spreadsheets. A text that begins with an apostrophe
    itself gets another, so that taking one away gives the text back.
    """
    shown = spelled(text, keep="\n\t")
    return f"'{shown}" if shown.lstrip().startswith(("'", *FORMULA)) else shown

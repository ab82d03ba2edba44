"""What is told of a result, before anybody knows whether in a terminal or as Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A table: as many cells a row as in its head; the first `words` columns are no figures."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int


Block = str | Sheet
"""A line, or a table."""

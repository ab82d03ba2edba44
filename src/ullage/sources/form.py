"""What a form of files is: a row of the table in forms.py."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ullage.sources.opened import Opened
from ullage.sources.record import Record


def no_file(_: Path) -> bool:
    """Say of every file that it is none of a form's side files."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One form: its name for --from, whose files these are, what tells them, and their records.

    `fits` looks at the head of a file of lines, the document of a file that is one, or the first
    bytes and the path of a database (all that is read of one): it must be quick, and sure.
    `records` yields what a file holds and raises LoadError for a file that is of another form after
    all. `aside` says by its path that a file in a folder is read with another one, and is no file
    of its own: a long result that a transcript points to.
    """

    name: str
    what: str
    fits: Callable[[Opened], bool]
    records: Callable[[Opened], Iterator[Record]]
    aside: Callable[[Path], bool] = no_file

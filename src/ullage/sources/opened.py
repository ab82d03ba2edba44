"""A file that is open for reading: its bytes, parsed once, as JSON or as lines; files beside it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TypeGuard

import msgspec

from ullage.errors import LoadError
from ullage.sources.lines import Line, read_lines
from ullage.wire.members import Object

SNIFFED = 30
"""So many lines that are not blank tell of what form a file of lines is."""


@dataclass(frozen=True)
class Opened:
    """One file. `name` is what findings call it; `path` is None for what came through a pipe."""

    name: str
    data: bytes
    path: Path | None = None

    @cached_property
    def document(self) -> object:
        """The file as one JSON document; `NO_DOCUMENT` where it is none."""
        text = self.data.strip()
        if text[:1] not in (b"{", b"["):
            return NO_DOCUMENT
        first, _, rest = text.partition(b"\n")
        # At the price of one line: many lines are read once only.
        if rest and parsed(first) is not NO_DOCUMENT:
            return NO_DOCUMENT
        return parsed(self.data)

    @cached_property
    def head(self) -> Sequence[Object]:
        """The objects of the first lines, by which the form of a file of lines is told."""
        lines = islice(self.lines(), SNIFFED)
        return [one for line in lines for one in line.values if is_object(one)]

    @property
    def one_line(self) -> bool:
        """Whether a document is the only line of its file, which may be a file of lines."""
        return b"\n" not in self.data.strip()

    def lines(self) -> Iterator[Line]:
        """Give the lines that are not blank, damaged ones too."""
        return read_lines(self.data)

    def beside(self, *names: str, up: int = 0) -> "Opened | None":
        """Open a file below the folder of this one, or `up` folders above; None if there is none.

        Names inside a transcript are somebody's data: what leads out of the folder is not opened.
        How far up is for the form to say, by how its files lie, and never for a transcript.
        """
        if self.path is None:
            return None
        folder = self.path.resolve().parents[up] if up < len(self.path.resolve().parents) else None
        if folder is None:
            return None
        path = folder.joinpath(*names).resolve()
        if not path.is_relative_to(folder) or not path.is_file():
            return None
        try:
            return Opened(str(path), path.read_bytes(), path)
        except OSError as error:
            raise LoadError(f"{path}: {error.strerror or error}: cannot be read") from error


NO_DOCUMENT = object()


def parsed(data: bytes) -> object:
    """Parse JSON; `NO_DOCUMENT` where it is none."""
    try:
        return msgspec.json.decode(data)
    except (ValueError, RecursionError):
        pass  # also what only it refuses: NaN, half of a surrogate pair, very deep values
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return NO_DOCUMENT


def is_object(value: object) -> TypeGuard[Object]:
    """Whether a value is a JSON object."""
    return isinstance(value, dict)

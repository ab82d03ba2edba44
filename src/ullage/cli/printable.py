"""A terminal or file that is given only what can be shown: names and texts are other people's."""

import io
import re
from typing import IO, TextIO, cast

from ullage.report.spelled import spelled

# What rich itself writes: colours. It can hide nothing and move nothing.
_COLOUR = re.compile(r"(\x1b\[[0-9;]*m)")


class Printable(io.TextIOBase):
    """Hands on to another file what is written, control characters and such spelled out."""

    def __init__(self, file: TextIO) -> None:
        self.file = file

    def write(self, text: str, /) -> int:
        """Write a text; colours stay, and so do line ends and tabs."""
        parts = _COLOUR.split(text)
        return self.file.write(
            "".join(part if at % 2 else spelled(part, "\n\t\r") for at, part in enumerate(parts))
        )

    def flush(self) -> None:
        """Flush the other file."""
        self.file.flush()

    def isatty(self) -> bool:
        """Whether the other one is a terminal."""
        return self.file.isatty()

    def fileno(self) -> int:
        """Return the number of the other one, by which its width is found."""
        return self.file.fileno()


def printable(file: TextIO) -> IO[str]:
    """Return a file that hands on to another one what can be shown."""
    return cast("IO[str]", Printable(file))

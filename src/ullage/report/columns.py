"""Tables for other programs: their columns, each with its kind and what it means."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "whole", "number", "truth", "time", "bytes"]
"""What a column holds. `whole` fits in 64 bits; `time` is in seconds since the epoch (UTC), and is
written as a moment, to the microsecond. Each may hold nothing, too."""

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: its name, what it holds, and what that means, in words."""

    name: str
    kind: Kind
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table: what one row of it is, and its columns in their order."""

    name: str
    about: str
    columns: tuple[Column, ...]

"""What a look at an environment found: values in force, losses, and what to do about each."""

from collections.abc import Sequence
from dataclasses import dataclass

from ullage.doctor.entry import Loss, Standing
from ullage.transcript.words import Boundary, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A setting's value in force.

    `value` is None where it was not found; then `known` and `known_in` say what it once was, and
    in which version. `path` and `line` are where it stands; `source` where it is published, if no
    installed file holds it. `chosen` is true where the user set it.
    """

    name: str
    value: str | None
    unit: str
    known: str
    known_in: str
    path: str | None = None
    line: int | None = None
    source: str | None = None
    chosen: bool = False

    def to_dict(self) -> dict[str, object]:
        """Return the members of a value in a document."""
        return {
            "name": self.name,
            "value": self.value,
            "unit": self.unit or None,
            "path": self.path,
            "line": self.line,
            "source": self.source,
            "chosen": self.chosen,
            "known": {"value": self.known, "version": self.known_in},
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that loses context, or could: in a package, or in the user's own code.

    `of` is the package, or the name that the code uses. `path` and `line` are set for code.
    """

    key: str
    of: str
    version: str
    boundary: Boundary
    loss: Loss
    standing: Standing
    severity: Severity | None
    what: str
    remedy: str
    values: Sequence[Value] = ()
    path: str | None = None
    line: int | None = None

    def to_dict(self) -> dict[str, object]:
        """Return the members of an item in a document."""
        return {
            "key": self.key,
            "of": self.of,
            "version": self.version or None,
            "severity": self.severity,
            "boundary": self.boundary,
            "loss": self.loss,
            "standing": self.standing,
            "what": self.what,
            "values": [one.to_dict() for one in self.values],
            "path": self.path,
            "line": self.line,
            "remedy": self.remedy or None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """A package that the table knows, as it is installed."""

    name: str
    version: str
    read_version: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """Everything that was found, worst first.

    `looked_in` are the folders of packages; `code` is None where no folder was given, else the
    number of Python files read, and `unread` those that could not be.
    """

    looked_in: Sequence[str]
    packages: int
    installed: Sequence[Installed]
    items: Sequence[Item]
    code: int | None = None
    unread: Sequence[str] = ()

    def to_dict(self) -> dict[str, object]:
        """Return the members of `ullage.doctor/1`."""
        return {
            "looked_in": list(self.looked_in),
            "packages": self.packages,
            "installed": [
                {
                    "name": one.name,
                    "version": one.version,
                    "read_version": one.read_version,
                    "note": one.note or None,
                }
                for one in self.installed
            ],
            "items": [one.to_dict() for one in self.items],
            "code": None if self.code is None else {"files": self.code, "unread": [*self.unread]},
        }

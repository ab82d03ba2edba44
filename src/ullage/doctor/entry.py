"""The words of a table entry: a framework, what it does with context, where values stand."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ullage.transcript.words import Boundary, Severity

Loss = Literal["silent", "said", "changed", "none"]
"""What happens: gone and nobody says so; gone and the model is told; all there in another form;
nothing."""

Standing = Literal["on", "off", "unknown"]
"""Whether a loss is in force: by default; only once it is asked for; its source has changed."""

READ_ON = "2026-11"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A value in a package's files.

    `file` is below the folder that packages are installed in (`*` for a name that a build makes).
    `symbol` names a Python value: `NAME`, `Class.NAME`, `function.local`, `Class.method(argument)`.
    `pattern`, in other files and for code, is a regular expression whose group is the value.
    `known` is the value in the version that was read.
    """

    file: str
    known: str
    symbol: str = ""
    pattern: str = ""
    unit: str = ""
    label: str = ""

    @property
    def name(self) -> str:
        """What the value is called in words."""
        return self.label or self.symbol.rstrip(")").replace("(", ".").rpartition(".")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """A setting of the user that wins over a default.

    `place` names a kind of file (`overrides.py` says where it is looked for), or `environment`.
    `off` are the values that switch the loss off.
    """

    place: str
    keys: Sequence[str]
    off: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One thing that a framework does with context.

    `default` is whether it happens without being asked for. `holds` is the value of the first spot
    under which `what` is true, for a switch; another value means that the default has changed.
    `source` says where a figure is published that no installed file holds.
    """

    key: str
    boundary: Boundary
    loss: Loss
    what: str
    remedy: str
    default: bool = True
    spots: Sequence[Spot] = ()
    holds: str = ""
    overrides: Sequence[Override] = ()
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Framework:
    """A package by the name that its registry knows it by, and what was read in which version.

    `note` says what there is to say where nothing is lost by default.
    """

    distribution: str
    version: str
    settings: Sequence[Setting] = ()
    note: str = ""
    commands: Sequence[str] = ()
    read_on: str = READ_ON


def severity(loss: Loss, standing: Standing) -> Severity | None:
    """Return how much a loss matters; None where there is none."""
    if standing == "unknown":
        return "note"
    if loss == "none":
        return None
    if standing == "off" or loss == "changed":
        return "note"
    return "error" if loss == "silent" else "warning"

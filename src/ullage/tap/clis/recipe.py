"""The words of a recipe: the addresses that a CLI asks, and what makes it ask elsewhere."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Where a CLI is started: its words, its environment, and where it looks for its settings."""

    words: Sequence[str]
    environment: Mapping[str, str]
    home: Path
    folder: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An address that a CLI asks a model at: the setting's name, its value, where that is from."""

    name: str
    url: str
    found_in: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What is set for the child and for nobody else.

    `arguments` go behind the command's first word. `files` are written into a folder that is taken
    away afterwards, and the variable of each name gets its path.
    """

    variables: Mapping[str, str] = field(default_factory=dict)
    arguments: Sequence[str] = ()
    files: Mapping[str, str] = field(default_factory=dict)


def nothing(_: Mapping[str, str]) -> Setup:
    """Set nothing."""
    return Setup()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What a CLI needs. `setup` takes the new address of each endpoint by its name.

    `notes` say what is known about the CLI and cannot be set.
    """

    endpoints: Sequence[Endpoint] = ()
    setup: Callable[[Mapping[str, str]], Setup] = nothing
    notes: Sequence[str] = ()


Reader = Callable[[Surroundings], Recipe]

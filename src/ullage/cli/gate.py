"""What a scan is held against: `[tool.ullage]` in files, and the baseline."""

import difflib
import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from ullage.checks.baseline import SCHEMA, read_baseline
from ullage.checks.gate import Gate
from ullage.checks.places import Places
from ullage.checks.suppress import Suppression, read_suppression
from ullage.cli.config import layers
from ullage.cli.nearest import nearest
from ullage.cli.verdict import SEVERITIES
from ullage.errors import ConfigError, LoadError

T = TypeVar("T")

# What other commands read from the same table.
OTHER_KEYS = ("keep", "max_size", "tools")


@dataclass(frozen=True, slots=True, kw_only=True)
class GateSettings:
    """What `[tool.ullage]` says of a gate; nothing leaves it to the command."""

    fail_on: tuple[str, ...] = ()
    baseline: Path | None = None
    exclude: tuple[str, ...] = ()
    suppressions: tuple[Suppression, ...] = ()


def gate_settings(folder: Path, checks: Collection[str]) -> GateSettings:
    """Return the settings of the nearest files at or above `folder`, ullage.toml over pyproject.

    Raises ConfigError for a key or a value that is wrong, with the file that it stands in.
    """
    settings = GateSettings()
    for path, table in layers(folder):
        for key, value in table.items():
            settings = applied(settings, key, value, path, checks)
    return settings


def applied(
    settings: GateSettings, key: str, value: object, path: Path, checks: Collection[str]
) -> GateSettings:
    """Return the settings with one key of a file."""
    known = (*READ, *OTHER_KEYS)
    if key not in known and (near := difflib.get_close_matches(key, known, 1)):
        raise ConfigError(f"{path}: [tool.ullage] {key}: no such key: did you mean {near[0]}?")
    if key not in READ:
        return settings
    try:
        return READ[key](settings, value, path, checks)
    except ValueError as error:
        raise ConfigError(f"{path}: [tool.ullage] {key}: {error}") from error


def fail_on(
    settings: GateSettings, value: object, path: Path, checks: Collection[str]
) -> GateSettings:
    """Read severities and checks."""
    words = listed(value, str, 'write fail-on = ["error"]')
    for word in words:
        if word not in SEVERITIES and word not in checks:
            meant = nearest(word, [*SEVERITIES, *checks])
            raise ValueError(f"{word!r} is neither a severity nor a check: {meant}")
    return replace(settings, fail_on=words)


def baseline(
    settings: GateSettings, value: object, path: Path, checks: Collection[str]
) -> GateSettings:
    """Read the name of a file, from the folder of the file that names it."""
    if isinstance(value, str) and value:
        return replace(settings, baseline=path.parent / value)
    raise ValueError(f'{value!r} is no file: write baseline = "ullage-baseline.json"')


def exclude(
    settings: GateSettings, value: object, path: Path, checks: Collection[str]
) -> GateSettings:
    """Read patterns of files."""
    return replace(settings, exclude=listed(value, str, 'write exclude = ["old/**"]'))


def suppress(
    settings: GateSettings, value: object, path: Path, checks: Collection[str]
) -> GateSettings:
    """Read what is accepted."""
    entries = listed(value, dict, "write [[tool.ullage.suppress]] above the keys of each")
    found = tuple(read_suppression(one, checks) for one in entries)
    return replace(settings, suppressions=found)


Reader = Callable[[GateSettings, object, Path, Collection[str]], GateSettings]
READ: Mapping[str, Reader] = {
    "fail-on": fail_on,
    "baseline": baseline,
    "exclude": exclude,
    "suppress": suppress,
}


def listed(value: object, kind: type[T], remedy: str) -> tuple[T, ...]:
    """Return a list of one kind of value."""
    if isinstance(value, list):
        found = tuple(one for one in value if isinstance(one, kind))
        if len(found) == len(value):
            return found
    raise ValueError(f"{value!r} is not a list of them: {remedy}")


def load_baseline(path: Path, places: Places) -> Counter[str]:
    """Return what a baseline file knows. Raises ConfigError for a file that is none."""
    try:
        return read_baseline(json.loads(path.read_text(encoding="utf-8-sig")), places)
    except FileNotFoundError as error:
        raise ConfigError(
            f"baseline {path}: no such file: write it with ullage scan … --write-baseline {path}"
        ) from error
    except OSError as error:
        raise ConfigError(f"baseline {path}: {error.strerror or error}") from error
    except ValueError as error:  # no UTF-8, no JSON, or not the members
        raise ConfigError(
            f"baseline {path}: {error}: name a file of --write-baseline or of --format json"
        ) from error


def write_baseline(path: Path, gate: Gate) -> None:
    """Write all findings that are not suppressed, one a line, so that a change shows in a diff."""
    members = gate.baseline()
    rows = members.pop("findings")
    assert isinstance(rows, list)
    head = json.dumps({"schema": SCHEMA}).removesuffix("}")
    lines = ",\n".join(json.dumps(one, ensure_ascii=True) for one in rows)
    try:
        path.write_text(f'{head}, "findings": [\n{lines}\n]}}\n', encoding="utf-8")
    except OSError as error:
        raise LoadError(f"cannot write {path}: {error.strerror or error}") from error


def root_of(folder: Path) -> Path:
    """Return the nearest folder at or above that a repository begins in, else the folder."""
    return next((one for one in (folder, *folder.parents) if (one / ".git").exists()), folder)

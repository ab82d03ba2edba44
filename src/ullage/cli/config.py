"""Settings from files: `[tool.ullage]` in pyproject.toml, then ullage.toml, the later one first."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ullage.errors import ConfigError

T = TypeVar("T")

TOOL_KEYS = {"budget", "unit", "model", "keep", "parts", "key"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSettings:
    """How the results of one tool are cut; None and nothing leave it to the command.

    `parts` are paths in the order of their importance: each is whole if it fits, else there is as
    much of it as fits, and all other parts share what is left.
    """

    budget: int | None = None
    unit: str | None = None
    model: str | None = None
    keep: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    key: str | None = None


def read_config(folder: Path) -> dict[str, object]:
    """Return the settings of the nearest files at or above `folder`; nothing where there are none.

    Raises ConfigError for a file that is not TOML.
    """
    settings: dict[str, object] = {}
    for _, table in layers(folder):
        settings |= table
    return settings


def layers(folder: Path) -> Iterator[tuple[Path, dict[str, object]]]:
    """Yield each file of settings at or above `folder` with what it says, the strongest last."""
    for name, table in (("pyproject.toml", ("tool", "ullage")), ("ullage.toml", ())):
        path = nearest(folder, name)
        if path is not None:
            yield path, table_of(load(path), table)


def nearest(folder: Path, name: str) -> Path | None:
    """Return the first file of a name in a folder or above it."""
    for place in (folder, *folder.parents):
        if (place / name).is_file():
            return place / name
    return None


def load(path: Path) -> dict[str, object]:
    """Read a TOML file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not TOML: {error}") from error


def table_of(document: Mapping[str, object], names: tuple[str, ...]) -> dict[str, object]:
    """Return a table inside a document, or nothing."""
    value: object = document
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return dict(value) if isinstance(value, Mapping) else {}


def tool_settings(config: Mapping[str, object], tool: str) -> ToolSettings:
    """Return `[tool.ullage.tools.TOOL]`. Raises ConfigError for a tool or a key that is unknown."""
    tools = table_of(config, ("tools",))
    if tool not in tools:
        known = ", ".join(sorted(tools)) or "none"
        raise ConfigError(f"no settings for tool {tool!r}: [tool.ullage.tools] has {known}")
    table = table_of(tools, (tool,))
    unknown = sorted(set(table) - TOOL_KEYS)
    if unknown:
        raise ConfigError(
            f"[tool.ullage.tools.{tool}] has unknown {', '.join(unknown)}: "
            f"choose {', '.join(sorted(TOOL_KEYS))}"
        )
    return ToolSettings(
        budget=typed(table, "budget", int, tool),
        unit=typed(table, "unit", str, tool),
        model=typed(table, "model", str, tool),
        keep=tuple(map(str, typed(table, "keep", list, tool) or ())),
        parts=read_parts(table, tool),
        key=typed(table, "key", str, tool),
    )


def read_parts(table: Mapping[str, object], tool: str) -> tuple[str, ...]:
    """Return `parts`, each a path; raises ConfigError for anything else."""
    parts = tuple(map(str, typed(table, "parts", list, tool) or ()))
    for one in parts:
        if not one.startswith("$"):
            raise ConfigError(
                f"[tool.ullage.tools.{tool}] parts has {one!r}: write a path such as '$.rows'"
            )
    return parts


def typed(table: Mapping[str, object], key: str, kind: type[T], tool: str) -> T | None:
    """Return a member of the type that it must have, or None where it is absent."""
    value = table.get(key)
    if value is None or isinstance(value, kind):
        return value
    raise ConfigError(
        f"[tool.ullage.tools.{tool}] {key} = {value!r} is not of type {kind.__name__}"
    )

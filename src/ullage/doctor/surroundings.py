"""The user's own settings that win over a default: files of the coding CLIs, and variables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ullage.doctor.entry import Override
from ullage.tap.clis.settings import Settings, at, read_json, read_toml


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """Where settings are looked for: the variables, the user's folder, the project's."""

    environment: Mapping[str, str]
    home: Path
    folder: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A value that the user set, and where."""

    value: str
    where: str
    off: bool


def chosen(one: Override, around: Surroundings) -> Chosen | None:
    """Return what the user set; None where it is left alone."""
    for settings, where in sources(one.place, around):
        value = at(settings, *one.keys)
        if value is not None and not isinstance(value, Mapping):
            word = str(value).lower() if isinstance(value, bool) else str(value)
            return Chosen(value=word, where=where, off=word.lower() in one.off)
    return None


def sources(place: str, around: Surroundings) -> Iterator[tuple[Settings, str]]:
    """Yield the settings of one kind, those that win first."""
    if place == "environment":
        yield dict(around.environment), "your environment"
        return
    for path in files(place, around):
        read = read_toml if path.suffix == ".toml" else read_json
        yield read(path), str(path)


def files(place: str, around: Surroundings) -> list[Path]:
    """Return where one CLI looks for its settings, the files that win first."""
    home, folder, set_to = around.home, around.folder, around.environment
    claude = Path(set_to.get("CLAUDE_CONFIG_DIR") or home / ".claude")
    codex = Path(set_to.get("CODEX_HOME") or home / ".codex")
    config = Path(set_to.get("XDG_CONFIG_HOME") or home / ".config")
    known: Mapping[str, list[Path]] = {
        "claude": [
            folder / ".claude" / "settings.local.json",
            folder / ".claude" / "settings.json",
            claude / "settings.json",
        ],
        "codex": [folder / ".codex" / "config.toml", codex / "config.toml"],
        "opencode": [
            *(folder / f"opencode.{kind}" for kind in ("jsonc", "json")),
            *(config / "opencode" / f"opencode.{kind}" for kind in ("jsonc", "json")),
        ],
        "pi": [folder / ".pi" / "settings.json", home / ".pi" / "agent" / "settings.json"],
        "qwen": [folder / ".qwen" / "settings.json", home / ".qwen" / "settings.json"],
        "gemini": [folder / ".gemini" / "settings.json", home / ".gemini" / "settings.json"],
    }
    return known[place]

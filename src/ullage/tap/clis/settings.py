"""Other programs' settings, read as far as they can be; never written."""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ullage.tap.clis.recipe import Surroundings

Settings = Mapping[str, object]

# A string, which is kept; else a comment, or a comma that nothing comes after.
COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
LAST_COMMA = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])')
DOTENV = re.compile(
    r"""^\s*(?:export\s+)?(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s#]*))""", re.MULTILINE
)


def read_json(path: Path) -> Settings:
    """Read a JSON file, comments and trailing commas allowed; nothing where it cannot be."""
    return json_settings(text_of(path))


def json_settings(text: str) -> Settings:
    """Read settings from a text; nothing where it is no JSON object."""
    plain = COMMENT.sub(lambda found: found.group(1) or " ", text)
    plain = LAST_COMMA.sub(lambda found: found.group(1) or "", plain)
    try:
        return table(json.loads(plain))
    except (ValueError, RecursionError):
        return {}


def read_toml(path: Path) -> Settings:
    """Read a TOML file; nothing where it cannot be."""
    try:
        return tomllib.loads(text_of(path))
    except tomllib.TOMLDecodeError:
        return {}


def text_of(path: Path) -> str:
    """Return a file's text, or nothing: the CLI itself says what is wrong with its settings."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return ""


def table(value: object) -> Settings:
    """Return an object's members; nothing for anything else."""
    return value if isinstance(value, Mapping) else {}


def at(settings: Settings, *names: str) -> object:
    """Return a value inside settings; None where there is none."""
    value: object = settings
    for name in names:
        value = table(value).get(name)
    return value


def text_at(settings: Settings, *names: str) -> str | None:
    """Return a text inside settings; None where there is none, or an empty one."""
    value = at(settings, *names)
    return value if isinstance(value, str) and value else None


def upward(folder: Path, names: Sequence[str]) -> Iterable[Path]:
    """Give the places of files in a folder and above it, the nearest first."""
    for place in (folder, *folder.parents):
        yield from (place / name for name in names)


def variable(name: str, where: Surroundings, own_folder: str) -> tuple[str, str] | None:
    """Return a variable's value and where it is set: the environment, else the first `.env`.

    The CLIs that follow Gemini CLI read the first of these files that is there.
    """
    if value := where.environment.get(name):
        return value, f"your {name}"
    files = [*upward(where.folder, (f"{own_folder}/.env", ".env"))]
    files += [where.home / own_folder / ".env", where.home / ".env"]
    first = next((path for path in files if path.is_file()), None)
    if first is None:
        return None
    for found in DOTENV.finditer(text_of(first)):
        if found.group(1) == name and (value := "".join(filter(None, found.groups()[1:]))):
            return value, str(first)
    return None


def option(words: Sequence[str], *names: str) -> str | None:
    """Return the value of an option in a command line, `--name value` or `--name=value`."""
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word in names:
            return following or None
        for name in names:
            if name.startswith("--") and word.startswith(f"{name}="):
                return word.partition("=")[2] or None
    return None

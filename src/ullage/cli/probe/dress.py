"""What a program gets so that a probe touches nothing of its user's: a home, a folder, settings."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from urllib.parse import urlsplit

from ullage.cli.coding import prepared
from ullage.probe.runner import Dress
from ullage.probe.surroundings import NO_KEYS
from ullage.tap.clis.recipe import Recipe, Surroundings
from ullage.tap.clis.table import recipe_for

XDG = {
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_CACHE_HOME": ".cache",
    "XDG_STATE_HOME": ".local/state",
}
# Where coding CLIs are told to keep what they would keep in the home.
OF_CLIS = (
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
    "GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
    "OPENCODE_CONFIG",
    "OPENCODE_CONFIG_CONTENT",
    "OPENCODE_CONFIG_DIR",
    "QWEN_CODE_SYSTEM_SETTINGS_PATH",
)
# Keys that are none, so that a CLI takes them for its way to log in.
KEYS = {**NO_KEYS, "CODEX_API_KEY": "none"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scratch:
    """A home and a working folder that go away with the probe."""

    home: Path
    work: Path

    def environment(self, present: Mapping[str, str]) -> dict[str, str]:
        """Return an environment whose home is this one."""
        kept = {name: value for name, value in present.items() if name not in OF_CLIS}
        folders = {name: str(self.home / path) for name, path in XDG.items()}
        home = str(self.home)
        return {**kept, "HOME": home, "USERPROFILE": home, **folders, **KEYS}


@contextmanager
def scratch() -> Iterator[Scratch]:
    """Make the folders, and take them away with what was written there."""
    with tempfile.TemporaryDirectory(prefix="ullage-probe-", ignore_cleanup_errors=True) as top:
        made = Scratch(home=Path(top) / "home", work=Path(top) / "work")
        made.home.mkdir()
        made.work.mkdir()
        yield made


def known_cli(
    words: Sequence[str], environment: Mapping[str, str], where: Scratch
) -> Recipe | None:
    """Return what a command needs if it is a coding CLI that we know, without its settings."""
    return recipe_for(
        Surroundings(words=words, environment=environment, home=where.home, folder=where.work)
    )


def is_known(words: Sequence[str]) -> bool:
    """Whether a command is a coding CLI that we know."""
    nowhere = Path("/nonexistent")
    return (
        recipe_for(Surroundings(words=words, environment={}, home=nowhere, folder=nowhere))
        is not None
    )


def dressing(
    words: Sequence[str], environment: Mapping[str, str], where: Scratch | None
) -> "Dressing":
    """Return what dresses a process for a case: a CLI's settings, at the address of the case.

    They are written where the user's own cache is: a CLI may refuse settings below a folder for
    temporary files. They go away with the case.
    """
    recipe = known_cli(words, where.environment(environment), where) if where else None
    return Dressing(recipe=recipe, environment=environment)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dressing:
    """Gives a process what it needs to ask the model at an address."""

    recipe: Recipe | None
    environment: Mapping[str, str]

    @contextmanager
    def __call__(self, root: str) -> Iterator[Dress]:
        """Give the settings; files of them are there as long as the block runs."""
        endpoints = self.recipe.endpoints if self.recipe else ()
        urls = {one.name: root + urlsplit(one.url).path for one in endpoints}
        with prepared(self.recipe, urls, self.environment) as own:
            yield Dress(variables=own.variables, arguments=own.arguments)


def from_anywhere(words: Sequence[str]) -> list[str]:
    """Return a command that is found from another folder too."""
    first = PurePath(words[0])
    if len(first.parts) > 1 and not first.is_absolute():
        return [str(Path(words[0]).absolute()), *words[1:]]
    return [*words]

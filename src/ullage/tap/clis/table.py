"""The CLIs that are known, by the name of their command."""

from collections.abc import Mapping
from pathlib import PurePath

from ullage.tap.clis.claude import claude
from ullage.tap.clis.codex import codex
from ullage.tap.clis.gemini import gemini
from ullage.tap.clis.opencode import opencode
from ullage.tap.clis.qwen import qwen
from ullage.tap.clis.recipe import Reader, Recipe, Surroundings

CLIS: Mapping[str, Reader] = {
    "claude": claude,
    "codex": codex,
    "gemini": gemini,
    "opencode": opencode,
    "qwen": qwen,
}


def recipe_for(where: Surroundings) -> Recipe | None:
    """Return what a command needs; None where it is none of these."""
    name = PurePath(where.words[0]).name
    for ending in (".exe", ".cmd"):
        name = name.removesuffix(ending)
    reader = CLIS.get(name)
    return None if reader is None else reader(where)

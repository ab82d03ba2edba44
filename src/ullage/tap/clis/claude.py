"""Claude Code. Measured with version 2.1.332 against a local server, 2026-11."""

import json
from collections.abc import Mapping
from functools import partial

from ullage.tap.clis.recipe import Endpoint, Recipe, Setup, Surroundings
from ullage.tap.clis.settings import option, read_json, text_at

BASE_URL = "ANTHROPIC_BASE_URL"
PUBLIC = "https://api.anthropic.com"
# Switched off where the base URL is not the provider's own (code.claude.com/docs, env-vars). The
# pass-through changes no block, so what it needs gets through.
TOOL_SEARCH = "ENABLE_TOOL_SEARCH"
ELSEWHERE = ("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY")


def claude(where: Surroundings) -> Recipe:
    """Say what Claude Code needs: one variable, and tool search switched on again."""
    for name in ELSEWHERE:
        if where.environment.get(name):
            return Recipe(
                notes=[f"{name} is set: Claude Code asks its model elsewhere, unrecorded"]
            )
    found = in_settings(where)
    notes = ["Claude Code takes this address for another provider's: no remote control"]
    if found is not None and option(where.words, "--settings"):
        notes.append(f"{found.found_in} sets {BASE_URL}, and your --settings keeps ours from it")
        return Recipe(notes=notes)
    value = where.environment.get(BASE_URL)
    present = Endpoint(name=BASE_URL, url=value, found_in=f"your {BASE_URL}") if value else None
    public = Endpoint(name=BASE_URL, url=PUBLIC, found_in="the provider's public address")
    search = where.environment.get(TOOL_SEARCH)
    return Recipe(
        endpoints=[found or present or public],
        setup=partial(setup, in_files=found is not None, search=search),
        notes=notes,
    )


def in_settings(where: Surroundings) -> Endpoint | None:
    """Return the address that a settings file gives: it wins over the environment (measured)."""
    for path in (
        where.folder / ".claude" / "settings.local.json",
        where.folder / ".claude" / "settings.json",
        where.home / ".claude" / "settings.json",
    ):
        if url := text_at(read_json(path), "env", BASE_URL):
            return Endpoint(name=BASE_URL, url=url, found_in=str(path))
    return None


def setup(urls: Mapping[str, str], *, in_files: bool, search: str | None) -> Setup:
    """Set the address; over a settings file's by the flag that wins over it (measured)."""
    variables = dict(urls) if search else {**urls, TOOL_SEARCH: "true"}
    overlay = json.dumps({"env": dict(urls)})
    return Setup(variables=variables, arguments=["--settings", overlay] if in_files else [])

"""opencode as a probe target: `opencode-ai`, chat completions, always streamed."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from running import Case, Cli, Scratch, probe, recipe

# What switches off its own requests: the list of models, updates, sharing, language servers.
QUIET = {
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_MODELS_FETCH": "1",
    "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
    "OPENCODE_DISABLE_SHARE": "1",
}
WIDE = {"tool_output": {"max_bytes": 400_000, "max_lines": 20_000}}
NOTHING: Mapping[str, object] = {}


def settings(
    case: Case, folders: Scratch, more: Mapping[str, object] = NOTHING
) -> Mapping[Path, str]:
    """Name a provider at the case's address; let it read the case's file outside of its folder."""
    model = {"name": "scripted", "limit": {"context": 128_000, "output": 4096}}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "scripted",
        "options": {"baseURL": case.base_url, "apiKey": "none"},
        "models": {case.model: model},
    }
    ours = {
        "autoupdate": False,
        "share": "disabled",
        "permission": {"*": "allow", "external_directory": "allow"},
        "provider": {"scripted": provider},
        **more,
    }
    return {folders.work / "opencode.json": json.dumps(ours)}


def words(case: Case, *, first: bool) -> list[str]:
    """Read what the user says, in the session of the last time."""
    going_on = [] if first else ["--continue"]
    return ["run", *going_on, "--model", f"scripted/{case.model}"]


OPENCODE = Cli(
    name="opencode",
    # The build for this platform: the other command is put together by an install script.
    program="node_modules/opencode-*/bin/opencode",
    settings=settings,
    words=words,
    variables=lambda _: QUIET,
)

if __name__ == "__main__":
    probe(
        default=recipe(OPENCODE),
        wide=recipe(replace(OPENCODE, settings=partial(settings, more=WIDE))),
    )

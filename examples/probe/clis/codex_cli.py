"""Codex as a probe target: `@openai/codex`, the Responses API, always streamed."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from running import Cli, Scratch, recipe

from probing import Case, probe

CONFIG = """\
model = {model}
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
{more}
[analytics]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = {url}
env_key = "SCRIPTED_KEY"
wire_api = "responses"
"""
WIDE = "tool_output_token_limit = 100000\n"


def settings(case: Case, folders: Scratch, more: str = "") -> Mapping[Path, str]:
    """Name a provider at the case's address; a JSON string is a TOML string."""
    text = CONFIG.format(model=json.dumps(case.model), url=json.dumps(case.base_url), more=more)
    return {folders.home / ".codex" / "config.toml": text}


def words(_: Case, *, first: bool) -> list[str]:
    """Read what the user says, in the session of the last time."""
    going_on = [] if first else ["resume", "--last"]
    return ["exec", *going_on, "--skip-git-repo-check", "-"]


CODEX = Cli(
    name="codex",
    program="node_modules/@openai/codex-*/vendor/*/bin/codex",
    settings=settings,
    words=words,
    variables=lambda _: {"SCRIPTED_KEY": "none"},
)

if __name__ == "__main__":
    probe(
        default=recipe(CODEX),
        wide=recipe(replace(CODEX, settings=partial(settings, more=WIDE))),
    )

"""Codex as a probe target: `@openai/codex`, the Responses API, always streamed."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from running import Case, Cli, Scratch, probe, recipe

CONFIG = """\
model = {model}
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
{more}
[analytics]
enabled = false

[features]
plugins = false
remote_plugin = false
apps = false

[model_providers.scripted]
name = "scripted"
base_url = {url}
env_key = "SCRIPTED_KEY"
wire_api = "responses"
"""
KNOWN = "gpt-5.5"  # in its own list of models; others get fallbacks, a smaller limit among them
WIDE = "tool_output_token_limit = 100000\n"


def settings(
    case: Case, folders: Scratch, *, model: str | None = None, more: str = ""
) -> Mapping[Path, str]:
    """Name a provider at the case's address; a JSON string is a TOML string."""
    name, url = json.dumps(model or case.model), json.dumps(case.base_url)
    text = CONFIG.format(model=name, url=url, more=more)
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
        known_model=recipe(replace(CODEX, settings=partial(settings, model=KNOWN))),
        wide=recipe(replace(CODEX, settings=partial(settings, more=WIDE))),
    )

"""Gemini CLI as a probe target: `@google/gemini-cli`, Gemini's API, always streamed."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from running import Case, Cli, Scratch, probe, recipe

WHOLE = {"truncateToolOutputThreshold": 1_000_000}


def settings(_: Case, folders: Scratch, tools: object = None) -> Mapping[Path, str]:
    """Switch its own requests off; say how to log in, which a base URL makes it ask."""
    ours = {
        "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "tools": tools or {},
    }
    return {folders.home / ".gemini" / "settings.json": json.dumps(ours)}


def words(case: Case, *, first: bool) -> list[str]:
    """Read what the user says, in the session of the last time."""
    going_on = [] if first else ["--resume", "latest"]
    return ["--model", case.model, "--skip-trust", "--yolo", *going_on]


def variables(case: Case) -> Mapping[str, str]:
    """Name the case's address."""
    return {"GOOGLE_GEMINI_BASE_URL": case.root_url, "GEMINI_API_KEY": "none"}


GEMINI_CLI = Cli(
    name="gemini-cli",
    program="node_modules/@google/gemini-cli/bundle/gemini.js",
    settings=settings,
    words=words,
    variables=variables,
)

if __name__ == "__main__":
    probe(
        default=recipe(GEMINI_CLI),
        whole=recipe(replace(GEMINI_CLI, settings=partial(settings, tools=WHOLE))),
    )

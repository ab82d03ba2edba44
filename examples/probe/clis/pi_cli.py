"""pi as a probe target: `@mariozechner/pi-coding-agent`, chat completions, always streamed."""

import json
from collections.abc import Mapping
from pathlib import Path

from running import Case, Cli, Scratch, probe, recipe


def settings(case: Case, folders: Scratch) -> Mapping[Path, str]:
    """Name a provider at the case's address."""
    model = {
        "id": case.model,
        "name": "scripted",
        "reasoning": False,
        "input": ["text"],
        "contextWindow": 128_000,
        "maxTokens": 4096,
        "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
    }
    provider = {
        "baseUrl": case.base_url,
        "api": "openai-completions",
        "apiKey": "none",
        "models": [model],
    }
    providers = {"providers": {"scripted": provider}}
    return {folders.home / ".pi" / "agent" / "models.json": json.dumps(providers)}


def words(case: Case, *, first: bool) -> list[str]:
    """Read what the user says, in the session of the last time."""
    going_on = [] if first else ["--continue"]
    model = ["--provider", "scripted", "--model", case.model]
    return [*model, *going_on, "--print"]


PI = Cli(
    name="pi",
    program="node_modules/@mariozechner/pi-coding-agent/dist/cli.js",
    settings=settings,
    words=words,
    variables=lambda _: {"PI_OFFLINE": "1", "PI_TELEMETRY": "0"},
)

if __name__ == "__main__":
    probe(default=recipe(PI))

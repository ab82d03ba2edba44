"""qwen-code as a probe target: `@qwen-code/qwen-code`, chat completions, always streamed."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from running import Case, Cli, Scratch, probe, recipe

# By default a command runs in a terminal, and what it prints last gets lost where it ends fast
# (seen with 0.15.10; microsoft/node-pty, issue 726).
NO_TERMINAL = {"shell": {"enableInteractiveShell": False}}
WHOLE = {**NO_TERMINAL, "truncateToolOutputThreshold": -1, "truncateToolOutputLines": -1}


def settings(_: Case, folders: Scratch, tools: object = None) -> Mapping[Path, str]:
    """Switch its own requests off."""
    ours = {
        "general": {"enableAutoUpdate": False},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
        "tools": tools or {},
    }
    return {folders.home / ".qwen" / "settings.json": json.dumps(ours)}


def words(case: Case, *, first: bool) -> list[str]:
    """Read what the user says, in the session of the last time."""
    going_on = [] if first else ["--continue"]
    return ["--auth-type", "openai", "--yolo", *going_on, "--model", case.model]


def variables(case: Case) -> Mapping[str, str]:
    """Name the case's address."""
    return {
        "OPENAI_BASE_URL": case.base_url,
        "OPENAI_API_KEY": "none",
        "QWEN_CODE_DISABLE_PRECONNECT": "1",
    }


QWEN_CODE = Cli(
    name="qwen-code",
    program="node_modules/@qwen-code/qwen-code/cli.js",
    settings=settings,
    words=words,
    variables=variables,
)

if __name__ == "__main__":
    probe(
        default=recipe(QWEN_CODE),
        no_terminal=recipe(replace(QWEN_CODE, settings=partial(settings, tools=NO_TERMINAL))),
        whole=recipe(replace(QWEN_CODE, settings=partial(settings, tools=WHOLE))),
    )

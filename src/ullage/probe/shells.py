"""How the scripted model has a coding CLI's shell run a command. Pure.

A tool's own JSON schema says what it is to be given, so that CLIs nobody knows here work too; the
names below only choose among tools, and help out where no schema is sent along.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from ullage.probe.schemas import Schema, filled, may_be, members, required
from ullage.probe.script import Call

SHELLS = (
    "bash",  # opencode, pi, Claude Code, smol agents of all kinds
    "run_shell_command",  # Gemini CLI, qwen-code
    "exec_command",  # Codex
    "shell_command",  # Codex, some models
    "shell",  # Codex until 2025
    "execute_command",  # Cline and what follows it
    "execute_bash",  # OpenHands until 2025
    "run_terminal_cmd",  # Cursor
    "run_in_terminal",  # Copilot
    "terminal",  # OpenHands, Hermes Agent
)
"""Tools that run a command, the likelier ones first."""

A_SHELL = frozenset(("bash", "shell", "sh", "terminal", "exec", "execute", "command", "cmd"))
NO_SHELL = frozenset(
    ("stdin", "output", "background", "kill", "stop", "read", "write", "list", "get", "status")
)
"""Words of tools that look after a command that runs already."""

COMMANDS = ("command", "cmd", "commands", "command_line", "bash_command", "script", "input", "code")
"""Members that hold the command, the likelier ones first."""

WITHOUT_SCHEMA: Mapping[str, str] = {"exec_command": "cmd"}
IN_WORDS = frozenset(("shell",))
"""Takes the words of a command, where no schema says otherwise."""

PURPOSE = "Print the file"
ENOUGH = 10_000
"""For a number that must be given: mostly a limit, in seconds, milliseconds or tokens."""


def shell_call(offered: Sequence[tuple[str, Schema]], command: str) -> Call | None:
    """Return the call that has a shell run `command`; None where no tool on offer is a shell.

    `offered` are names with the JSON schema of their arguments, empty where there is none.
    """
    found = next(shells(offered), None)
    if found is None:
        return None
    name, schema = found
    place = command_member(name, schema)
    form = members(schema).get(place)
    words = name.lower() in IN_WORDS if form is None else not may_be(form, "string")
    given = {place: ["bash", "-lc", command] if words else command}
    return Call(name=name, arguments=filled(schema, PURPOSE, number=ENOUGH) | given)


def shells(offered: Sequence[tuple[str, Schema]]) -> Iterator[tuple[str, Schema]]:
    """Give the tools that run a command: by a name that is known, else by the words of a name."""
    for known in SHELLS:
        yield from (one for one in offered if one[0].lower() == known)
    for name, schema in offered:
        words = frozenset(re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()))
        takes_one = not members(schema) or any(one in members(schema) for one in COMMANDS)
        if words & A_SHELL and not words & NO_SHELL and takes_one:
            yield name, schema


def command_member(name: str, schema: Schema) -> str:
    """Return the member that holds the command: one that is named so, else the first required."""
    known = members(schema)
    named = next((one for one in COMMANDS if one in known), None)
    asked = next((one for one in required(schema) if may_be(known.get(one), "string")), None)
    return named or asked or WITHOUT_SCHEMA.get(name.lower(), COMMANDS[0])

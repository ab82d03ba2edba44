"""Our entries in Claude Code's settings: put in beside others', taken out without a trace. Pure."""

import json
import re
from collections.abc import Mapping

from ullage.errors import LoadError

Settings = dict[str, object]

EVENTS = {"PostToolUse": "*", "PreCompact": "*"}
"""The events that are recorded, and which tools or triggers of them: all."""

RESTATES = {"SessionStart": "compact"}
"""The event at which rules are put back: the session goes on behind a compaction."""

SECONDS = 60
OURS = re.compile(r"\bullage\b.*\bhook claude-code\b")


def read_settings(text: str, where: str) -> Settings:
    """Read settings; an empty file has none. Raises LoadError where they are no JSON object."""
    try:
        found = json.loads(text) if text.strip() else {}
    except json.JSONDecodeError as error:
        raise LoadError(
            f"{where}: {error.msg} at line {error.lineno}, column {error.colno}: correct it first; "
            "nothing was changed"
        ) from error
    if not isinstance(found, dict):
        raise LoadError(f"{where}: expected a JSON object; nothing was changed")
    return found


def written(settings: Settings) -> str:
    """Write settings as Claude Code does."""
    return json.dumps(settings, indent=2, ensure_ascii=False) + "\n"


def installed(
    settings: Settings, command: str, where: str, events: Mapping[str, str] = EVENTS
) -> Settings:
    """Return settings with our hooks for these events in them, once; everything else stays.

    Raises LoadError where the hooks that are there are not in their form.
    """
    present = groups_by_event(settings, where)
    ours = {event for event, groups in present.items() if any(map(holds_ours, groups))}
    if ours == set(events) and all(command in commands(present[event]) for event in events):
        return dict(settings)
    new = uninstalled(settings, where)
    hooks = dict(groups_by_event(new, where))
    for event, matcher in events.items():
        entry = {"type": "command", "command": command, "timeout": SECONDS}
        hooks[event] = [*hooks.get(event, []), {"matcher": matcher, "hooks": [entry]}]
    return {**new, "hooks": hooks}


def uninstalled(settings: Settings, where: str) -> Settings:
    """Return settings without our hooks, and without the empty places that they leave."""
    hooks: dict[str, object] = {}
    changed = False
    for event, groups in groups_by_event(settings, where).items():
        left = [group for one in groups if (group := without_ours(one)) is not None]
        changed = changed or left != groups
        if left or not groups:
            hooks[event] = left
    if not changed:
        return dict(settings)
    new = {name: value for name, value in settings.items() if name != "hooks"}
    # In its old place, so that a difference of the files shows nothing else.
    return {
        name: hooks if name == "hooks" else new[name] for name in settings if name in new or hooks
    }


def groups_by_event(settings: Settings, where: str) -> dict[str, list[object]]:
    """Return the groups of hooks by event."""
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict) or not all(isinstance(one, list) for one in hooks.values()):
        raise LoadError(f"{where}: 'hooks' is not an object of lists; nothing was changed")
    return hooks


def without_ours(group: object) -> object | None:
    """Return a group without our entries; None where nothing else was in it."""
    if not isinstance(group, Mapping) or not isinstance(entries := group.get("hooks"), list):
        return group
    left = [one for one in entries if not is_ours(one)]
    if left == entries:
        return group
    return {**group, "hooks": left} if left else None


def holds_ours(group: object) -> bool:
    """Whether a group has an entry of ours."""
    return without_ours(group) != group


def commands(groups: list[object]) -> list[object]:
    """Return the commands that groups of hooks run."""
    entries = [group.get("hooks") for group in groups if isinstance(group, Mapping)]
    return [
        one.get("command")
        for found in entries
        if isinstance(found, list)
        for one in found
        if isinstance(one, Mapping)
    ]


def is_ours(entry: object) -> bool:
    """Whether a hook is one that we put in."""
    command = entry.get("command") if isinstance(entry, Mapping) else None
    return isinstance(command, str) and OURS.search(command) is not None

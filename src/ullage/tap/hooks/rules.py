"""Pinned rules put back after Claude Code has compacted a session, word for word. Pure.

Its hook `SessionStart` runs with the source `compact` when a compaction is done, and what it prints
as `hookSpecificOutput.additionalContext` is given to the model (code.claude.com/docs/en/hooks,
2026-11). `PostCompact` is told the summary and can add nothing. Some versions ran the hook and
dropped its text: anthropics/claude-code issues 15174 and 28305 (2.0.72, 2.1; closed).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ullage.arrivals.standing_rules import rules_in
from ullage.arrivals.user_turns import said_by_user
from ullage.sources import claude_code
from ullage.sources.opened import Opened
from ullage.transcript.transcript import Transcript

ROOM = 9_500
"""Characters that are put back at most: ours. Of a long output Claude Code shows the model only a
preview (over 50 KB, says anthropics/claude-code issue 52628 of 2.1.91)."""

HEAD = "This conversation was compacted. These rules still hold, word for word."


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What is to be put back: texts by where they are from, and what the user said."""

    pinned: Mapping[str, str]
    said: Sequence[str] = ()

    def __bool__(self) -> bool:
        return bool(self.said or any(text.strip() for text in self.pinned.values()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Restated:
    """The text for the model, and how many rules did not fit."""

    text: str
    left_out: int


def is_after_compaction(event: Mapping[str, object]) -> bool:
    """Whether an event says that a session goes on behind a compaction."""
    return event.get("hook_event_name") == "SessionStart" and event.get("source") == "compact"


def said_in(data: bytes, name: str) -> list[str]:
    """Return the standing rules in what a user said in a session, in order, each once.

    What agents were told, summaries, and branches that a rewind left are not the user's words.
    """
    opened = Opened(name=name, data=data, path=Path(name))
    found = (one for one in claude_code.records(opened) if isinstance(one, Transcript))
    own = [one for one in found if one.parent is None and "@" not in one.session]
    return list(dict.fromkeys(rule for one in own for rule in rules_of(one)))


def rules_of(whole: Transcript) -> Iterator[str]:
    """Give the standing rules in what the user said in a conversation."""
    messages = [one.message for one in whole.entries if one.in_context]
    for said in said_by_user(messages):
        yield from (one.text for one in rules_in(said.text))


def restated(rules: Rules, room: int = ROOM) -> Restated:
    """Return the rules as one text: the pinned ones, then what was said.

    Pinned ones always stand in it. Of what was said the last rules stay; where there is no room for
    all of it, the text says how many are missing.
    """
    parts = [HEAD]
    for source, text in rules.pinned.items():
        if text.strip():
            parts.append(f"{source}:\n{text.strip()}")
    taken, left = fitting(rules.said, room - sum(len(one) + 2 for one in parts) - len(SAID) - 120)
    if taken:
        parts.append("\n".join([SAID, *(f"- {one}" for one in taken)]))
    if left:
        parts.append(f"({left} more rules of the user did not fit: ask for them if in doubt.)")
    return Restated(text="\n\n".join(parts), left_out=left)


SAID = "What the user said in this session:"


def fitting(said: Sequence[str], room: int) -> tuple[list[str], int]:
    """Return the last rules that there is room for, in their order, and how many are left out."""
    taken: list[str] = []
    for one in reversed(said):
        room -= len(one) + 3
        if room < 0:
            break
        taken.append(one)
    return taken[::-1], len(said) - len(taken)


def output(text: str, warning: str | None = None) -> str:
    """Return what the hook prints: a text for the model, and a line for the user."""
    document: dict[str, object] = {
        "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": text}
    }
    if warning is not None:
        document["systemMessage"] = warning
    return json.dumps(document, ensure_ascii=False)

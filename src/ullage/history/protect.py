"""What a user pins: by role, position, tag, tool, words, a marker in the message, or a function."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from ullage.arrivals.wording import squeezed
from ullage.history.piece import Piece

Protects: TypeAlias = Callable[[Piece], bool]
Protect: TypeAlias = str | Protects
"""A rule for what never leaves: one of the texts in `FORMS`, or a function."""

FORMS = (
    "role:user, index:3, tag:NAME, tool:NAME, text:WORDS, marked, or a function from a piece to "
    "True or False"
)
ROLES = ("system", "user", "assistant", "tool")


def read_protect(protect: Protect) -> Protects:
    """Return what tells whether a rule pins a piece. Raises ValueError for what is no rule.

    `index:3` is the fourth message of the history that was given. `tag:NAME` is a message whose
    `source` marker, `name` or `id` is that. `tool:NAME` is what that tool returned, and the reply
    that called it. `text:WORDS` is a message with these words in it, whatever their case and
    spacing. `marked` is a message that has a marker of its own; such are pinned anyway.
    """
    if callable(protect):
        return protect
    if not isinstance(protect, str):
        raise TypeError(f"protect: expected a text or a function, got {protect!r}")
    word, colon, rest = protect.partition(":")
    if word == "marked" and not colon:
        return is_marked
    make = READERS.get(word)
    if make is None or not colon:
        raise ValueError(f"protect: {protect!r} is none of {FORMS}")
    if not rest.strip():
        raise ValueError(f"protect: {protect!r} says nothing behind {word!r}; expected {FORMS}")
    return make(rest)


def is_marked(piece: Piece) -> bool:
    """Whether a marker in the message says that it is kept."""
    return piece.marked is True


def by_role(role: str) -> Protects:
    """Return the rule for a role; a result in a user's message is the tool's."""
    if role not in ROLES:
        raise ValueError(f"protect: {role!r} is no role; expected one of {', '.join(ROLES)}")
    return lambda piece: role_of(piece) == role


def role_of(piece: Piece) -> str:
    """Return who said a piece, whatever message it stands in."""
    return "tool" if piece.is_result else piece.message.role


def by_index(number: str) -> Protects:
    """Return the rule for one message by its position from 0."""
    if not number.isdecimal():
        raise ValueError(f"protect: 'index:{number}': a position is a whole number from 0")
    place = int(number)
    return lambda piece: piece.place == place


def by_tag(name: str) -> Protects:
    """Return the rule for messages of that source, name or id."""

    def has(piece: Piece) -> bool:
        raw = piece.raw if isinstance(piece.raw, Mapping) else {}
        return name in (piece.source, piece.message.name, raw.get("name"), raw.get("id"))

    return has


def by_tool(name: str) -> Protects:
    """Return the rule for what a tool returned and the replies that called it."""

    def has(piece: Piece) -> bool:
        if piece.is_result:
            return piece.message.name == name
        return any(call.name == name for call in piece.message.calls)

    return has


def by_text(words: str) -> Protects:
    """Return the rule for messages with these words."""
    looked_for = squeezed(words)
    return lambda piece: looked_for in squeezed(piece.message.text)


READERS: Mapping[str, Callable[[str], Protects]] = {
    "role": by_role,
    "index": by_index,
    "tag": by_tag,
    "tool": by_tool,
    "text": by_text,
}

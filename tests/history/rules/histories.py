"""Histories by hand, and a guard that keeps what a test says must stay."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ullage.history.elide import Elided, elisions
from ullage.history.piece import Piece
from ullage.history.rules.rule import Rule
from ullage.history.rules.table import RULES
from ullage.transcript.message import Message, ToolCall

EVERYTHING = 10**12


@dataclass(frozen=True, slots=True)
class Kept:
    """A guard that holds some pieces untouched, and puts the words back that a text had."""

    untouched: frozenset[int] = frozenset()
    words: Sequence[str] = ()
    pieces: Sequence[Piece] = field(default=())

    def completed(self, index: int, text: str) -> str:
        old = self.pieces[index].message.text if self.words else ""
        gone = [one for one in self.words if one in old and one not in text]
        return f"{text}\nKept word for word: {', '.join(gone)}" if gone else text


@dataclass(frozen=True, slots=True)
class Did:
    """One call of a history: the tool, what it was given, what it returned."""

    tool: str
    arguments: Mapping[str, object]
    text: str
    failed: bool = False


def ran(command: str, text: str, *, failed: bool = False) -> Did:
    """A call of a shell."""
    return Did("bash", {"command": command}, text, failed)


def read(path: str, text: str, **arguments: object) -> Did:
    """A read of a file."""
    return Did("read_file", {"path": path, **arguments}, text)


def piece(message: Message, place: int, *, failed: bool = False) -> Piece:
    return Piece(
        message=message, raw={}, place=place, cost=len(message.text), tokens=0, failed=failed
    )


def history(*did: Did) -> tuple[Piece, ...]:
    """A task, and each call with its result: the result of call `n` is piece `2 * n + 2`."""
    messages = [(Message(role="user", text="Find out why the orders are late."), False)]
    for number, one in enumerate(did):
        call = ToolCall(
            call_id=f"call_{number}", name=one.tool, arguments=json.dumps(one.arguments)
        )
        messages.append((Message(role="assistant", text="", calls=(call,)), False))
        messages.append((Message(role="tool", text=one.text, answers=f"call_{number}"), one.failed))
    return tuple(
        piece(message, place, failed=failed) for place, (message, failed) in enumerate(messages)
    )


def elide(
    pieces: Sequence[Piece],
    *names: str,
    guard: Kept | None = None,
    over: int = EVERYTHING,
    handle: Callable[[str], str] | None = None,
    rules: Mapping[str, Rule] | None = None,
) -> list[Elided]:
    """What the named rules, or all, take of a history whose budget counts characters."""
    chosen = rules or {name: RULES[name] for name in names or RULES}
    return list(
        elisions(pieces, guard or Kept(), chosen, over, lambda _, text: len(text), handle=handle)
    )


def put(pieces: Sequence[Piece], elided: Sequence[Elided]) -> tuple[Piece, ...]:
    """The history with what was elided in place."""
    now = list(pieces)
    for one in elided:
        message = replace(now[one.index].message, text=one.text)
        now[one.index] = replace(now[one.index], message=message, cost=len(one.text))
    return tuple(now)


def at(elided: Sequence[Elided], index: int) -> str:
    """The text that now stands at a place."""
    (found,) = (one for one in elided if one.index == index)
    return found.text

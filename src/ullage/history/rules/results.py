"""The results of a history, each with the call that it answers."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ullage.arrivals.asked import arguments_of
from ullage.arrivals.call_words import COMMANDS
from ullage.arrivals.same_call import same_call
from ullage.cutter.excerpt import excerpt
from ullage.history.piece import Piece
from ullage.history.rules.placeholder import taken_off
from ullage.history.rules.rule import Guard
from ullage.transcript.message import Message, ToolCall

LEAST = 240
"""What is shorter is not worth a placeholder, which takes half of it."""
SHOWN = 100
"""So many characters of a call's arguments name it in a placeholder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One result: where it stands, its text without a placeholder, and the call if it is known."""

    index: int
    text: str
    failed: bool
    call: ToolCall | None
    arguments: Mapping[str, Any] = field(default_factory=dict)

    @property
    def tool(self) -> str:
        """The tool's name in lower case, empty where the call is not known."""
        return self.call.name.lower() if self.call else ""

    @property
    def named(self) -> str:
        """The call as a placeholder names it."""
        if self.call is None:
            return "a tool"
        return f"{self.call.name}({excerpt(self.call.arguments.strip(), SHOWN)})"

    @property
    def key(self) -> str | None:
        """A mark that results of equal calls share."""
        return same_call(self.call) if self.call else None

    @property
    def command(self) -> str | None:
        """The command that the call ran, None if it is none."""
        found = next((one for name in COMMANDS if (one := self.arguments.get(name))), None)
        if isinstance(found, list) and all(isinstance(one, str) for one in found):
            # As a harness gives it to exec: the last word of `bash -lc "…"` is the command.
            shell = len(found) > 2 and found[0].endswith("sh")
            found = found[-1] if shell else " ".join(found)
        return found if isinstance(found, str) else None


def results_of(pieces: Sequence[Piece], guard: Guard | None = None) -> Iterator[Result]:
    """Yield the results in order; with a guard those only whose text may be replaced."""
    pairs = Calls()
    for index, piece in enumerate(pieces):
        pairs.hear(piece.message)
        if not piece.is_result:
            continue
        call = pairs.answered(piece.message)
        if guard is not None and (index in guard.untouched or piece.solid):
            continue
        yield Result(
            index=index,
            text=taken_off(piece.message.text)[1],
            failed=piece.failed,
            call=call,
            arguments=arguments_of(call),
        )


class Calls:
    """The calls that were made so far, to be found by what answers them."""

    def __init__(self) -> None:
        self.by_id: dict[str, ToolCall] = {}
        self.open: deque[ToolCall] = deque()
        """Calls without an id, of providers that pair by name and order."""

    def hear(self, message: Message) -> None:
        """Take up the calls of a message."""
        for call in message.calls:
            if call.call_id is None:
                self.open.append(call)
            else:
                self.by_id[call.call_id] = call

    def answered(self, message: Message) -> ToolCall | None:
        """Return the call that a result answers."""
        if message.answers is not None:
            return self.by_id.get(message.answers)
        found = next((one for one in self.open if message.name in (None, one.name)), None)
        if found is not None:
            self.open.remove(found)
        return found

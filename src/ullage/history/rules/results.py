"""The results of a history, each with the call that it answers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ullage.arrivals.asked import arguments_of
from ullage.arrivals.call_words import COMMANDS
from ullage.arrivals.same_call import same_call
from ullage.cutter.excerpt import excerpt
from ullage.history.calls import assigned
from ullage.history.piece import Piece
from ullage.history.rules.placeholder import taken_off
from ullage.history.rules.rule import Guard
from ullage.transcript.message import ToolCall

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
    calls = calls_of(pieces)
    for index, piece in enumerate(pieces):
        if not piece.is_result:
            continue
        if guard is not None and (index in guard.untouched or piece.solid):
            continue
        call = calls.get(index)
        yield Result(
            index=index,
            text=taken_off(piece.message.text)[1],
            failed=piece.failed,
            call=call,
            arguments=arguments_of(call),
        )


def calls_of(pieces: Sequence[Piece]) -> dict[int, ToolCall]:
    """Return for each result the call that it answers, where that is known."""
    found = assigned(pieces)
    return {index: pieces[at].message.calls[which] for index, (at, which) in found.items()}

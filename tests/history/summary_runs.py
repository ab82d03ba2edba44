"""Histories to summarise, and summarisers that answer by a script."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ullage.arrivals.standing_rules import rules_in
from ullage.history.piece import Piece
from ullage.history.summarise import summarised
from ullage.history.summary import Answer, Ask, Failed, Refusal, Summary
from ullage.history.summary_settings import SummarySettings
from ullage.transcript.message import Message, Role, ToolCall

FILLER = "The parser reads each record of the archive and checks its fields against the schema. "


def piece(role: Role, text: str, **more: object) -> Piece:
    calls = more.pop("calls", ())
    answers = more.pop("answers", None)
    message = Message(role=role, text=text, calls=calls, answers=answers)  # type: ignore[arg-type]
    return Piece(message=message, raw={}, place=None, **more)  # type: ignore[arg-type]


def call(name: str, arguments: str, call_id: str = "c1") -> ToolCall:
    return ToolCall(call_id=call_id, name=name, arguments=arguments)


HISTORY = (
    piece("system", "You work on the archive."),
    piece("user", "Move the archive to the new schema. Never delete the old tables."),
    piece("assistant", "I read the plan.", calls=(call("read_file", '{"path": "plan/steps.md"}'),)),
    piece("tool", "The import of src/load.py takes 812 ms. " + FILLER * 40, answers="c1"),
    piece("assistant", "I created the index. Next steps:\n- migrate the invoices table"),
    piece("user", "Go on, please, and report the size of each table."),
)
REPLACED = (2, 3, 4)
GOOD = (
    "## Goal\nMove the archive to the new schema; never delete the old tables.\n\n"
    "## State\nplan/steps.md was read. The import of src/load.py takes 812 ms.\n\n"
    "## Open steps\n- [ ] migrate the invoices table"
)


@dataclass(frozen=True)
class Beside:
    """Stands in for the guard: the rules of user turns, or none of them."""

    pieces: Sequence[Piece] = ()

    def constraints(self, index: int) -> tuple[str, ...]:
        if not self.pieces or self.pieces[index].message.role != "user":
            return ()
        return tuple(one.text for one in rules_in(self.pieces[index].message.text))


@dataclass(frozen=True)
class Earlier:
    """Stands in for the block of an earlier compaction."""

    summary: str | None


@dataclass
class Scripted:
    """Answers by a function of the request; keeps what was asked."""

    answer: Callable[[Ask], str | Answer | Failed]
    asked: list[Ask] = field(default_factory=list)

    def __call__(self, steps_ask: Ask) -> Answer | Failed:
        self.asked.append(steps_ask)
        said = self.answer(steps_ask)
        return Answer(text=said) if isinstance(said, str) else said

    def sent(self) -> str:
        return "\n".join(one["content"] for ask in self.asked for one in ask.messages)


def run(
    answer: str | Callable[[Ask], str | Answer | Failed],
    pieces: Sequence[Piece] = HISTORY,
    replaced: Iterable[int] = REPLACED,
    *,
    guard: Beside | None = None,
    block: Earlier | None = None,
    settings: SummarySettings | None = None,
) -> tuple[Summary | Refusal, Scripted]:
    """Summarise with a scripted summariser, no rim between them."""
    said = answer if callable(answer) else lambda _: answer
    scripted = Scripted(said)
    steps = summarised(
        pieces, tuple(replaced), guard or Beside(), block, settings or SummarySettings()
    )
    try:
        ask = next(steps)
        while True:
            ask = steps.send(scripted(ask))
    except StopIteration as end:
        return end.value, scripted


def taken(
    answer: str | Callable[[Ask], str | Answer | Failed], *args: object, **more: object
) -> Summary:
    """Summarise, and expect a summary."""
    found, _ = run(answer, *args, **more)  # type: ignore[arg-type]
    assert isinstance(found, Summary), found
    return found


def refused(
    answer: str | Callable[[Ask], str | Answer | Failed], *args: object, **more: object
) -> Refusal:
    """Summarise, and expect a refusal."""
    found, _ = run(answer, *args, **more)  # type: ignore[arg-type]
    assert isinstance(found, Refusal), found
    return found

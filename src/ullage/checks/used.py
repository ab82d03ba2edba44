"""What arrived, and what of it was used: told apart, because only the first is a loss."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from ullage.checks.ids import listed, standing, tokens
from ullage.checks.session import Result, Session


@dataclass(slots=True, kw_only=True)
class Use:
    """The records of one tool that have identifiers, by what became of them.

    `never_arrived` is known where the produced side is: of `results` results, for `measured` of
    them. `used`: its identifier stands in a later call's arguments or in what the model wrote.
    """

    tool: str
    results: int = 0
    measured: int = 0
    never_arrived: int = 0
    used: int = 0
    unused: int = 0


@dataclass(slots=True)
class Used:
    """Takes in sessions one at a time; keeps counts."""

    tools: dict[str, Use] = field(default_factory=dict)

    def add(self, session: Session) -> None:
        """Take in one session."""
        said: set[str] = set()
        at = len(session.entries)
        for result in reversed(session.results):
            said |= tokens(written(session, result.entry + 1, at))
            at = result.entry + 1
            if result.counted:
                self.take(result, said)

    def take(self, result: Result, said: set[str]) -> None:
        """Take in one result; `said` is what the model wrote after it."""
        measured = result.measured
        whole = listed(measured.produced if measured is not None else result.text)
        if not whole:
            return
        use = self.tools.setdefault(result.tool, Use(tool=result.tool))
        use.results += 1
        use.measured += measured is not None
        there = tokens([result.text]) if measured is not None else None
        for one in whole:
            given = list(one.ids) if there is None else standing(one.ids, there)
            taken = len(standing(given, said))
            use.never_arrived += len(one.ids) - len(given)
            use.used += taken
            use.unused += len(given) - taken

    def done(self) -> list[Use]:
        """Return the tools, those that lost most first."""
        return sorted(self.tools.values(), key=lambda one: (-one.never_arrived, one.tool))


def written(session: Session, begin: int, end: int) -> Iterator[str]:
    """Give what the model wrote between two entries: its words, and its calls' arguments."""
    for entry in session.entries[begin:end]:
        if entry.message.role == "assistant":
            yield entry.message.text
            for call in entry.message.calls:
                yield call.arguments

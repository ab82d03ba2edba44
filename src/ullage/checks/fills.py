"""How full the window was, turn by turn, and where older messages left it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ullage.checks.measure import Run
from ullage.checks.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Fill:
    """One session: the tokens of the context after each reply, None where it does not say.

    `compactions` are the numbers of replies before which older messages left. `window` is the
    model's in tokens, None where it is not known.
    """

    session: str
    model: str | None
    window: int | None
    tokens: Sequence[int | None]
    compactions: Sequence[int]

    @property
    def peak(self) -> int | None:
        """The most tokens of any turn, None where no reply says any."""
        return max((one for one in self.tokens if one is not None), default=None)

    @property
    def share(self) -> float | None:
        """The fullest that the window was; None where either figure is not known."""
        return None if self.peak is None or not self.window else self.peak / self.window


@dataclass(slots=True)
class Fills:
    """Takes in runs one at a time; keeps figures."""

    sessions: list[Fill] = field(default_factory=list)

    def take(self, run: Run) -> None:
        """Take in one run."""
        self.sessions += [fill_of(one) for one in run.sessions]


def fill_of(session: Session) -> Fill:
    """Return how full the window of one session was."""
    whole = session.transcript
    replies = [at for at, one in enumerate(session.entries) if one.message.role == "assistant"]
    usage = [session.entries[at].usage for at in replies]
    named = (session.entries[at].model for at in reversed(replies))
    return Fill(
        session=whole.session,
        model=whole.model or next(filter(None, named), None),
        window=session.window,
        tokens=[
            None if one is None or one.input is None else one.input + (one.output or 0)
            for one in usage
        ],
        compactions=[
            sum(at < one.at for at in replies)
            for one in whole.compactions
            if one.recorded or one.act is not None  # else the system text was written anew
        ],
    )

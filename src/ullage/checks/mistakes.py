"""Losses before the step that a person labelled as the decisive mistake."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ullage.checks.session import Session
from ullage.transcript.finding import Finding

LOSSES = frozenset(
    {
        "cut-to-empty",
        "silent-cut",
        "invalid-syntax",
        "cut-with-room",
        "cut-no-way-back",
        "field-never-arrives",
        "field-asymmetry",
        "page-limit-hit",
        "message-lost",
        "system-shortened",
        "task-lost",
        "instruction-lost",
        "constraint-lost",
        "summariser-starved",
        "handoff-lost",
        "output-cut",
        "output-cut-empty",
        "served-short",
        "cut-upstream",
    }
)
"""The checks that say that something was lost, not that something is odd."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """One session with a labelled mistake: where that stands, and the losses before it, by check.

    `line` is None where the file does not tell lines: then all losses of the session count, and
    `placed` is False.
    """

    session: str
    path: str | None
    line: int | None
    before: Mapping[str, int]
    after: int
    placed: bool


@dataclass(slots=True)
class Mistakes:
    """Takes in sessions; of those with a label it keeps where that stands."""

    labels: dict[tuple[str, str | None], int | None] = field(default_factory=dict)

    def add(self, session: Session) -> None:
        """Take in one session."""
        whole = session.transcript
        if whole.mistake is None or not 0 <= whole.mistake < len(session.entries):
            return
        source = session.entries[whole.mistake].source
        self.labels[whole.session, source.path or whole.source.path] = source.line

    def done(self, findings: Iterable[Finding]) -> Sequence[Labelled]:
        """Return each labelled session with the losses that were found before its mistake."""
        losses: dict[tuple[str | None, str | None], list[Finding]] = {}
        for one in findings:
            if one.check in LOSSES:
                losses.setdefault((one.session, one.source.path), []).append(one)
        return [
            labelled(session, path, line, losses.get((session, path), ()))
            for (session, path), line in self.labels.items()
        ]


def labelled(
    session: str, path: str | None, line: int | None, losses: Sequence[Finding]
) -> Labelled:
    """Set one label against the losses of its session."""
    before = [one for one in losses if line is None or (one.source.line or 0) <= line]
    return Labelled(
        session=session,
        path=path,
        line=line,
        before=dict(Counter(one.check for one in before)),
        after=len(losses) - len(before),
        placed=line is not None,
    )


def sentence(found: Sequence[Labelled]) -> str:
    """Say for how many mistakes a loss was found before."""
    some = [one for one in found if one.before]
    checks = Counter(check for one in some for check in one.before)
    named = ", ".join(f"{check} {count}" for check, count in checks.most_common())
    which = f" ({named})" if named else ""
    return (
        f"Of {len(found)} sessions with a labelled mistake, {len(some)} have a loss before it that "
        f"a check found{which}. That it comes before does not say that it was the cause."
    )

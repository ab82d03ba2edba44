"""Losses before a labelled mistake."""

from ullage.checks.mistakes import Mistakes, sentence
from ullage.checks.transcripts import session_of
from ullage.transcript.finding import Finding, Source
from ullage.transcript.message import Message
from ullage.transcript.transcript import Entry, Transcript


def labelled(name: str, mistake: int | None) -> Transcript:
    entries = [
        Entry(
            message=Message(role="assistant", text=f"step {n}"),
            source=Source(path="log.json", line=10 * (n + 1)),
        )
        for n in range(5)
    ]
    return Transcript(session=name, form="test", entries=entries, mistake=mistake)


def loss(session: str, line: int, check: str = "silent-cut") -> Finding:
    return Finding(
        check=check,
        severity="error",
        boundary="budget",
        evidence={},
        advice="",
        session=session,
        source=Source(path="log.json", line=line),
    )


def test_losses_before_the_mistake_are_told_from_those_after() -> None:
    mistakes = Mistakes()
    for one in (labelled("a", 2), labelled("b", 0), labelled("c", None)):
        mistakes.add(session_of(one))
    losses = [loss("a", 20), loss("a", 50), loss("b", 30), loss("c", 10)]

    first, second = mistakes.done([*losses, loss("a", 10, check="refetch")])

    assert (first.before, first.after) == ({"silent-cut": 1}, 1)
    assert (second.before, second.after) == ({}, 1)
    said = sentence([first, second])
    assert "Of 2 sessions with a labelled mistake, 1 have a loss before it" in said
    assert "does not say that it was the cause" in said

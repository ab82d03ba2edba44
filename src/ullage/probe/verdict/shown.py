"""What the writers of summaries were shown of all that left a conversation, over one case."""

from collections.abc import Sequence
from dataclasses import dataclass

from ullage.checks.summariser_starved import ENOUGH
from ullage.probe.observed import Seen
from ullage.probe.verdict.auxiliary import rows, turns
from ullage.probe.verdict.requests import Story, guess

WRITERS = ("summariser", "compressor")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The records and the user's turns that the acting model was given and no longer has.

    `rows_shown` and `turns_shown` are those of them that any auxiliary request of the case was
    shown: what went at one summary may have been shown for the one before. `writers` are the
    numbers of the requests that seem to ask for a summary.
    """

    writers: tuple[int, ...]
    rows_gone: int
    rows_shown: int
    turns_gone: int
    turns_shown: int

    @property
    def starved(self) -> bool:
        """Whether too little of what went was shown to anybody."""
        pairs = ((self.rows_shown, self.rows_gone), (self.turns_shown, self.turns_gone))
        return any(shown < ENOUGH * gone for shown, gone in pairs)


def shown(story: Story) -> Shown | None:
    """Judge the summaries of a case; None where nobody was asked for one."""
    writers = [one.number for one in story.auxiliary if guess(story, one) in WRITERS]
    if not writers or not story.acting:
        return None
    gone = given_in(story, story.acting) - story.given(story.acting[-1])
    seen = gone & frozenset().union(*(story.ids(one.text) for one in story.auxiliary))
    return Shown(
        writers=tuple(writers),
        rows_gone=len(rows(story, gone)),
        rows_shown=len(rows(story, seen)),
        turns_gone=len(turns(story, gone)),
        turns_shown=len(turns(story, seen)),
    )


def given_in(story: Story, requests: Sequence[Seen]) -> frozenset[str]:
    """Return the ids in any of several requests."""
    return frozenset[str]().union(*map(story.given, requests))

"""What the writers of summaries were shown of all that left a conversation, over one case."""

from collections.abc import Sequence
from dataclasses import dataclass

from ullage.checks.summariser_starved import ENOUGH
from ullage.probe.observed import Seen
from ullage.probe.verdict.auxiliary import rows, turns
from ullage.probe.verdict.history import turn_of_each
from ullage.probe.verdict.requests import Story, guess

WRITERS = ("summariser", "compressor")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The records and the user's turns that the acting model was given and no longer has.

    Results that are there in part are left out.

    `rows_shown` and `turns_shown` are those of them that any auxiliary request of the case was
    shown: what went at one summary may have been shown for the one before. `writers` are the
    numbers of the requests that seem to ask for a summary. `starved` says that too little of it was
    shown, also of what went before the last two turns: a later writer might be shown the rest.
    """

    writers: tuple[int, ...]
    rows_gone: int
    rows_shown: int
    turns_gone: int
    turns_shown: int
    starved: bool


def shown(story: Story) -> Shown | None:
    """Judge the summaries of a case; None where nobody was asked for one."""
    writers = [one.number for one in story.auxiliary if guess(story, one) in WRITERS]
    if not writers or not story.acting:
        return None
    last = story.given(story.acting[-1])
    gone = given_in(story, story.acting) - last - shortened(story, last)
    seen = frozenset[str]().union(*(story.ids(one.text) for one in story.auxiliary))
    settled = gone - given_in(story, of_last_turns(story))
    return Shown(
        writers=tuple(writers),
        rows_gone=len(rows(story, gone)),
        rows_shown=len(rows(story, gone & seen)),
        turns_gone=len(turns(story, gone)),
        turns_shown=len(turns(story, gone & seen)),
        starved=is_short(story, gone, seen) and is_short(story, settled or gone, seen),
    )


def of_last_turns(story: Story) -> Sequence[Seen]:
    """Return the acting model's requests of the last two turns of the user.

    pydantic-ai-harness shows a writer what went a turn earlier.
    """
    during = turn_of_each(story)
    pairs = zip(story.acting, during, strict=True)
    return [one for one, turn in pairs if turn >= during[-1] - 1]


def is_short(story: Story, gone: frozenset[str], seen: frozenset[str]) -> bool:
    """Whether too little of what went was seen: of its records, or of the user's turns."""
    kinds = (rows(story, gone), turns(story, gone))
    return any(len(kind & seen) < ENOUGH * len(kind) for kind in kinds)


def shortened(story: Story, last: frozenset[str]) -> frozenset[str]:
    """Return the records of payloads that are there in part: a cut is no summary."""
    parts = (one.places.keys() for one in story.observed.payloads)
    return frozenset(name for part in parts if part & last for name in part)


def given_in(story: Story, requests: Sequence[Seen]) -> frozenset[str]:
    """Return the ids in any of several requests."""
    return frozenset[str]().union(*map(story.given, requests))

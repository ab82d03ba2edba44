"""What of a long conversation was still there, request by request."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ullage.probe.canary import Payload
from ullage.probe.verdict.arrived import carriers, rows_in
from ullage.probe.verdict.held import Held, held
from ullage.probe.verdict.notice import Said
from ullage.probe.verdict.requests import Story
from ullage.probe.verdict.told import told

Fate = Literal["whole", "partial", "cleared", "gone"]
"""What became of a result: all records, some, its message with none, or no message at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """The first turn of the user that was lost: which (from 0), where, and during which turn."""

    turn: int
    request: int
    during: int


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What the acting model had of a conversation.

    `kept` are the user's turns (from 0) in its last request; the early ones are the first half of
    those that were said. `results` says of each tool result in the order of the calls what the last
    request has of it. `requests` and `sizes` are for each turn of the user: how many requests, and
    their bytes, auxiliary ones included. `held` is what each of its requests held, for `cap`.
    """

    said: int
    kept: tuple[int, ...]
    first_loss: Loss | None
    notice: Said
    results: tuple[Fate, ...]
    requests: tuple[int, ...]
    sizes: tuple[int, ...]
    held: tuple[Held, ...]

    @property
    def lost(self) -> bool:
        """Whether a turn or the records of a result have gone at any time."""
        return any(not one.whole for one in self.held)

    @property
    def early(self) -> int:
        """How many turns of the first half were said."""
        return self.said // 2

    @property
    def early_kept(self) -> int:
        """How many turns of the first half are in the last request."""
        return sum(turn < self.early for turn in self.kept)

    @property
    def late_kept(self) -> int:
        """How many turns of the second half are in the last request."""
        return len(self.kept) - self.early_kept


def history(story: Story) -> History | None:
    """Judge a conversation; None where no request was made."""
    if not story.acting:
        return None
    during = turn_of_each(story)
    counts, sizes = per_turn(story)
    return History(
        said=max(during) + 1,
        kept=tuple(sorted(story.said(story.acting[-1]))),
        first_loss=first_loss(story, during),
        notice=told(story, during),
        results=tuple(fate(story, made) for made in story.observed.payloads),
        requests=tuple(counts),
        sizes=tuple(sizes),
        held=held(story, during),
    )


def turn_of_each(story: Story) -> Sequence[int]:
    """Return during which turn of the user (from 0) each acting request was made.

    The newest turn that has been in any request so far.
    """
    found, newest = [], 0
    for one in story.acting:
        newest = max([newest, *story.said(one)])
        found.append(newest)
    return found


def first_loss(story: Story, during: Sequence[int]) -> Loss | None:
    """Return the first turn that a request should have had and did not."""
    for one, turn in zip(story.acting, during, strict=True):
        missing = set(range(turn + 1)) - story.said(one)
        if missing:
            return Loss(turn=min(missing), request=one.number, during=turn)
    return None


def fate(story: Story, made: Payload) -> Fate:
    """Say what the last request has of one result."""
    last = story.acting[-1]
    there = len(
        {name for each in carriers(story, made, last) for name in rows_in(story, made, each.text)}
    )
    if there:
        return "whole" if there == len(made.places) else "partial"
    calls = {
        each.answers
        for one in story.acting
        for each in carriers(story, made, one)
        if each.answers is not None
    }
    return "cleared" if any(each.answers in calls for each in last.messages) else "gone"


def per_turn(story: Story) -> tuple[Sequence[int], Sequence[int]]:
    """Count the requests of each turn, and their bytes."""
    counts, sizes = [0], [0]
    for one in story.observed.seen:
        newest = max(story.said(one), default=0)
        while newest >= len(counts):
            counts.append(0)
            sizes.append(0)
        counts[-1] += 1
        sizes[-1] += one.size
    return counts, sizes

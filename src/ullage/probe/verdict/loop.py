"""Whether a harness asks for ever: the cap on calls, and calls made again for a lost result."""

from collections import Counter
from dataclasses import dataclass

from ullage.probe.verdict.requests import Story


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """Calls that were made again.

    `capped` counts those that the cap refused: the harness would have gone on. `again` counts calls
    of the tool beyond the first in one turn of the user, `after_loss` those of them for which the
    result before was not, or no longer, in the request.
    """

    capped: int
    again: int
    after_loss: int

    @property
    def looped(self) -> bool:
        """Whether only the cap ended it."""
        return self.capped > 0


def loop(story: Story) -> Loop:
    """Count the calls that were made again."""
    times = Counter[int]()
    again, after_loss, newest = 0, 0, 0
    for call, one in enumerate(story.asking):
        newest = max([newest, *story.said(one)])
        if times[newest]:
            again += 1
            after_loss += is_gone(story, call - 1, call)
        times[newest] += 1
    return Loop(capped=story.observed.capped, again=again, after_loss=after_loss)


def is_gone(story: Story, earlier: int, call: int) -> bool:
    """Whether the request that led to a call has no record of the result before."""
    made = story.observed.payloads
    if earlier >= len(made):
        return False
    return story.given(story.asking[call]).isdisjoint(made[earlier].places)

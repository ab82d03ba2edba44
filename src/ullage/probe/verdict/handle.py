"""Whether the way back that a cut result offers is followed, and leads anywhere."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ullage.checks.handles import HANDLE, OFFER
from ullage.probe.canary import Payload
from ullage.probe.observed import Seen
from ullage.probe.verdict.arrived import rows_in
from ullage.probe.verdict.delivery import Delivery
from ullage.probe.verdict.requests import Story

RELATIVE = re.compile(r"(?<![\w/.~])(?P<handle>[\w.-]*\w/(?:[\w.-]+/)*[\w-]+\.\w+)")
QUOTED = re.compile(r"`(?P<handle>[^`\s]*\d[^`\s]*)`")
NAMES = (OFFER, HANDLE, RELATIVE, QUOTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Handle:
    """The way back: whether one was offered, the names in it, and what following it gave.

    `followed` counts the calls that were made after the cut result, `rows_fetched` the records that
    the acting model had not had before and had after these calls. `dead` says that it was followed
    and gave none.
    """

    offered: bool
    names: tuple[str, ...] = ()
    followed: int = 0
    rows_fetched: int = 0

    @property
    def worked(self) -> bool:
        """Whether following it gave records."""
        return self.followed > 0 and self.rows_fetched > 0

    @property
    def dead(self) -> bool:
        """Whether it was followed and gave none."""
        return self.followed > 0 and not self.worked


def handle(story: Story, deliveries: Sequence[Delivery], made: Sequence[Payload]) -> Handle:
    """Judge the way back of the first result that offers one."""
    pairs = zip(deliveries, made, strict=True)
    for found, produced in pairs:
        if found.notice.grade == "way-back" and found.request is not None:
            return followed(story, found, produced, found.request)
    return Handle(offered=False)


def followed(story: Story, found: Delivery, produced: Payload, request: int) -> Handle:
    """Say what came of the calls behind a cut result."""
    later = [one for one in story.acting if one.number >= request]
    calls = [one.number for one in later for _ in range(story.other_calls(one))]
    had = rows_had(story, produced, [one for one in story.acting if one.number <= request])
    now = rows_had(story, produced, [one for one in later if calls and one.number > calls[0]])
    text = found.notice.text
    names = [each["handle"] for pattern in NAMES for each in pattern.finditer(text)]
    return Handle(
        offered=True,
        names=tuple(dict.fromkeys(names)),
        followed=len(calls),
        rows_fetched=len(now - had),
    )


def rows_had(story: Story, produced: Payload, requests: Sequence[Seen]) -> frozenset[str]:
    """Return the records of a payload that requests gave."""
    texts = (each.text for one in requests for each in one.messages if each.role != "assistant")
    return frozenset().union(*(rows_in(story, produced, text) for text in texts))

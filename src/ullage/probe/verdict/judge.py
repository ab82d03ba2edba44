"""The verdict on one case: all that was seen of it, judged by its kind."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ullage.probe.case import Case, Kind
from ullage.probe.observed import Observed
from ullage.probe.verdict.arrived import deliveries, produced
from ullage.probe.verdict.auxiliary import Auxiliary, auxiliary
from ullage.probe.verdict.delivery import Delivery
from ullage.probe.verdict.handle import Handle, handle
from ullage.probe.verdict.handoff import Handoff, handoff
from ullage.probe.verdict.history import History, history
from ullage.probe.verdict.length import Length, length
from ullage.probe.verdict.loop import Loop, loop
from ullage.probe.verdict.overflow import Overflow, overflow
from ullage.probe.verdict.requests import Story
from ullage.probe.verdict.shown import Shown, shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What one case says of its harness.

    `deliveries` are the payloads in the order of the calls. What the case's kind does not try is
    None. `requests` counts all requests to the model, `acting` those of the acting model.
    """

    case: Case
    requests: int
    acting: int
    deliveries: tuple[Delivery, ...]
    auxiliary: tuple[Auxiliary, ...]
    loop: Loop
    shown: Shown | None = None
    history: History | None = None
    handoff: Handoff | None = None
    length: Length | None = None
    overflow: Overflow | None = None
    handle: Handle | None = None

    @property
    def rows_produced(self) -> int:
        """The records of all payloads."""
        return sum(one.rows_produced for one in self.deliveries)

    @property
    def rows_delivered(self) -> int:
        """Those that arrived whole at their first request."""
        return sum(one.rows_delivered for one in self.deliveries)

    @property
    def worst(self) -> Delivery | None:
        """The payload of which least arrived; the first of them."""
        return min(
            self.deliveries,
            key=lambda one: (not one.lost, one.rows_delivered / one.rows_produced),
            default=None,
        )

    @property
    def early_turns_kept(self) -> int | None:
        """How many turns of the first half are in the last request; None where there is one."""
        known = self.history
        return None if known is None or known.said < LEAST_TURNS else known.early_kept

    @property
    def summariser_rows(self) -> int | None:
        """The records that left the conversation and that its summarisers were shown.

        None where nobody was asked for a summary, or nothing left.
        """
        one = self.shown
        return one.rows_shown if one is not None and (one.rows_gone or one.turns_gone) else None

    @property
    def is_measured(self) -> bool:
        """Whether a result was sent on, and a helper asked, where the case has that."""
        unsent = self.deliveries and not any(one.sent for one in self.deliveries)
        return not unsent and (self.case.kind != "handoff" or self.handoff is not None)

    @property
    def lost(self) -> bool:
        """Whether anything that was produced did not arrive, or went again."""
        gone = self.history is not None and self.history.lost
        short = self.handoff is not None and self.handoff.arrived < self.handoff.planted
        return gone or short or any(one.lost for one in self.deliveries)

    def to_dict(self) -> dict[str, object]:
        """Return the members of one case in `ullage.probe/1`."""
        worst = self.worst
        return {
            "rows_produced": self.rows_produced,
            "rows_delivered": self.rows_delivered,
            "by_part": by_part(self.deliveries),
            "valid": None if worst is None else all(one.valid for one in self.deliveries),
            "syntax": None if worst is None else worst.syntax,
            "notice": None
            if worst is None
            else {"grade": worst.notice.grade, "text": worst.notice.text},
            "side_lost": None if worst is None else worst.side_lost,
            "early_turns_kept": self.early_turns_kept,
            "summariser_rows": self.summariser_rows,
        }


LEAST_TURNS = 2


def by_part(found: Sequence[Delivery]) -> dict[str, dict[str, int]]:
    """Add up the records of each part over all payloads."""
    total: dict[str, dict[str, int]] = {}
    for one in found:
        for part, rows in one.by_part.items():
            known = total.setdefault(part, {"produced": 0, "delivered": 0, "partial": 0})
            known["produced"] += rows.produced
            known["delivered"] += rows.delivered
            known["partial"] += rows.partial
    return total


def judge(observed: Observed, *, around: str | None = None) -> Verdict:
    """Judge a case.

    `around` is what the same harness writes around a result that it does not shorten: the `around`
    of a delivery that lost nothing.
    """
    return judge_story(Story(observed), around=around)


def judge_story(story: Story, *, around: str | None = None) -> Verdict:
    """Judge a case whose requests have been read."""
    found = Verdict(
        case=story.case,
        requests=len(story.observed.seen),
        acting=len(story.acting),
        deliveries=deliveries(story, around=around),
        auxiliary=auxiliary(story),
        loop=loop(story),
        shown=shown(story),
    )
    return JUDGES[story.case.kind](story, found)


def with_history(story: Story, found: Verdict) -> Verdict:
    """Add what became of the conversation."""
    return replace(found, history=history(story))


def with_handle(story: Story, found: Verdict) -> Verdict:
    """Add what became of the way back."""
    return replace(found, handle=handle(story, found.deliveries, produced(story)))


def with_handoff(story: Story, found: Verdict) -> Verdict:
    """Add what crossed between two agents."""
    return replace(found, handoff=handoff(story))


def with_length(story: Story, found: Verdict) -> Verdict:
    """Add what was done with a stopped reply."""
    return replace(found, length=length(story))


def with_overflow(story: Story, found: Verdict) -> Verdict:
    """Add what was done when a prompt was refused."""
    return replace(found, overflow=overflow(story))


JUDGES: Mapping[Kind, Callable[[Story, Verdict], Verdict]] = {
    "result": with_handle,
    "user": with_history,
    "history": with_history,
    "handoff": with_handoff,
    "length": with_length,
    "overflow": with_overflow,
    "handle": with_handle,
}

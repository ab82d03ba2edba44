"""What a compaction would have to do, before any is done: what must go, and who could take it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack, cast

from ullage.cutter.excerpt import excerpt
from ullage.history.carried import without
from ullage.history.event import Event
from ullage.history.job import Options, job_of
from ullage.history.piece import HistoryUnit, Piece
from ullage.history.settings import Tier
from ullage.history.take_out import take_out
from ullage.history.tiers import repair
from ullage.history.units import units_of

MOST_PARTS = 5
SHOWN = 60
"""Characters of a call's arguments that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What one rule would take, all rules before it having taken theirs.

    `cost` is in the budget's unit, `share` the part of the whole history that this is.
    """

    rule: str
    results: int
    tokens: int
    cost: int
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One large piece of a history: its place and what it is."""

    place: int | None
    what: str
    tokens: int
    cost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRun:
    """The arithmetic of a budget, in its unit.

    `fixed` is what is no message, `reserve` what is kept for the reply, `history` the messages. Of
    these `must_remove` has to go, `rules_remove` rules could take at the most, `protected` never
    leaves. `model_needed`: rules alone do not bring it within the budget, and by the gate, if there
    is one, a summary is asked for; `trim_needed`: they do not, and no model is asked.
    """

    session: str | None
    budget: int
    unit: HistoryUnit
    tier: Tier
    messages: int
    replies: int
    fixed: int
    reserve: int
    reserve_from: str
    history: int
    tokens: int
    must_remove: int
    rules_remove: int
    after_rules: int
    model_needed: bool
    trim_needed: bool
    protected: int
    possible: bool
    rules: Sequence[Taken]
    largest: Sequence[Part]

    def to_dict(self) -> Mapping[str, object]:
        """Return the members of `sessions[]` in `ullage.compact-dry-run/1`, in their order."""
        return {
            "session": self.session,
            "budget": {"limit": self.budget, "unit": self.unit},
            "tier": self.tier,
            "messages": self.messages,
            "replies": self.replies,
            "fixed": self.fixed,
            "reserve": self.reserve,
            "reserve_from": self.reserve_from,
            "history": self.history,
            "tokens": self.tokens,
            "must_remove": self.must_remove,
            "rules_remove": self.rules_remove,
            "after_rules": self.after_rules,
            "model_needed": self.model_needed,
            "trim_needed": self.trim_needed,
            "protected": self.protected,
            "possible": self.possible,
            "rules": [
                {
                    "rule": one.rule,
                    "results": one.results,
                    "tokens": one.tokens,
                    "cost": one.cost,
                    "share": one.share,
                }
                for one in self.rules
            ],
            "largest": [
                {"place": one.place, "what": one.what, "tokens": one.tokens, "cost": one.cost}
                for one in self.largest
            ],
        }


def dry_run(
    history: object, budget: int, *, session: str | None = None, **options: Unpack[Options]
) -> DryRun:
    """Say what `compact` would have to do with the same history, budget and options.

    Nothing is altered, kept or asked of a model. Raises what `compact` raises for wrong settings.
    """
    kept_nowhere = {name: one for name, one in options.items() if name not in ("store", "ledger")}
    job = job_of(history, budget, cast("Options", kept_nowhere))
    course, work = job.course, job.work
    repair(course, work)
    pieces, total = course.pieces, course.cost
    guard = work.guard(pieces)
    if work.plan.elides and work.settings.unit != "messages":
        take_out(course, work, 0)
    left = course.cost
    over = left > budget
    asks = work.plan.summarises and work.settings.summarise != "never"
    gate = work.settings.gate or 0.0
    model = over and asks and left >= budget * (1 + gate)
    protected = total - sum(one.cost for one in without(pieces, guard.exempt))
    own = sum(one.cost for one in pieces)
    reserve = job.reserve if work.settings.unit == "tokens" else 0
    return DryRun(
        session=session,
        budget=budget,
        unit=work.settings.unit,
        tier=work.settings.tier,
        messages=job.before.messages,
        replies=max((one.turn for one in units_of(pieces)), default=0),
        fixed=total - own - reserve,
        reserve=reserve,
        reserve_from=job.reserve_from,
        history=own,
        tokens=job.before.tokens,
        must_remove=max(0, total - budget),
        rules_remove=total - left,
        after_rules=left,
        model_needed=model,
        trim_needed=over and not model,
        protected=protected,
        possible=protected <= budget,
        rules=tuple(taken_by_rules(course.events, own)),
        largest=tuple(largest_of(pieces)),
    )


def taken_by_rules(events: Sequence[Event], whole: int) -> Iterator[Taken]:
    """Yield what each rule took, in the order in which they ran."""
    each = [one for one in events if one.action == "elide" and one.rule is not None]
    for rule in dict.fromkeys(one.rule for one in each):
        own = [one for one in each if one.rule == rule]
        cost = sum(one.before - one.after for one in own)
        yield Taken(
            rule=str(rule),
            results=len({one.messages for one in own}),
            tokens=sum(one.tokens_before - one.tokens_after for one in own),
            cost=cost,
            share=cost / whole if whole else 0.0,
        )


def largest_of(pieces: Sequence[Piece]) -> Iterator[Part]:
    """Yield the largest pieces, the largest first."""
    calls = {call.call_id: call for one in pieces for call in one.message.calls if call.call_id}
    ranked = sorted(pieces, key=lambda one: -one.tokens)
    for _, one in zip(range(MOST_PARTS), ranked, strict=False):
        what = f"{one.message.role} message"
        if one.is_result:
            call = calls.get(one.message.answers or "")
            tool = call.name if call is not None else one.message.name
            given = f"({excerpt(call.arguments, SHOWN)})" if call is not None else ""
            what = f"result of {tool or 'a tool'}{given}"
        yield Part(place=one.place, what=what, tokens=one.tokens, cost=one.cost)

"""What a replay found: rates with intervals, by policy, by tool, by part, field and position."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ullage.policies.field_diff import field_diff
from ullage.policies.job import Job
from ullage.policies.policy import Policy, parse_policy
from ullage.policies.rates import FieldRate, example_members, rate_of
from ullage.policies.tally import Counts, Example, Group, Tally

SCHEMA = "ullage.replay/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one policy did to the results of one kind: those whose produced text is known, or not.

    `tools` has the counts by tool, `counts` those of all. `positions` are the tenths of each part,
    of those that have any record.
    """

    counts: Counts
    tools: Mapping[str, Counts]
    parts: tuple[FieldRate, ...]
    fields: tuple[FieldRate, ...]
    positions: tuple[FieldRate, ...]

    def to_dict(self, told: "Told") -> dict[str, object]:
        """Return its members, of which some are left out where they were not looked for."""
        return {
            **told.members(self.counts),
            "arrival": {
                "by_field": [one.to_dict() for one in self.fields],
                "by_part": [one.to_dict() for one in self.parts],
                "by_position": [one.to_dict() for one in self.positions],
            },
            "by_tool": [
                {"tool": tool, **told.members(counts)} for tool, counts in self.tools.items()
            ],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What was looked for: what was not is null, and no 0."""

    tokens: bool
    second_path: bool

    def members(self, counts: Counts) -> dict[str, object]:
        """Return counts as the members of a document."""
        tokens = {"produced": counts.produced_tokens, "delivered": counts.delivered_tokens}
        paths = {"loud": counts.loud, "quiet": counts.quiet, "untold": counts.untold}
        return {
            "results": counts.results,
            "over_budget": counts.over_budget,
            "cut": counts.cut,
            "json": counts.json,
            "cut_json": counts.cut_json,
            "broken": counts.broken,
            "notices": counts.notices,
            "records": counts.records,
            "lost_records": counts.lost_records,
            "partial_records": counts.partial_records,
            "second_path": paths if self.second_path else None,
            "chars": {"produced": counts.produced_chars, "delivered": counts.delivered_chars},
            "tokens": tokens if self.tokens else None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyOutcome:
    """One policy: what it did to results whose produced text is known, and to the others.

    The others are replayed from what was delivered: what was lost before is not in their figures.
    """

    name: str
    limit: int | None
    unit: str | None
    produced: Outcome
    delivered: Outcome
    examples: Mapping[str, Sequence[Example]]

    def to_dict(self, told: Told) -> dict[str, object]:
        """Return its members."""
        return {
            "name": self.name,
            "budget": None if self.limit is None else {"limit": self.limit, "unit": self.unit},
            **self.produced.to_dict(told),
            "of_delivered": self.delivered.to_dict(told),
            "examples": {
                kind: [example_members(one) for one in found]
                for kind, found in self.examples.items()
            },
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """What each policy would have delivered of the same results."""

    sources: tuple[str, ...]
    sessions: int
    skipped: Mapping[str, int]
    told: Told
    policies: tuple[PolicyOutcome, ...]

    def to_dict(self) -> dict[str, object]:
        """Return the members of `ullage.replay/1`, without its schema."""
        return {
            "sources": list(self.sources),
            "sessions": self.sessions,
            "skipped": dict(self.skipped),
            "policies": [
                {
                    **one.to_dict(self.told),
                    "against_first": [each.to_dict() for each in field_diff(self.policies[0], one)],
                }
                for one in self.policies
            ],
        }


def replayed(tally: Tally, job: Job, sources: Sequence[str]) -> Replayed:
    """Return the finished figures of a tally whose shards are all there; any `job` is one of it."""
    return Replayed(
        sources=tuple(sources),
        sessions=tally.sessions,
        skipped=dict(sorted(tally.skipped.items())),
        told=Told(tokens=job.tokens, second_path=job.second_path),
        policies=tuple(
            policy_outcome(tally, number, parse_policy(name, model=job.model))
            for number, name in enumerate(job.policies)
        ),
    )


def policy_outcome(tally: Tally, number: int, policy: Policy) -> PolicyOutcome:
    """Return the figures of one policy."""
    budget = policy.budget
    return PolicyOutcome(
        name=policy.name,
        limit=budget.limit if budget else None,
        unit=budget.unit if budget else None,
        produced=outcome(tally, number, known=True),
        delivered=outcome(tally, number, known=False),
        examples={
            kind: tuple(found)
            for (policy, kind), found in sorted(tally.examples.items())
            if policy == number
        },
    )


def outcome(tally: Tally, number: int, *, known: bool) -> Outcome:
    """Return what one policy did to the results of one kind."""
    tools = {
        group.tool: counts
        for group, counts in sorted(tally.counts.items())
        if is_of(group, number, known=known)
    }
    total = Counts()
    for one in tools.values():
        total.add(one)
    keys = [key for key in tally.cells if is_of(key.group, number, known=known)]
    rates = [rate_of(key, tally) for key in keys]
    return Outcome(
        counts=total,
        tools=tools,
        parts=in_order(one for one in rates if one.field is None and one.tenth is None),
        fields=in_order(one for one in rates if one.field is not None),
        positions=in_order(one for one in rates if one.tenth is not None),
    )


def is_of(group: Group, number: int, *, known: bool) -> bool:
    """Whether figures are of one policy and of one kind of results."""
    return group.policy == number and group.known is known


def in_order(rates: Iterable[FieldRate]) -> tuple[FieldRate, ...]:
    """Return rates by tool, path, field and place."""
    return tuple(
        sorted(rates, key=lambda one: (one.tool, one.path, one.field or "", one.tenth or 0))
    )

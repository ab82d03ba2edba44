"""One shard replayed: read, delivered under every policy, measured, added up."""

from collections.abc import Callable
from dataclasses import dataclass, field

from ullage.arrivals.landed import Landed, landed, made
from ullage.arrivals.rates import Tally as CallTally
from ullage.counting.count import counter
from ullage.policies import tally_form
from ullage.policies.delivery import Delivery
from ullage.policies.loud import Loudness
from ullage.policies.policy import Policy, parse_policy
from ullage.policies.recorded import Recorded
from ullage.policies.shard import Shard, Skipped
from ullage.policies.sources import items
from ullage.policies.tally import Apart, Counts, Example, Group, Key, SessionSums, Tally, by_tenths


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A shard and what is to be found out about it; it crosses processes and machines."""

    shard: Shard
    policies: tuple[str, ...]
    model: str | None = None
    tokens: bool = True
    second_path: bool = False


def run(job: Job) -> bytes:
    """Replay a shard; return its tally in the form of `tally_form`."""
    going = Going(job)
    for one in items(job.shard):
        if isinstance(one, Skipped):
            going.tally.skip(one.why, one.number)
        else:
            going.add(one)
    return tally_form.written(going.done())


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """A policy that is being replayed."""

    number: int
    policy: Policy
    deliver: Callable[[str], Delivery]


@dataclass(slots=True, kw_only=True)
class Open:
    """A session of this shard that is not ended yet."""

    sums: SessionSums = field(default_factory=dict)
    loudness: list[Loudness] = field(default_factory=list)


class Going:
    """What has been counted of a shard so far."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.tally = Tally()
        self.size: Callable[[str], int] | None = counter(job.model) if job.tokens else None
        self.applied = [applied(at, name, job.model) for at, name in enumerate(job.policies)]
        self.sessions: dict[str, Open] = {}

    def add(self, one: Recorded) -> None:
        """Replay one result under every policy."""
        session = self.sessions.get(one.session) or self._begun(one.session)
        read = made(one.text)
        size = 0 if self.size is None else self.size(one.text)
        first: Landed | None = None
        for each in self.applied:
            delivery = each.deliver(one.text)
            found = landed(read, delivery.text)
            first = first or found
            group = Group(policy=each.number, known=one.known, tool=one.tool)
            self._count(group, each, one, delivery, found, size)
            example = self._example(one, delivery)
            self._sum(group, session.sums, found, example)
            self._compare(group, first, found, example)
            if self.job.second_path:
                session.loudness[each.number].add(group, read, delivery.text, found)

    def done(self) -> Tally:
        """End the sessions and return what was counted."""
        shard = self.job.shard
        for name, session in self.sessions.items():
            if name in shard.split:
                self.tally.left_open(shard.session(name), session.sums)
            else:
                self.tally.ended(session.sums, counted=name not in shard.counted_elsewhere)
            for one in session.loudness:
                one.judge(self.tally)
        return self.tally

    def _begun(self, name: str) -> Open:
        loudness = [Loudness() for _ in self.applied] if self.job.second_path else []
        self.sessions[name] = Open(loudness=loudness)
        return self.sessions[name]

    def _count(
        self,
        group: Group,
        each: Applied,
        one: Recorded,
        delivery: Delivery,
        found: Landed,
        size: int,
    ) -> None:
        counts = self.tally.counts.setdefault(group, Counts())
        is_cut = delivery.text != one.text
        over = is_cut or each.policy.is_over(one.text)
        broken = is_cut and found.valid is False
        counts.results += 1
        counts.over_budget += over
        counts.cut += is_cut
        counts.json += found.valid is not None
        counts.cut_json += is_cut and found.valid is not None
        counts.broken += broken
        counts.notices += is_cut and bool(delivery.notice)
        counts.produced_chars += len(one.text)
        counts.delivered_chars += len(delivery.text)
        if self.size is not None:
            counts.produced_tokens += size
            counts.delivered_tokens += self.size(delivery.text) if is_cut else size
        lost = 0
        for part in found.parts:
            counts.records += part.produced
            counts.partial_records += part.partial
            lost += part.produced - part.delivered - part.partial
        counts.lost_records += lost
        for kind, is_one in (("broken", broken), ("lost", lost > 0)):
            if is_one:
                self.tally.example(each.number, kind, self._example(one, delivery))

    def _example(self, one: Recorded, delivery: Delivery) -> Example:
        return Example(
            source=self.job.shard.source,
            number=one.number,
            place=one.place,
            session=one.session,
            tool=one.tool,
            produced=len(one.text),
            delivered=len(delivery.text),
        )

    def _sum(self, group: Group, sums: SessionSums, found: Landed, example: Example) -> None:
        for part in found.parts:
            if not part.produced:  # a part of nothing has no rate
                continue
            path = part.path
            key = Key(group, path)
            sums.setdefault(key, CallTally()).add(part.produced, part.delivered, part.partial)
            if part.delivered < part.produced:
                self.tally.loses(key, example)
            for one in part.fields:
                key = Key(group, path, one.field)
                sums.setdefault(key, CallTally()).add(one.produced, one.delivered, 0)
                if one.delivered < one.produced:
                    self.tally.loses(key, example)
            for tenth, *figures in by_tenths(part.states):
                sums.setdefault(Key(group, path, None, tenth), CallTally()).add(*figures)

    def _compare(self, group: Group, first: Landed, other: Landed, example: Example) -> None:
        if other is first:
            return
        for before, after in zip(first.parts, other.parts, strict=True):
            if after.delivered != before.delivered:
                figures = after.produced, before.delivered, after.delivered
                self.tally.differs(Key(group, after.path), Apart(example, *figures))
            for one, two in zip(before.fields, after.fields, strict=True):
                if one.delivered != two.delivered:
                    figures = two.produced, one.delivered, two.delivered
                    self.tally.differs(Key(group, two.path, two.field), Apart(example, *figures))


def applied(number: int, name: str, model: str | None) -> Applied:
    """Return a policy, ready to deliver. Raises ConfigError."""
    policy = parse_policy(name, model=model)
    return Applied(number=number, policy=policy, deliver=policy.applied())

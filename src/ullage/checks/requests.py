"""Going through the exchanges of a run or a file, one at a time."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ullage.checks.assemble import Assembly
from ullage.checks.measured import Requests
from ullage.checks.sent import Conversation, Conversations
from ullage.checks.watch import Watch
from ullage.transcript.finding import Finding
from ullage.transcript.words import Cohort
from ullage.wire.exchange import Exchange


@dataclass(slots=True)
class Going:
    """What is known after the exchanges so far."""

    conversations: Conversations = field(default_factory=Conversations)
    counts: Counter[str] = field(default_factory=Counter)
    other_paths: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    cohorts: set[Cohort] = field(default_factory=set)
    watch: Watch = field(default_factory=Watch)
    assembly: Assembly = field(default_factory=Assembly)
    findings: list[Finding] = field(default_factory=list)

    def add(self, one: Exchange) -> None:
        """Read one exchange; its bodies are not kept."""
        self.counts["all"] += 1
        if one.failure is not None:
            self.counts["failed"] += 1
            self.failures[one.failure] += 1
        elif one.cohort is not None:
            self.cohorts.add(one.cohort)
        if one.reply is not None:
            self.counts["ended"] += one.reply.finish_reason is not None
            self.counts["compactions"] += one.reply.compaction is not None
        place = self.place(one)
        if place is not None:
            self.assembly.add(place.number, one)
        self.findings += self.watch.judge(one, place)

    def place(self, one: Exchange) -> Conversation | None:
        """Count a request by what it is, and return its conversation if it has one."""
        if one.kind is None:
            path = (one.path or "").partition("?")[0]
            self.other_paths[f"{one.method} {path}"] += 1
        if one.kind != "turn" or one.request is None:  # the others show the acting model nothing
            return None
        failed = one.failure is not None
        self.counts["to_model"] += 1
        self.counts["to_model_failed"] += failed
        if not one.request.messages:
            self.counts["unreadable"] += not failed
            return None
        self.counts["read"] += 1
        return self.conversations.add(one.request, one.number, failed=failed, reply=one.reply)

    def done(self) -> Requests:
        """Return the figures."""
        return Requests(
            all=self.counts["all"],
            to_model=self.counts["to_model"],
            to_model_failed=self.counts["to_model_failed"],
            read=self.counts["read"],
            failed=self.counts["failed"],
            unreadable=self.counts["unreadable"],
            other_paths=dict(self.other_paths),
            failures=dict(self.failures),
            conversations=len(self.conversations.all),
            cohorts=sorted(self.cohorts),
            ended=self.counts["ended"],
            compactions=self.counts["compactions"],
        )


def go_through(exchanges: Iterable[Exchange]) -> Going:
    """Read all exchanges of a run or a file."""
    going = Going()
    for one in exchanges:
        going.add(one)
    return going


def all_requests(each: Sequence[Requests]) -> Requests:
    """Return the figures of several runs or files as one."""
    other_paths, failures = Counter[str](), Counter[str]()
    for one in each:
        other_paths.update(one.other_paths)
        failures.update(one.failures)
    return Requests(
        all=sum(one.all for one in each),
        to_model=sum(one.to_model for one in each),
        to_model_failed=sum(one.to_model_failed for one in each),
        read=sum(one.read for one in each),
        failed=sum(one.failed for one in each),
        unreadable=sum(one.unreadable for one in each),
        other_paths=dict(other_paths),
        failures=dict(failures),
        conversations=sum(one.conversations for one in each),
        cohorts=sorted({cohort for one in each for cohort in one.cohorts}),
        ended=sum(one.ended for one in each),
        compactions=sum(one.compactions for one in each),
    )

"""Going through a run's requests, one at a time."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from ullage.checks.measured import Requests
from ullage.checks.sent import Conversations
from ullage.ledger.records import StoredExchange
from ullage.transcript.words import Cohort
from ullage.wire.failures import error_message, unpacked
from ullage.wire.readers import reader_of

REFUSED = 400
# The other kinds of exchange show the acting model nothing.
SHOWN = ("turn",)


@dataclass(slots=True)
class Going:
    """What is known after the requests so far."""

    conversations: Conversations = field(default_factory=Conversations)
    counts: Counter[str] = field(default_factory=Counter)
    other_paths: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    cohorts: set[Cohort] = field(default_factory=set)

    def add(self, one: StoredExchange) -> None:
        """Read one request; its body is not kept."""
        failure = failure_of(one)
        self.counts["all"] += 1
        if failure is not None:
            self.counts["failed"] += 1
            self.failures[failure] += 1
        elif one.cohort is not None:
            self.cohorts.add(one.cohort)
        path = one.path.partition("?")[0]
        reader = reader_of(path)
        if reader is None or reader.kind not in SHOWN:
            self.other_paths[f"{one.method} {path}"] += 1
            return
        self.counts["to_model"] += 1
        self.counts["to_model_failed"] += failure is not None
        request = reader.read_request(one.request_body)
        if not request.messages:
            self.counts["unreadable"] += failure is None
            return
        self.counts["read"] += 1
        reply = reader.read_reply(reply_of(one))
        self.conversations.add(request, one.number, failed=failure is not None, reply_ids=reply.ids)

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
        )


def go_through(exchanges: Iterable[StoredExchange]) -> Going:
    """Read all requests of a run."""
    going = Going()
    for one in exchanges:
        going.add(one)
    return going


def failure_of(one: StoredExchange) -> str | None:
    """Return in words why a request failed; None where it was answered."""
    if one.error is not None:
        return one.error
    if one.status is None or one.status < REFUSED:
        return None
    said = error_message(reply_of(one))
    return f"{one.status} {said}" if said else f"{one.status}, without a message"


def reply_of(one: StoredExchange) -> bytes:
    """Return a reply's body, unpacked where we can."""
    return unpacked(one.response_body or b"", one.response_headers.get("content-encoding"))

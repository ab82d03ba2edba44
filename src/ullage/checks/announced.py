"""Compactions that a ledger tells of, joined with those that are seen in its requests.

A record is written right before the request that is the first to go without something. Only what
the history states itself is joined: a record must not excuse what somebody else took out.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ullage.checks.session import Session
from ullage.ledger.history import StoredCompaction, rules_of
from ullage.transcript.transcript import Compaction, Transcript


def announced(
    sessions: Sequence[Session],
    records: Sequence[StoredCompaction],
    started: Mapping[int, float],
) -> list[Session]:
    """Return the sessions of a run with what its records say of each compaction.

    `started` is when each exchange began, in seconds since the epoch, by its number.
    """
    if not records:
        return list(sessions)
    waiting = Waiting(records)
    return [replace(one, transcript=told(one.transcript, waiting, started)) for one in sessions]


class Waiting:
    """Records that no compaction was joined with yet."""

    def __init__(self, records: Sequence[StoredCompaction]) -> None:
        self._records = sorted(records, key=lambda one: one.at)

    def before(self, at: float) -> StoredCompaction | None:
        """Take out the last record before a time."""
        place = bisect_right(self._records, at, key=lambda one: one.at) - 1
        return self._records.pop(place) if place >= 0 else None


def told(whole: Transcript, waiting: Waiting, started: Mapping[int, float]) -> Transcript:
    """Return a transcript with what records say of its compactions."""
    found = [recorded(whole, one, waiting, started) for one in whole.compactions]
    return replace(whole, compactions=found)


def recorded(
    whole: Transcript, one: Compaction, waiting: Waiting, started: Mapping[int, float]
) -> Compaction:
    """Return one compaction with what its record says, where there is one."""
    number = whole.entries[one.at].exchange if one.at < len(whole.entries) else None
    if not one.stated or number is None or number not in started:
        return one
    record = waiting.before(started[number])
    if record is None:
        return one
    rules = tuple(dict.fromkeys([*one.rules, *rules_of(record.events)]))
    return replace(
        one,
        recorded=True,
        tier=record.tier,
        rules=rules,
        trigger=f"budget of {record.budget} {record.unit}",
        tokens_before=record.tokens_before,
        tokens_after=record.tokens_after,
    )

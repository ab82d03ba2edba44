"""`payload-in-history`: data in an older message of the user, where a history limit takes it."""

from collections.abc import Iterator

from ullage.arrivals.parts import parts_of
from ullage.arrivals.read import read
from ullage.checks.left import compactions
from ullage.checks.session import Session, finding
from ullage.checks.tables import tables
from ullage.transcript.finding import Finding
from ullage.wire.results import is_result

NAME = "payload-in-history"
RECORDS = 10
"""From so many records on a message is data, not an example."""
CHARS = 1000


def check(session: Session) -> Iterator[Finding]:
    """Report data in a message of a user that is not the newest one, while it is still there.

    A person who pastes rows and asks several questions does so, too: it is a note, and a warning
    once the session's history was shortened.
    """
    users = [
        at
        for at, one in enumerate(session.entries)
        if one.message.role == "user" and not is_result(one.message) and one.in_context
    ]
    shortened = [left for left in compactions(session) if left.gone]
    for at in users[:-1]:
        if at < session.transcript.shared:
            continue
        text = session.entries[at].message.text
        records = records_in(text)
        if records < RECORDS:
            continue
        lost = any(at in left.gone for left in shortened)
        advice = (
            f"{records} records stand in an older message of the user. A limit on history drops "
            "such a message first. Put all data into the current message, or behind a tool."
        )
        evidence = {
            "records": records,
            "characters": len(text),
            "newer_user_messages": sum(one > at for one in users),
            "lost": lost,
        }
        yield finding(
            session, at, NAME, "warning" if shortened else "note", "retain", advice, evidence
        )


def records_in(text: str) -> int:
    """Count the records of the largest list in a text; 0 in one that is too short to be data."""
    if len(text) < CHARS:
        return 0
    found = tables(text)
    if "[" in text:
        found += [part for piece in read(text).pieces for part in parts_of(piece.value)]
    return max((len(part.records) for part in found), default=0)

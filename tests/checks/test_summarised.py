"""The checks of a compaction over whole sessions: each summary, where it stands."""

from dataclasses import replace

from tests.checks.sessions import says, session, system, user

from ullage.checks.run import session_findings
from ullage.checks.session import Session
from ullage.transcript.finding import Finding
from ullage.transcript.transcript import Compaction

HISTORY = (
    system("You are a repo helper."),
    user("Migrate the billing service to Postgres."),
    says("I will begin with the schema."),
    user("Never touch the production database. Rename the invoices table as well."),
)
GOOD = "Summary: billing goes to Postgres, never touch the production database, rename invoices."
BAD = "Summary: billing goes to Postgres."


def with_summary(text: str, **changes: object) -> Session:
    one = Compaction(at=4, act="summarise", after=(0, 4), summary=(4,))
    return session(*HISTORY, user(text), compactions=[replace(one, **changes)])  # type: ignore[arg-type] # members by name


def lost(one: Session) -> list[Finding]:
    return [
        found
        for found in session_findings(one)
        if found.check in ("instruction-lost", "constraint-lost", "task-lost")
    ]


def test_what_a_summary_of_a_session_lost_is_reported_at_the_summary() -> None:
    (found,) = lost(with_summary(BAD))

    assert (found.check, found.session) == ("instruction-lost", "s1")
    assert found.evidence["message"] == 4


def test_a_good_summary_is_left_alone() -> None:
    assert lost(with_summary(GOOD)) == []


def test_what_cannot_be_read_or_is_no_summary_is_passed_over() -> None:
    for changes in ({"opaque": True}, {"act": "trim", "summary": ()}, {"after": None}):
        assert lost(with_summary(BAD, **changes)) == []

"""The checks of a compaction over whole sessions: each summary, where it stands."""

from dataclasses import replace

from tests.checks.sessions import calls, gives, says, session, system, user

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


def test_a_task_is_lost_though_the_rules_beside_it_were_kept() -> None:
    one = session(
        user(
            "Write unit tests for the tariff parser. Never mail customers. Use at most 7 retries."
        ),
        says("I am on it."),
        user("Rename the invoices table to billing_invoices."),
        user("Summary: never mail customers; at most 7 retries; rename invoices table."),
        compactions=[Compaction(at=3, act="summarise", after=(3,), summary=(3,))],
    )

    assert [found.check for found in lost(one)] == ["task-lost"]


def test_a_task_that_was_trimmed_is_lost_in_any_language() -> None:
    one = session(
        user("Corrige le calcul de la TVA dans le module factures."),
        calls("c1", "read_file", path="tva.py"),
        gives("c1", "taux = 0.2"),
        user("Rename the invoices table to billing_invoices."),
        says("Working on it."),
        compactions=[Compaction(at=5, act="trim", after=(3, 4))],
    )

    assert [found.check for found in lost(one)] == ["task-lost"]

"""Reading what workers did and what they found."""

from collections.abc import Iterator

import msgspec

from ullage.errors import LedgerError
from ullage.ledger.connection import Session
from ullage.ledger.entries import content_of, pages
from ullage.ledger.handing_records import StoredFinding, StoredWorker
from ullage.ledger.redact import decode
from ullage.ledger.scrub import Scrubber


def workers(session: Session, run: str | None) -> Iterator[StoredWorker]:
    """Give what became of workers in the order of writing. Raises LedgerError for damage."""
    for row in pages(session, "worker", run):
        try:
            detail = msgspec.json.decode(row["detail"], type=dict[str, object])
        except (ValueError, RecursionError) as error:
            raise LedgerError(
                f"{session.path} is damaged: worker {row['number']}: {error}: `ullage ledger "
                "verify` says where"
            ) from error
        yield StoredWorker(
            number=row["number"],
            run=row["run"],
            worker=row["worker"],
            mark=row["mark"],
            stage=row["stage"],
            event=row["event"],
            detail=detail,
            at=row["at"],
        )


def findings(session: Session, scrubber: Scrubber, run: str | None) -> Iterator[StoredFinding]:
    """Give the evidence findings in the order of writing. Raises LedgerError for damage.

    What secrets the run has shown since one was written are taken out here.
    """
    for row in pages(session, "finding", run):
        scrub = scrubber.of(row["run"])
        yield StoredFinding(
            number=row["number"],
            run=row["run"],
            worker=row["worker"],
            mark=row["mark"],
            stage=row["stage"],
            key=row["key"],
            text=decode(scrub.stored(content_of(session, row["text"]))),
            chars=row["text_chars"],
            evidence=decode(scrub.stored(content_of(session, row["evidence"]))),
            source=row["source"],
            at=row["at"],
            keep=row["keep"] or "full",
        )

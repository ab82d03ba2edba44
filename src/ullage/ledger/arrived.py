"""What was measured last of each result, read a page at a time."""

from collections.abc import Iterator

from ullage.ledger.connection import Session
from ullage.ledger.entries import Row

PAGE = 256

_ROWS = """SELECT result.number, result.run, result.tool, result.agent, result.call_id, result.at,
    result.text_chars AS produced_chars, last.delivered_chars, last.records, last.records_arrived,
    last.parts, last.parts_arrived, last.rate, last.valid, last.notice, last.boundary, last.place,
    last.exchange, last.certainty, last.arrival AS document
    FROM result LEFT JOIN delivery AS last ON last.number =
        (SELECT max(number) FROM delivery WHERE delivery.result = result.number)
    WHERE result.number > ? AND (? IS NULL OR result.run = ?) ORDER BY result.number LIMIT ?"""


def arrived_rows(session: Session, run: str | None = None) -> Iterator[Row]:
    """Give every result with the columns of the view `arrival`, its time and its account as JSON.

    What was measured is None where the result was not, and so is `place`.
    """
    after = 0
    while True:
        with session.reading() as db:
            cursor = db.execute(_ROWS, (after, run, run, PAGE))
            names = [one[0] for one in cursor.description]
            rows = [dict(zip(names, row, strict=True)) for row in cursor]
        for row in rows:
            if row["valid"] is not None:
                row["valid"] = bool(row["valid"])
            yield row
        if len(rows) < PAGE:
            return
        after = rows[-1]["number"]

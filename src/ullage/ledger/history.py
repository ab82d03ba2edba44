"""What a ledger holds of a shortened history: compactions, texts kept for later, and their use."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from ullage.ledger.connection import Session
from ullage.ledger.entries import content_of, pages
from ullage.ledger.history_records import RecallUse
from ullage.ledger.redact import decode
from ullage.ledger.scrub import Scrubber


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCompaction:
    """One compaction read back, with its events as values."""

    number: int
    run: str
    at: float
    tier: str
    unit: str
    budget: int
    before: int
    after: int
    tokens_before: int
    tokens_after: int
    events: Sequence[dict[str, object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredKept:
    """One kept text, without the text: `chars` is its length, `whole` whether it is still there."""

    number: int
    run: str
    at: float
    handle: str
    tool: str
    arguments: str
    records: int
    chars: int
    whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptText:
    """A kept text, and the run that it was kept for."""

    run: str
    text: str


_OFFERED = "SELECT run, count(DISTINCT handle) FROM kept GROUP BY run"
# What is recorded anyway is no offer, though it can be asked for by its number.
_USED = """SELECT recalled.run, count(DISTINCT recalled.handle) FROM recalled
    JOIN kept ON kept.run = recalled.run AND kept.handle = recalled.handle GROUP BY recalled.run"""
_PAGES = "SELECT run, count(*) FROM recalled WHERE chars > 0 GROUP BY run"
_UNKNOWN = "SELECT run, count(*) FROM recalled WHERE NOT known GROUP BY run"
_LAST_COMPACTION = "SELECT run, count(*), max(number) FROM compaction GROUP BY run"
_ONE_COMPACTION = (
    "SELECT tier, tokens_before, tokens_after, events FROM compaction WHERE number = ?"
)
_KEPT = """SELECT text, run FROM kept WHERE handle = ?1 AND (?2 IS NULL OR run = ?2)
    ORDER BY number DESC LIMIT 1"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortened:
    """How often some runs' histories were shortened, the last time, and which handles were used.

    `tier` is None where none was; `rules` are those that took something out the last time.
    """

    compactions: int = 0
    tier: str | None = None
    tokens_before: int = 0
    tokens_after: int = 0
    rules: tuple[str, ...] = ()
    recall: RecallUse = field(default_factory=RecallUse)

    def to_dict(self) -> dict[str, object]:
        """Return the figures by name, in their order."""
        return {
            "compactions": self.compactions,
            "tier": self.tier,
            "tokens_before": self.tokens_before,
            "tokens_after": self.tokens_after,
            "rules": list(self.rules),
            "recall": self.recall.to_dict(),
        }


def shortened(session: Session, runs: Collection[str]) -> Shortened:
    """Return how the histories of these runs were shortened, in few reads."""
    with session.reading() as db:
        found = [row for row in db.execute(_LAST_COMPACTION) if row[0] in runs]
        last = max((row[2] for row in found), default=0)
        row = db.execute(_ONE_COMPACTION, (last,)).fetchone()
    uses = recall_uses(session)
    use = together([one for run, one in uses.items() if run in runs])
    if row is None:
        return Shortened(recall=use)
    tier, before, after, events = row
    return Shortened(
        compactions=sum(row[1] for row in found),
        tier=tier,
        tokens_before=before,
        tokens_after=after,
        rules=rules_of(msgspec.json.decode(events, type=tuple[dict[str, object], ...])),
        recall=use,
    )


def rules_of(events: Iterable[Mapping[str, object]]) -> tuple[str, ...]:
    """Return the names of the rules that took something out, in the order of the events."""
    names = (one.get("rule") for one in events if one.get("action") in ("elide", "trim"))
    return tuple(dict.fromkeys(one for one in names if isinstance(one, str)))


def compactions(session: Session, run: str | None = None) -> Iterator[StoredCompaction]:
    """Give the compactions of a run, or of all, in the order of writing."""
    for row in pages(session, "compaction", run):
        yield StoredCompaction(
            number=row["number"],
            run=row["run"],
            at=row["at"],
            tier=row["tier"],
            unit=row["unit"],
            budget=row["budget"],
            before=row["before"],
            after=row["after"],
            tokens_before=row["tokens_before"],
            tokens_after=row["tokens_after"],
            events=msgspec.json.decode(row["events"], type=tuple[dict[str, object], ...]),
        )


def kept(session: Session, scrubber: Scrubber, run: str | None = None) -> Iterator[StoredKept]:
    """Give what is kept for a run, or for all, in the order of writing, without the texts."""
    for row in pages(session, "kept", run):
        arguments = scrubber.of(row["run"]).stored(content_of(session, row["arguments"]))
        with session.reading() as db:
            (length,) = db.execute(
                "SELECT length FROM blob WHERE id = ?", (row["text"],)
            ).fetchone()
        yield StoredKept(
            number=row["number"],
            run=row["run"],
            at=row["at"],
            handle=row["handle"],
            tool=row["tool"],
            arguments=decode(arguments),
            records=row["records"],
            chars=row["text_chars"],
            whole=bool(length) or not row["text_chars"],
        )


def kept_text(
    session: Session, scrubber: Scrubber, handle: str, run: str | None
) -> KeptText | None:
    """Return the text that is kept under a handle; None where there is none."""
    with session.reading() as db:
        found = db.execute(_KEPT, (handle, run)).fetchone()
    if found is None:
        return None
    text, owner = found
    content = scrubber.of(owner).stored(content_of(session, text))
    return KeptText(run=owner, text=decode(content))


def handle_of(session: Session, number: int) -> str:
    """Return the handle of a kept text, by the number of its row."""
    with session.reading() as db:
        found = db.execute("SELECT handle FROM kept WHERE number = ?", (number,)).fetchone()
    return str(found[0])


def recall_uses(session: Session) -> dict[str, RecallUse]:
    """Return what came of the handles of each run that offered or used any."""
    with session.reading() as db:
        offered, used, answered, unknown = (
            dict(db.execute(one).fetchall()) for one in (_OFFERED, _USED, _PAGES, _UNKNOWN)
        )
    return {
        run: RecallUse(
            offered=offered.get(run, 0),
            used=used.get(run, 0),
            pages=answered.get(run, 0),
            unknown=unknown.get(run, 0),
        )
        for run in {**offered, **answered, **unknown}
    }


def recall_use(session: Session, run: str | None = None) -> RecallUse:
    """Return what came of the handles of a run, or of all runs together."""
    found = recall_uses(session)
    if run is not None:
        return found.get(run, RecallUse())
    return together(list(found.values()))


def together(uses: Sequence[RecallUse]) -> RecallUse:
    """Return what came of the handles of several runs."""
    return RecallUse(
        offered=sum(one.offered for one in uses),
        used=sum(one.used for one in uses),
        pages=sum(one.pages for one in uses),
        unknown=sum(one.unknown for one in uses),
    )

"""What a check of all sessions remembers of one result: figures, never its text."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal
from zlib import crc32

from ullage.arrivals.alone import Alone
from ullage.arrivals.asked import arguments_of, asks_for_part, figures
from ullage.arrivals.notice import ACT, CUT_WORDS, Grade, points
from ullage.arrivals.shortened import without_dots
from ullage.checks.room import Room, Rooms
from ullage.checks.session import Result, Session
from ullage.counting.count import DEFAULT_ENCODING
from ullage.counting.exact import Encoding, exact
from ullage.counting.models import encoding_of
from ullage.transcript.finding import Finding, Source
from ullage.transcript.words import Severity

SHORTEST = 300
"""A shorter result is no candidate for a cap: short texts share a length by chance."""

COUNTED = range(SHORTEST, 400_000)
"""Tokens are counted of texts of so many characters."""

ENDS = tuple(".!?>)]}\"'`|")
EDGE = 200
TAIL = 12
PIECE = 8
LETTER = re.compile(r"[^\W_]")
SAMPLES = 16
SIGN_EDGE = 400

Sign = Literal["compared", "marked", "size"]
"""How a cut is known: by the produced text, by what the delivered one says, by its size."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A cut that is known of one result: by which sign, and what the model was told of it."""

    sign: Sign
    notice: str
    way_back: bool
    produced_chars: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One result by its figures.

    `key` tells equal texts, `tail` equal ends; `pattern` holds marks of pieces at fixed shares of
    the length, so that texts of one form are told from texts of one length. `asked` are the
    numbers in its call. `chars` is all that the model was given. `sizes` are by unit, of those that
    may stand at a cap: characters, bytes, lines, and tokens by vocabulary.
    `abrupt` says that the end is no end of a sentence, a line or a value; `candidate` that nothing
    speaks against a silent cut.
    """

    session: str
    source: Source
    tool: str
    call_id: str | None
    exchange: int | None
    harness: tuple[str, str | None]
    key: int
    chars: int
    sizes: dict[str, int]
    candidate: bool
    broken: bool
    abrupt: bool
    dots: bool
    tail: int
    noticed: bool
    pattern: bytes
    asked: frozenset[int]
    part: bool
    room: Room | None
    cut: Cut | None

    def finding(
        self, check: str, severity: Severity, advice: str, evidence: Mapping[str, object]
    ) -> Finding:
        """Return a finding about this result, at the boundary `budget`."""
        number = {} if self.exchange is None else {"exchange": self.exchange}
        return Finding(
            check=check,
            severity=severity,
            boundary="budget",
            evidence={**number, **evidence},
            advice=advice,
            session=self.session,
            source=self.source,
            tool=self.tool,
            call_id=self.call_id,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncounted:
    """A result whose tokens are not counted: its text is kept until they are, or never will be."""

    seen: Seen
    body: str
    model: str | None

    def count(self) -> None:
        """Count, in every vocabulary that may be its model's."""
        for unit, tokens in counters(self.model).items():
            self.seen.sizes[unit] = tokens(self.body)


def seen_of(session: Session) -> Iterator[Seen | Uncounted]:
    """Yield what is worth remembering of each result of a session."""
    rooms = Rooms(session)
    model = session.transcript.model
    for one in session.results:
        if not one.counted:
            continue
        shown = session.unknown.get(one.entry)
        cut = cut_of(session, one, shown)
        if cut is not None or (shown is not None and len(shown.body) >= SHORTEST):
            found = seen(session, one, shown, cut, rooms)
            body = shown.body if shown is not None and found.candidate else ""
            counts = len(body) in COUNTED
            yield Uncounted(seen=found, body=body, model=model) if counts else found


def seen(
    session: Session,
    one: Result,
    shown: Alone | None,
    cut: Cut | None,
    rooms: Rooms,
) -> Seen:
    """Return the figures of one result."""
    entry, whole = session.entries[one.entry], session.transcript
    body = one.text if shown is None else shown.body
    bare = without_dots(body)
    arguments = arguments_of(one.call)
    known = len(body) >= SHORTEST and shown is not None and cut is None
    is_whole = shown is not None and shown.whole
    return Seen(
        session=whole.session,
        source=entry.source if entry.source.path is not None else whole.source,
        tool=one.tool,
        call_id=entry.message.answers,
        exchange=entry.exchange,
        harness=(whole.form, whole.agent),
        key=hash(body),
        chars=len(one.text),
        sizes=sizes(body) if known else {},
        candidate=known and not is_whole,
        broken=shown is not None and shown.broken,
        abrupt=not ends_well(bare),
        dots=bare != body,
        tail=hash(bare[-TAIL:]),
        noticed=bare == body and CUT_WORDS.search(last_line(body)) is not None,
        pattern=pattern(bare),
        asked=figures(arguments),
        part=asks_for_part(arguments),
        room=rooms.of(one, cut.produced_chars if cut else None),
        cut=cut,
    )


def cut_of(session: Session, one: Result, shown: Alone | None) -> Cut | None:
    """Return what is known of a cut without any other result; None where nothing is."""
    if one.measured is not None:
        found = one.measured.arrival
        if found is None or not one.text.strip():
            return None
        # Members beside a list may be gone although all its records are there.
        if not (found.lost or (found.valid is False and found.form == "broken")):
            return None
        grade = found.notice.grade if found.lost else grade_of(found.notice.text)
        return Cut(
            sign="compared",
            notice=grade,
            way_back=grade == "way-back",
            produced_chars=found.produced_chars,
        )
    if shown is None:
        return None
    size = size_before(session, one)
    if size is not None:
        edges = one.text[:SIGN_EDGE] + "\n" + one.text[-SIGN_EDGE:]
        said = shown.mark is not None or CUT_WORDS.search(edges) is not None
        return Cut(
            sign="size",
            notice="cut" if said else "none",
            way_back=shown.way_back,
            produced_chars=size,
        )
    if shown.mark is not None:
        return Cut(
            sign="marked",
            notice="way-back" if shown.way_back else "cut",
            way_back=shown.way_back,
            produced_chars=left_out(shown.mark, len(one.text)),
        )
    return None


def grade_of(said: str) -> Grade:
    """Grade what was said of a loss that no figure of the arrival shows."""
    if not CUT_WORDS.search(said):
        return "none"
    return "way-back" if ACT.search(said) and points(said) else "cut"


def size_before(session: Session, one: Result) -> int | None:
    """Return the size of what was produced where only that is known, and is more than was given."""
    produced = session.entries[one.entry].produced
    if produced is None or produced.text is not None:
        return None
    if produced.chars is not None:
        return produced.chars if produced.chars > len(one.text) else None
    given = len(one.text.encode("utf-8", "surrogatepass"))
    return produced.size if produced.size is not None and produced.size > given else None


LEFT_OUT = re.compile(r"(\d[\d,_]*)\s*(?:more\s+)?(?:chars?|characters?|bytes?)\b", re.IGNORECASE)
TOTAL = re.compile(r"\bof\s+(\d[\d,_]*)\s*(?:chars?|characters?|bytes?)\b", re.IGNORECASE)


def left_out(mark: str, delivered: int) -> int | None:
    """Return the characters that a mark says were produced, None where it does not say."""
    if total := TOTAL.search(mark):
        return number(total[1])
    found = LEFT_OUT.search(mark)
    return None if found is None else delivered + number(found[1])


def number(digits: str) -> int:
    """Return a number as people write it."""
    return int(digits.replace(",", "").replace("_", ""))


def counters(model: str | None) -> Mapping[str, Callable[[str], int]]:
    """Return how tokens are counted: by the model's vocabulary, else by the usual two."""
    known = encoding_of(model) if model else None
    names: tuple[Encoding, ...] = (known,) if known else (DEFAULT_ENCODING, "cl100k_base")

    def by(name: Encoding) -> Callable[[str], int]:
        return lambda text: exact(text, name)

    return {f"tokens ({name})": by(name) for name in names}


def sizes(text: str) -> dict[str, int]:
    """Return the size of a text in the units in which somebody may cut it, tokens aside."""
    found = {"characters": len(text), "bytes": len(text.encode("utf-8", "surrogatepass"))}
    found["lines"] = text.count("\n") + (not text.endswith("\n"))
    return found


def ends_well(text: str) -> bool:
    """Whether a text ends as a sentence, a line or a value does, space behind it aside."""
    stripped = text.rstrip()
    return stripped.endswith(ENDS) or "\n" in text[len(stripped) :]


def last_line(text: str) -> str:
    """Return the end of the last line of a text."""
    stripped = text.rstrip()
    return stripped[max(stripped.rfind("\n") + 1, len(stripped) - EDGE) :]


def pattern(text: str) -> bytes:
    """Return one byte for each of a few pieces at fixed shares of a text.

    A piece is known by its marks and spaces: a form with other values is the same form. One of
    letters only is known by these.
    """
    length = len(text)
    at = (length * step // SAMPLES for step in range(SAMPLES))
    pieces = (shape(text[one : one + PIECE]).encode("utf-8", "surrogatepass") for one in at)
    return bytes(crc32(piece) & 0xFF for piece in pieces)


def shape(piece: str) -> str:
    """Return a piece with its letters and digits taken for one, if it has anything else."""
    shaped = LETTER.sub("x", piece)
    return piece if shaped.strip("x") == "" else shaped

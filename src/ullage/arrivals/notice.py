"""What a delivered text says about its own loss, found by difference with the produced text."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ullage.arrivals.read import Reading, between, read
from ullage.arrivals.runs import Blocks, Run, blocks, runs_of
from ullage.arrivals.scan import Piece, Span
from ullage.arrivals.values import Json, canonical, is_scalar, of

Grade = Literal["none", "cut", "counts", "parts", "way-back"]
"""The most that a notice says, weakest first: that something was cut, how much, which parts, how
to get the rest."""

LONGEST_MARK = 500
LONG_TEXT = 40
"""From this length on a string in an envelope is looked into."""

WRAPPER = re.compile(
    r"""^\s*(?:(?:observation|execution\ logs|last\ output\ from\ code\ snippet|outputs?|results?
    |tool\ (?:result|output|response)|stdout|response|function\ (?:result|output)|content)\s*:?
    |call\ id:\s*\S+|```+\w*|~~~+\w*|</?[\w-]+>|none)\s*$""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
# What says that something was cut, wherever that is asked: for the grade, and for where a stretch
# of a message ends. Words that instructions use too ("limit yourself to", "the rest") count only
# beside what makes them a notice.
CUT_WORDS = re.compile(
    r"""truncat|omit|elid|elision|clipped|\bcut\b|shorten|trimm|abbreviat|collaps|left\ out
    |not\ (?:shown|displayed|included)|hidden|skipp|removed|dropp|too\ (?:long|large|big|many)
    |exceed|(?:size|length|output|character|token|line|row)\ limit|limited\ to
    |limit\ (?:of|is|was|reached)|partial|incomplete|preview|show(?:ing|n)|\bkept\b
    |\b(?:first|last)\ [\d,]+\ (?:of|records|rows|lines|items|char|bytes|tokens|[kKmM]?i?[bB]\b)
    |\d\ more\b|\bmore\ (?:records|rows|lines|items|results|entries|char|bytes|tokens|available)
    |remaining|\brest\ (?:of|is|was|saved|stored|available|in|at|omit)
    |\bfull\ (?:output|result|text|content)|(?:saved|stored|written)\ (?:to|in|at|as|under)
    |\d\s+of\s+\d|\d\s*/\s*\d|…|\.\.\.""",
    re.VERBOSE | re.IGNORECASE,
)
LIMIT_BEFORE = re.compile(
    r"""(?:below|limit(?:ed)?|max(?:imum)?|under|at\ most|budget|exceed\w*|stay\w*|within)
    \W+(?:\w+\W+)?\Z""",
    re.VERBOSE | re.IGNORECASE,
)
FIGURE = re.compile(r"(?<![\w.])(\d[\d,_]*(?:\.\d+)?)\s?([kKmM])?(?:i?[bB])?\b")
SCALE = {"k": (1000, 1024), "m": (1000**2, 1024**2)}
ACT = re.compile(
    r"""\b(?:read|fetch|get|retriev\w*|open|view|see|load|call|use|query|re-?run|run|saved|stored
    |written|persisted|full\ (?:output|result|text|content)|available|artifact|handle
    |continue)\b""",
    re.VERBOSE | re.IGNORECASE,
)
POINTER = re.compile(
    r"""(?:^|[\s"'`(=:])(?:~|\.{1,2})?/[\w.~-]+/?[\w./~-]*|\w+://\S+|\b[\w-]+(?:/[\w.-]+)+\.\w+
    |\b[a-z]+_[a-z_]+\b|\b(?:offset|page|cursor|handle|start|skip|part|id)\b\s*[=:]?\s*[\w-]*\d
    |`[^`\n]+`|\b\w+\([^)\n]*\)
    |\b(?:get|read|fetch|open|retrieve)\ (?=[\w-]*[a-z])(?=[\w-]*\d)[\w-]+""",
    re.VERBOSE | re.IGNORECASE,
)
NAMED_PLACE = re.compile(r"\b(?:records?|rows?|items?|entries|elements|lines?)\b", re.IGNORECASE)
MADE_BY_LOOKBACK = 60
MADE_BY = re.compile(
    r"""(?:\b(?:output|result|response)s?\ (?:of|from)|\b(?:your|this)\ (?:tool\ )?call\ to)
    (?:\ (?:the|your|this|a|tool|function|call|to|of)){0,4}[\s`'"(]*\Z""",
    re.VERBOSE | re.IGNORECASE,
)
WORDS = re.compile(r"[^\W_]{2,}")
KEY_BESIDE = re.compile(r"[\"'][^\"'\n]*[\"']\s*:")
ROUGHLY = 0.01
WORDS_OF_FORMS = frozenset({"true", "false", "null", "True", "False", "None", "nan", "NaN"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What the delivered text says beyond the produced one, and how much of a loss it tells."""

    text: str
    grade: Grade


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """The figures of a pair that a notice may state, and the names of the parts that lost."""

    figures: frozenset[int]
    parts: tuple[str, ...]


def notice(produced: str, delivered: Reading, found: Sequence[Run], loss: Loss | None) -> Notice:
    """Find and grade the notice of a delivered text; `loss` is None where nothing was lost.

    Only text that is not the produced one's can be a notice, so a result that itself speaks of a
    truncation is none. The grade is the highest that is met. Figures count if they are true of
    this pair: a total, or what was kept or left out. A stated limit is no such figure.
    """
    text = "\n".join(foreign(produced, delivered, found))
    return Notice(text=text, grade="none" if loss is None else grade(text, loss))


def grade(text: str, loss: Loss) -> Grade:
    """Say how much of the loss a notice tells."""
    counts = states_figure(text, loss.figures)
    if not counts and not CUT_WORDS.search(text):
        return "none"
    if ACT.search(text) and points(text, loss.parts):
        return "way-back"
    if counts and loss.parts and all(names(text, part) for part in loss.parts):
        return "parts"
    return "counts" if counts else "cut"


def points(text: str, parts: Sequence[str] = ()) -> bool:
    """Whether a text points somewhere: a file, a handle, an offset.

    A part's name is no pointer, nor is the name of the tool whose result it is.
    """
    return any(
        found[0].strip(" `'\"(=:") not in parts
        and not MADE_BY.search(text, max(0, found.start() - MADE_BY_LOOKBACK), found.start())
        for found in POINTER.finditer(text)
    )


def states_figure(text: str, figures: frozenset[int]) -> bool:
    """Whether a text states a figure that is true of the pair, as itself or in thousands."""
    for found in FIGURE.finditer(text):
        if LIMIT_BEFORE.search(text, max(0, found.start() - 40), found.start()):
            continue
        value = float(found[1].replace(",", "").replace("_", ""))
        scale = SCALE.get((found[2] or "").lower())
        if scale is None and value in figures:
            return True
        if scale and any(abs(value * by - one) <= ROUGHLY * one for by in scale for one in figures):
            return True
    return False


def names(text: str, part: str) -> bool:
    """Whether a notice names a part; the records of a root list have no other name than that."""
    if part == "":
        return NAMED_PLACE.search(text) is not None
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None


def foreign(produced: str, delivered: Reading, found: Sequence[Run]) -> list[str]:
    """Return the texts of a delivered one that are not the produced one's, wrappers left out."""
    surface = delivered.surface
    own = between((Span(start=run.start, end=run.end) for run in found), surface)
    whole = [span for piece in delivered.pieces for span in piece.whole]
    known = frozenset(WORDS.findall(produced)) | WORDS_OF_FORMS
    texts = [
        line
        for gap in common(own, between(whole, surface))
        for line in to_words(surface, gap).split("\n")
        if not is_torn_value(line, known)
    ]
    texts += [
        text for gap in common(own, whole) if is_splice(text := to_words(surface, gap), known)
    ]
    texts += extra_members(produced, delivered, found)
    texts = [WRAPPER.sub("", text).strip() for text in texts]
    return [*delivered.said, *(text for text in texts if says_something(text))]


def says_something(text: str) -> bool:
    """Whether a text is more than brackets, quotes and single letters."""
    return WORDS.search(text) is not None or "…" in text or "..." in text


def to_words(text: str, gap: Span) -> str:
    """Return a stretch of a text, widened to whole words."""
    start, end = gap.start, gap.end
    while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    return text[start:end]


def is_torn_value(line: str, known: frozenset[str]) -> bool:
    """Whether a line is a torn piece of the produced value in another spelling."""
    if not known.issuperset(WORDS.findall(line)):
        return False
    return KEY_BESIDE.search(line) is not None or not CUT_WORDS.search(line)


def is_splice(text: str, known: frozenset[str]) -> bool:
    """Whether a stretch inside a value is a mark that joins two ends, not other spelling."""
    if len(text) > LONGEST_MARK or KEY_BESIDE.search(text):
        return False
    return CUT_WORDS.search(text) is not None and not known.issuperset(WORDS.findall(text))


def common(one: Sequence[Span], other: Sequence[Span]) -> list[Span]:
    """Return what two ordered lists of stretches have in common."""
    shared = []
    left, right = 0, 0
    while left < len(one) and right < len(other):
        start = max(one[left].start, other[right].start)
        end = min(one[left].end, other[right].end)
        if start < end:
            shared.append(Span(start=start, end=end))
        if one[left].end < other[right].end:
            left += 1
        else:
            right += 1
    return shared


def extra_members(produced: str, delivered: Reading, found: Sequence[Run]) -> list[str]:
    """Return the scalars beside the records that the produced text does not hold."""
    texts = []
    index: Blocks | None = None
    own = [Span(start=run.start, end=run.end) for run in found]
    pieces = [piece for piece in delivered.pieces if not (piece.torn or piece.loose)]
    waiting: list[Json] = [piece.value for piece in pieces if not stands_within(piece, own)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += of(value)
            for key, inner in value.items():
                texts += extra_member(produced, key, inner)
        elif isinstance(value, str) and len(value) >= LONG_TEXT:
            inside = read(value, layers=1)
            index = index or blocks(produced)
            texts += foreign(produced, inside, runs_of(index, inside.surface))
    return texts


def stands_within(piece: Piece, own: Sequence[Span]) -> bool:
    """Whether a value is as it was produced: it stands within one of these ordered stretches."""
    at = bisect_right(own, piece.start, key=lambda span: span.start) - 1
    return at >= 0 and piece.end <= own[at].end


def extra_member(produced: str, key: str, value: Json) -> list[str]:
    """Return a short scalar with its key where the produced text does not hold them."""
    if not is_scalar(value) or (isinstance(value, str) and len(value) >= LONG_TEXT):
        return []
    text = value if isinstance(value, str) else canonical(value)
    return [] if key in produced and text in produced else [f"{key}: {text}"]

"""Read a delivered text in whatever form the framework gave it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from ullage.arrivals.own import take_notice
from ullage.arrivals.printed import printed
from ullage.arrivals.scan import Piece, Span, scan
from ullage.arrivals.values import MARK, Json, decode, is_scalar, unescape

Form = Literal["json", "json-in-text", "python-repr", "double-encoded", "broken", "text", "empty"]
"""How a text carries its values.

`broken` is JSON or Python that was cut; `text` holds no value; `json-in-text` has words around it.
"""

MAX_LAYERS = 6
"""JSON in a JSON string in a JSON string … is followed this far."""

# A text that was opened like JSON or a Python literal, whether or not anything in it was whole.
OPENED = re.compile(r"\s*(?:\{\s*[\"'{}]|\[\s*[\[{\"'\d\]-])")
ESCAPED_QUOTE = '\\"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What was read in a text.

    `surface` is the text in which `pieces` were found: the text itself, or the innermost JSON
    string where it was encoded again. `said` is what our own notices say. `is_json` says that the
    text as a whole decodes. `stopped` tells that something nested deeper than we follow was read
    in slices.
    """

    form: Form
    surface: str
    pieces: tuple[Piece, ...]
    said: tuple[str, ...] = ()
    is_json: bool = False
    stopped: bool = False

    @property
    def leftover(self) -> str:
        """What stands outside whole containers, in order, a line break for each gap."""
        spans = (span for piece in self.pieces for span in piece.whole)
        return "\n".join(self.surface[gap.start : gap.end] for gap in between(spans, self.surface))

    @property
    def value(self) -> Json:
        """The one value of a text that is nothing but a value."""
        return self.pieces[0].value

    @property
    def is_value(self) -> bool:
        """Whether the surface is one whole value and nothing else."""
        if len(self.pieces) != 1 or self.form == "broken":
            return False
        return self.pieces[0].end - self.pieces[0].start >= len(self.surface.strip())


def between(spans: Iterable[Span], text: str) -> list[Span]:
    """Return the gaps that ordered, separate spans leave in a text."""
    gaps = []
    position = 0
    for span in spans:
        if span.start > position:
            gaps.append(Span(start=position, end=span.start))
        position = max(position, span.end)
    if position < len(text):
        gaps.append(Span(start=position, end=len(text)))
    return gaps


def read(text: str, *, layers: int = MAX_LAYERS) -> Reading:
    """Read `text` as JSON, as Python, as either inside other words, or what is whole in a cut one.

    Linear in the text, whatever it holds. Never raises on data. A byte order mark in front is no
    part of it.
    """
    text = text.removeprefix(MARK)
    if not text.strip():
        return Reading(form="empty", surface=text, pieces=())
    try:
        value = decode(text)
    except ValueError:
        return read_inside(text, layers=layers)
    except RecursionError:
        return replace(read_inside(text, layers=layers), stopped=True)
    if isinstance(value, str) and layers > 0:
        inner = read(value, layers=layers - 1)
        if any(not is_scalar(one.value) for one in inner.pieces):
            return replace(encoded_again(inner), is_json=True)
    said = take_notice(value)
    whole = Span(start=0, end=len(text))
    piece = Piece(value=value, start=0, end=len(text), whole=(whole,))
    return Reading(form="json", surface=text, pieces=(piece,), said=tuple(said), is_json=True)


def encoded_again(inner: Reading) -> Reading:
    """Return the reading of a JSON string's text as that of the string."""
    return inner if inner.form == "broken" else replace(inner, form="double-encoded")


def read_inside(text: str, *, layers: int) -> Reading:
    """Read the values inside a text that is not JSON as a whole."""
    inner_text = printed(text) if layers > 0 else None
    if inner_text is not None:
        inside = read(inner_text, layers=layers - 1)
        if inside.pieces or inside.form == "broken":
            return replace(encoded_again(inside), is_json=False)
    found = scan(text)
    said = tuple(one for piece in found.pieces for one in take_notice(piece.value))
    plain = Reading(
        form=form_of(text, found.pieces),
        surface=text,
        pieces=found.pieces,
        said=said,
        stopped=found.stopped,
    )
    if layers > 0 and ESCAPED_QUOTE in text and covered(plain) * 2 < len(text):
        inner = read(unescape(text), layers=layers - 1)
        if covered(inner) > covered(plain):
            return replace(encoded_again(inner), is_json=False)
    return plain


def covered(reading: Reading) -> int:
    """Return how many characters stand inside whole containers."""
    return sum(span.end - span.start for piece in reading.pieces for span in piece.whole)


def form_of(text: str, pieces: tuple[Piece, ...]) -> Form:
    """Name the form of a text that is not JSON as a whole."""
    if any(piece.torn or piece.loose for piece in pieces):
        return "broken"
    if not pieces:
        return "broken" if OPENED.match(text) else "text"
    largest = max(pieces, key=lambda piece: piece.end - piece.start)
    return "python-repr" if largest.style == "python" else "json-in-text"

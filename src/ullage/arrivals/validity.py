"""Whether a delivered text can still be decoded as what was produced."""

import re
from collections.abc import Container, Iterable

from ullage.arrivals.printed import printed
from ullage.arrivals.read import Reading, read
from ullage.arrivals.scan import WORDS, Piece, Style
from ullage.arrivals.torn import stands_in_full
from ullage.arrivals.values import MARK, Json, is_scalar

OPENS = re.compile(rf"{MARK}?\s*[\[{{(]")


def validity(produced: Reading, delivered: Reading) -> bool | None:
    """Judge a delivered text against the produced root; None where that is not JSON.

    Valid if a whole JSON value decodes that has the root's type and, for an object, no top-level
    keys of its own, or all of the root's. An envelope around it is looked through. A record that
    was saved from a cut text is not the root.
    """
    if not produced.is_json:
        return None
    text = produced.surface.strip()
    if stands_in_full(text, delivered.surface) or text == delivered.surface.strip():
        return True
    if not produced.is_value:  # a string that holds a text with values in it
        return delivered.is_json
    root = produced.value
    if delivered.form == "json":
        return stands_for(delivered.value, root) or any(
            stands_in(inner, root) for inner in inside(delivered.value)
        )
    if is_scalar(root):
        # A command that prints a number makes no document of it: a line of its own is all of it.
        return text in map(str.strip, delivered.surface.splitlines())
    return any(
        stands_for(piece.value, root)
        if is_alone(piece, delivered)
        else stands_in(piece.value, root)
        for piece in delivered.pieces
        if piece.style == "json" and not piece.torn and not piece.loose
    )


def is_alone(piece: Piece, delivered: Reading) -> bool:
    """Whether a piece is most of its text, and so cannot be a bracket in prose."""
    return 2 * (piece.end - piece.start) > len(delivered.surface)


def stands_for(value: Json, root: Json) -> bool:
    """Whether a value that is the whole text has the root's type and its keys."""
    if isinstance(root, dict):
        return isinstance(value, dict) and shares_keys(value, root)
    return kind(value) == kind(root)


def stands_in(value: Json, root: Json) -> bool:
    """Whether a value inside something else can only be the root: its elements are alike too."""
    if not stands_for(value, root):
        return False
    if isinstance(value, list) and isinstance(root, list):
        kinds = {kind(element) for element in root}
        return all(kind(element) in kinds for element in value) and bool(value) == bool(root)
    return not is_scalar(value) and bool(value) == bool(root)


def shares_keys(value: dict[str, Json], root: dict[str, Json]) -> bool:
    """Whether an object has no keys that the root lacks, or all that it has."""
    return value.keys() <= root.keys() or (bool(root) and root.keys() <= value.keys())


def kind(value: Json) -> str:
    """Name the JSON type of a value."""
    if isinstance(value, bool) or value is None:
        return str(type(value))
    return "number" if isinstance(value, int | float) else type(value).__name__


def inside(value: Json) -> Iterable[Json]:
    """Yield what an envelope may hold: the members of objects, and the JSON in their strings."""
    if not isinstance(value, dict):
        return
    for inner in value.values():
        if isinstance(inner, dict | list):
            yield inner
            yield from inside(inner)
        elif isinstance(inner, str) and inner.strip()[:1] in ("{", "["):
            encoded = read(inner)
            if encoded.form in ("json", "double-encoded"):
                yield encoded.value


def unfinished(text: str, *, styles: Container[Style] = ("json",)) -> bool:
    """Whether a text is a prefix of a value that ends too early, after at least one whole member.

    For a text that nothing can be compared with. An error before the end proves nothing: the text
    may never have been of that style.
    """
    text = text.removeprefix(MARK)
    text = printed(text) or text
    if OPENS.match(text) is None:  # a value that is not finished stands in brackets
        return False
    reading = read(text, layers=0)  # what stands in its strings is another text
    if reading.form != "broken":
        return False
    piece = reading.pieces[0] if reading.pieces else None
    return (
        piece is not None
        and bool(piece.torn)
        and piece.style in styles
        and not text[: piece.start].strip()
        and ends_inside_token(text[piece.end :])
    )


def ends_inside_token(rest: str) -> bool:
    """Whether what follows the last whole token is nothing, or the start of one more."""
    rest = rest.strip(" \t\n\r")
    quote = rest[:1]
    if quote in ("'", '"'):
        body = rest[1:].replace("\\\\", "").replace("\\" + quote, "")
        return quote not in body and "\n" not in rest
    return rest == "" or rest.lstrip("-+.0123456789eE") == "" or is_word_start(rest)


def is_word_start(rest: str) -> bool:
    """Whether a text is the start of a word that JSON or Python knows."""
    return any(word.startswith(rest) for word in WORDS)

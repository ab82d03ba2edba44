"""Shortening a text that stands in a string of another format, by the rules of its own content."""

import json
import re
from functools import partial

from ullage.cutter.keep import Keep
from ullage.cutter.notice import Prior
from ullage.cutter.tree import Fitter

# What other readers of double-quoted strings (YAML) take for line breaks or do not take at all.
NOT_PRINTED = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


def literal(text: str) -> str:
    """Return a text as a JSON string that YAML reads as well."""
    return NOT_PRINTED.sub(escaped, json.dumps(text, ensure_ascii=False))


def escaped(match: "re.Match[str]") -> str:
    """Return a character as JSON escapes it."""
    return f"\\u{ord(match[0]):04x}"


def shorten_literal(text: str, room: int) -> str | None:
    """Return a JSON string literal within `room`: a document in it is cut as one, its loss stated.

    All other text keeps its ends and what stands out. None where no form of it is so small.
    """
    from ullage.cutter.formats import cut_inner  # the readers of all formats, on use

    if len(text) <= room:
        return text
    fitter = Fitter(
        keep=Keep(), prior=Prior(), cut_inner=partial(cut_inner, inside=True), nested=True
    )
    piece = fitter.fit_string(text, room, "$")
    return piece.text if piece is not None and len(piece.text) <= room else None

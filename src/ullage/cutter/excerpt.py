"""A short look at user text, for messages and tables."""

from dataclasses import dataclass

from ullage.cutter import grapheme


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """The beginning and the end of a text, and how many characters between are left out."""

    head: str
    left_out: int
    tail: str


def ends(text: str, head: int, tail: int) -> Ends:
    """Return about so many characters of either end, whole graphemes; what fits is all head."""
    if len(text) <= head + tail:
        return Ends(head=text, left_out=0, tail="")
    begin = grapheme.boundary(text, head)
    # Only what stands right before the tail says where its first grapheme begins.
    near = max(begin, len(text) - tail - grapheme.LOOK_AHEAD)
    after = near + grapheme.boundary(text[near:], len(text) - tail - near)
    return Ends(head=text[:begin], left_out=after - begin, tail=text[after:])


def excerpt(text: str, limit: int) -> str:
    """Return `text`, or its beginning with the number of characters left out stated.

    The result is at most `limit` characters, but never shorter than what states the length.
    """
    if len(text) <= limit:
        return text
    mark = f"… ({len(text)} characters)"
    return text[: grapheme.boundary(text, limit - len(mark))] + mark

"""A short look at user text, for messages and tables."""

from ullage.cutter import grapheme


def excerpt(text: str, limit: int) -> str:
    """Return `text`, or its beginning with the number of characters left out stated.

    The result is at most `limit` characters, but never shorter than what states the length.
    """
    if len(text) <= limit:
        return text
    mark = f"… ({len(text)} characters)"
    return text[: grapheme.boundary(text, limit - len(mark))] + mark

"""Where a text may be cut without splitting what a reader sees as one character."""

from functools import cache
from typing import Any


@cache
def pattern() -> Any:
    """Compile the grapheme pattern on first use; `regex` is slow to import."""
    import regex

    return regex.compile(r"\X", regex.DOTALL)


# A cluster can be of any length (stacked marks); this many characters beyond the limit are looked
# at to see whether one goes on. A longer one is left out whole.
LOOK_AHEAD = 64


def boundary(text: str, limit: int) -> int:
    """Return the last grapheme boundary of `text` at or before `limit`, reading O(limit) of it."""
    if limit >= len(text):
        return len(text)
    if limit <= 0:
        return 0
    window = text[: limit + LOOK_AHEAD]
    # Far from the edges of ASCII text every position is a boundary, but for CR before LF.
    if window[limit - 1] < "\x80" and window[limit] < "\x80":
        return limit - (window[limit - 1 : limit + 1] == "\r\n")
    at = 0
    for match in pattern().finditer(window):
        if match.end() > limit:
            break
        at = match.end()
    return at

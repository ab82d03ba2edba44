"""Marks that somebody else's cut left in a text that is given to us as whole."""

import re
from collections.abc import Iterator

from ullage.cutter import spans
from ullage.cutter.values import Noticed

MARK = re.compile(
    r"(?:\.{3}|…)\s?[\[(<]?\s?(?:\d[\d,]*\s)?(?:more\s)?"
    r"(?:(?:characters?|chars?|bytes?|tokens?|lines?|rows?|items?|entries|records?|elements?)\s)?"
    r"(?:truncated|omitted|elided|clipped|snipped|cut off)\b"
    r"[^\n]{0,40}?(?=[\])>]|\.{3}|…|\"|'|\n|\Z)"
    r"|[\[(<](?:output |content |result |text |response )?"
    r"(?:truncated|omitted|clipped|snipped)(?:[:;, ][^\n\])>]{0,80})?[\])>]",
    re.IGNORECASE,
)
MOST = 5
WORDS = ("truncated", "omitted", "elided", "clipped", "snipped", "cut off")


def cuts_before(text: str, *, is_whole: bool) -> Iterator[Noticed]:
    """Yield what shows that a text was cut before it came here: marks, or an end inside JSON.

    A text that was read as whole JSON has no such end.
    """
    yield from upstream_marks(text)
    if not is_whole and text.lstrip(spans.WHITE)[:1] in ("{", "[") and spans.ends_early(text):
        yield Noticed(check="cut-upstream", severity="warning", evidence={"ends": "inside JSON"})


def upstream_marks(text: str) -> Iterator[Noticed]:
    """Yield the first few marks that say a text had been shortened before it came here."""
    low = text.lower()
    if not any(word in low for word in WORDS):  # nearly every text, at the speed of a search
        return
    for count, match in enumerate(MARK.finditer(text)):
        if count == MOST:
            return
        yield Noticed(
            check="cut-upstream",
            severity="warning",
            evidence={"mark": match[0].strip(), "at": match.start()},
        )

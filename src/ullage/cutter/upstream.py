"""Marks that somebody else's cut left in a text that is given to us as whole."""

import re
from collections.abc import Iterator

from ullage.cutter import notice, spans
from ullage.cutter.values import Noticed

MARK = re.compile(
    r"(?:\.{3}|…)\s?[\[(<]?\s?(?:\d[\d,]*\s)?(?:more\s)?"
    r"(?:(?:characters?|chars?|bytes?|tokens?|lines?|rows?|items?|entries|records?|elements?)\s)?"
    r"(?:truncated|omitted|elided|clipped|snipped|cut off)\b"
    r"[^\n]{0,40}?(?=[\])>]|\.{3}|…|\"|'|\n|\Z)"
    r"|[\[(<](?:output |content |result |text |response )?"
    r"(?:truncated|omitted|clipped|snipped)(?:[:;, ][^\n\])>]{0,80})?[\])>]"
    r"|[\[(<]\d[\d,]*\s(?:more\s)?"
    r"(?:characters?|chars?|bytes?|tokens?|lines?|rows?|items?|entries|records?|elements?)\s"
    r"(?:were\s)?(?:truncated|omitted|elided|clipped|snipped)[^\n\])>]{0,80}[\])>]",
    re.IGNORECASE,
)
MOST = 5
WORDS = ("truncated", "omitted", "elided", "clipped", "snipped", "cut off")
# What is left of the words without all but these letters. A text without the others is so much
# shorter that it is looked through in a fraction of the time.
LETTERS = b"tuncdmiplf"
REMAINS = (b"tunctd", b"mittd", b"lidd", b"ippd", b"cutff")
LOWERED = bytes(ord(chr(one).lower()) if one < 128 else one for one in range(256))
OTHERS = bytes(one for one in range(256) if LOWERED[one] not in LETTERS)


def cuts_before(text: str, *, is_whole: bool) -> Iterator[Noticed]:
    """Yield what shows that a text was cut before it came here: marks, or an end inside JSON.

    A text that was read as whole JSON has no such end.
    """
    yield from upstream_marks(text)
    if not is_whole and text.lstrip(spans.WHITE)[:1] in ("{", "[") and spans.ends_early(text):
        yield Noticed(check="cut-upstream", severity="warning", evidence={"ends": "inside JSON"})


def upstream_marks(text: str) -> Iterator[Noticed]:
    """Yield the first few marks that say a text had been shortened before it came here."""
    if not may_hold_marks(text):  # nearly every text, at the speed of a search
        return
    for count, match in enumerate(MARK.finditer(text)):
        if count == MOST:
            return
        yield Noticed(
            check="cut-upstream",
            severity="warning",
            evidence={"mark": match[0].strip(), "at": match.start()},
        )


def first_mark(text: str) -> str | None:
    """Return the first mark of any cut in a text, somebody else's or our own; None without one."""
    found = next(upstream_marks(text), None)
    if found is not None:
        return str(found.evidence["mark"])
    ours = notice.STRING_MARK.search(text) or notice.OURS.search(text)
    return ours[0] if ours else None


def may_hold_marks(text: str) -> bool:
    """Whether one of the words stands in a text."""
    letters = text.encode("utf-8", "surrogatepass").translate(LOWERED, OTHERS)
    if not any(one in letters for one in REMAINS):
        return False
    low = text.lower()
    return any(word in low for word in WORDS)

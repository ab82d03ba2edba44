"""Whether a produced text is itself only a part: it says so, or ends in the middle."""

import re

from ullage.arrivals.read import Reading, read
from ullage.arrivals.validity import unfinished

UNIT = (
    r"(?:char(?:acter)?s?|bytes?|[km]i?b|tokens?|lines?|rows?|records?|items?|entries|elements?"
    r"|results?|words?)"
)
FIGURE = rf"\d[\d,._]*\s*(?:more\s+)?{UNIT}"
# A figure with its unit and such a word, inside brackets or dots, is a mark wherever it stands.
SURE = r"(?:truncated|omitted|clipped|elided|left\ out|not\ shown)"
MARK = re.compile(
    rf"""(?:[\[(<]|…|\.\.\.)\s*(?:[\[(<]\s*)?(?:(?:output|result|text|content|response)\s)?
    (?:{SURE}\W+(?:\w+\W+){{0,3}}{FIGURE}|{FIGURE}\W+(?:\w+\W+){{0,3}}{SURE})
    [^\n\])>]{{0,80}}[\])>]?""",
    re.VERBOSE | re.IGNORECASE,
)
# In a line of its own at either end, framed as a whole, less is enough.
LINE = re.compile(
    rf"""\W*?(?:[\[(<]|…|\.\.\.)[^\n]*
    (?:truncat|omitt|clipped|shortened|elided|left\ out|not\ shown|skipped|cut\ (?:off|at|to|here)
    |more\s+{UNIT})[^\n]*(?:[\])>]|…|\.\.\.)\W*""",
    re.VERBOSE | re.IGNORECASE,
)
# What the viewer of a file says at every window that was asked for is no cut.
PAGER = re.compile(r"\bmore\s+lines?\s+(?:above|below)", re.IGNORECASE)
DOTS = ("...", "…")
LONGEST_LINE = 300
FLAG = re.compile(r"(?:is[_-]?)?truncated", re.IGNORECASE)


def shortened(text: str) -> str | None:
    """Return what shows that a text was shortened: its own words, or how it ends; else None.

    Only what leaves no doubt counts: a mark in brackets or dots, our own notice, a `truncated`
    member that is true, and a value that ends inside a token or container after a whole member.
    """
    reading = read(text)
    return (
        says(text, reading)
        or flagged(reading)
        or ("it ends inside a value" if ends_inside(text, reading) else None)
    )


def says(text: str, reading: Reading) -> str | None:
    """Return the words of a text that say so."""
    if reading.said:
        return reading.said[0]
    found = MARK.search(text)
    if found:
        return found[0]
    lines = text.strip().split("\n")
    ends = [line.strip() for line in (lines[0], lines[-1])] if len(lines) > 1 else []
    framed = (one for one in ends if len(one) <= LONGEST_LINE and LINE.fullmatch(one))
    return next((one for one in framed if not PAGER.search(one)), None)


def flagged(reading: Reading) -> str | None:
    """Return the member of the root that says so."""
    root = reading.value if reading.is_value else None
    if not isinstance(root, dict):
        return None
    return next((f"{key}: true" for key in root if FLAG.fullmatch(key) and root[key] is True), None)


def ends_inside(text: str, reading: Reading) -> bool:
    """Whether a text ends early; what is JSON as a whole does not, and is not read again."""
    return not reading.is_json and ends_early(text)


def ends_early(text: str) -> bool:
    """Whether a text is the beginning of a value, with or without dots behind it."""
    return unfinished(without_dots(text), styles=("json", "python"))


def without_dots(text: str) -> str:
    """Return a text without the dots at its end, and the space around them."""
    # No pattern: one that ends in space tries every run of it, and a run may be the whole text.
    bare = text.rstrip()
    dots = next((one for one in DOTS if bare.endswith(one)), None)
    return text if dots is None else bare.removesuffix(dots).rstrip()

"""Paragraphs that say how the rest is to be read: warnings, notes, verdicts, provisos."""

import re
from collections.abc import Sequence

from ullage.cutter.rarity import surprising
from ullage.cutter.standout import Standout

# A longer paragraph is content, whatever it begins with.
LONGEST = 400
# Before anything that is merely rare.
STRENGTH = 64.0

OPENS = re.compile(
    r"\s*(?:[-*+>|]\s*)*(?:\[!|[*_]{0,2}(?:note|nota bene|n\.b|warning|caution|caveat|important"
    r"|attention|danger|disclaimer|footer|footnote|verdict|conclusion|result|summary|total"
    r"|recommendation|decision|tl;dr|error|fail(?:ed|ure)?|deprecated|errata|correction)\b)",
    re.IGNORECASE,
)
HEDGES = re.compile(
    r"\b(?:provisional(?:ly)?|preliminary|unaudited|unverified|not yet (?:final|verified|confirmed)"
    r"|subject to (?:change|review|audit|approval)|estimated?|do not (?:use|rely|trust|share)"
    r"|excluding|with the exception of|superseded|retracted|embargo(?:ed)?|until further notice"
    r"|no longer valid|must not|under review|incomplete)\b",
    re.IGNORECASE,
)


def is_caveat(text: str) -> bool:
    """Whether a paragraph is short and warns, hedges or concludes."""
    if len(text) > LONGEST:
        return False
    return OPENS.match(text) is not None or HEDGES.search(text) is not None


def telling(paragraphs: Sequence[str]) -> list[Standout]:
    """Return the paragraphs that stand out: caveats first, then unusual wording."""
    caveats = [
        Standout(record=at, why="caveat", strength=STRENGTH)
        for at, text in enumerate(paragraphs)
        if is_caveat(text)
    ]
    known = {one.record for one in caveats}
    return caveats + [one for one in surprising(paragraphs) if one.record not in known]

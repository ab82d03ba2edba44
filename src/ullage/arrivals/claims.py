"""How many records an answer says that it is about."""

import re
from dataclasses import dataclass

DONE = (
    r"(?:analy[sz]ed|processed|reviewed|examined|checked|covered|evaluated|summari[sz]ed|audited"
    r"|inspected|looked\ at)"
)
NUMBER = r"(?P<number>\d{1,12}(?:[,_]\d{3})*)(?![.\d])"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One statement of how many there were, and its words."""

    number: int
    text: str


def claims(answer: str, noun: str | None) -> list[Claim]:
    """Return the statements about all records; `noun` names them in the plural, None is any.

    Only words that speak of all of them count ("20 orders analysed", "all 20 orders", "total
    orders: 20"): "3 orders are late" is about some, "20 of 50 orders" tells both.
    """
    found: dict[int, Claim] = {}
    for pattern in patterns(noun):
        for match in pattern.finditer(answer):
            number = int(re.sub(r"\D", "", match["number"]))
            claim = Claim(number=number, text=" ".join(match[0].split()))
            found.setdefault(match.start("number"), claim)
    return [found[place] for place in sorted(found)]


def patterns(noun: str | None) -> list[re.Pattern[str]]:
    """Return how such statements are written."""
    named = r"[^\W\d_]+s" if noun is None else re.escape(noun)
    them = rf"(?:[^\W\d][\w-]*\ ){{0,2}}?{named}\b"
    alone = r"(?<!\bof\ )(?<![\w.,-])"
    return [
        re.compile(words, re.IGNORECASE)
        for words in (
            rf"{alone}{NUMBER}\s+{them}\s+(?:(?:were|was|are|have\ been|has\ been)\s+)?"
            rf"(?:{DONE}|in\ total|altogether|overall)\b",
            rf"\b(?:{DONE}|all|total\ of)\s+(?:all\s+|the\s+|these\s+)*{NUMBER}\s+{them}",
            rf"\b(?:total\s+(?:number\s+of\s+)?{named}|number\ of\ {named}"
            rf"|{named}\s+(?:{DONE}|in\ total))\s*(?:\*\*)?\s*[:=]\s*(?:\*\*)?\s*{NUMBER}",
        )
    ]

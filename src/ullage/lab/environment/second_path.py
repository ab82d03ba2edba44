"""Whether a culprit stands in any delivered text but the list that an experiment takes away."""

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ullage.arrivals.second_path import Given, places
from ullage.lab.environment.listing import EARLY, LATE

LISTING = "list_containers"
LISTS = re.compile(rf"\\*[\"'](?P<list>{EARLY}|{LATE})\\*[\"']\s*:")
"""A list's key as JSON, a Python repr or JSON inside a string writes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What tells a container: its name, its namespace, and the pids and tids in it."""

    container: str
    ns: int
    pids: tuple[int, ...]

    @property
    def tokens(self) -> tuple[str, ...]:
        """The words by which it may be named."""
        return (self.container, str(self.ns), *map(str, self.pids))


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """A delivered text that carries an identity: which word of it, and how it is spelled there."""

    result: int
    tool: str
    token: str
    spelling: str


def carried(identity: Identity, given: Sequence[Given], *, field: str) -> list[Carried]:
    """Return where an identity stands in delivered texts, outside of `field` of the listing.

    `field` is `early_list` or `late_list`. Words count at their borders (`1013` not in `11013`),
    and an answer that only repeats its call's arguments does not. Spellings that a harness or a
    model could make of a name are looked for too: reversed, hex, base64, letters apart, other case.
    An empty list says that there is no second path by name; `decoder` asks beyond names.
    """
    texts = [outside(one, field) for one in given]
    plain = places(identity.tokens, texts)
    found = [
        Carried(result=spot.given.number, tool=spot.given.tool, token=token, spelling=token)
        for token in identity.tokens
        for spot in plain[token].found
    ]
    for token in identity.tokens:
        for spelling in spellings(token):
            found += [
                Carried(result=one.number, tool=one.tool, token=token, spelling=spelling)
                for one in texts
                if spells(one.text, spelling)
            ]
    return found


def outside(one: Given, field: str) -> Given:
    """Return a delivered text without what stands in `field` of the listing, broken or whole."""
    if one.tool != LISTING:
        return one
    keys = list(LISTS.finditer(one.text))
    ends = [key.start() for key in keys[1:]] + [len(one.text)]
    first = keys[0].start() if keys else len(one.text)
    parts = [one.text[:first]] + [
        one.text[key.start() : end]
        for key, end in zip(keys, ends[: len(keys)], strict=True)
        if key["list"] != field
    ]
    return Given(number=one.number, tool=one.tool, text="\n".join(parts), arguments=one.arguments)


def spellings(token: str) -> tuple[str, ...]:
    """Return a word as it would look if somebody had hidden it."""
    made = [
        token[::-1],
        token.encode().hex(),
        base64.b64encode(token.encode()).decode().rstrip("="),
        " ".join(token),
        token.upper(),
    ]
    if token.isdigit():
        # A reversed or spaced number is as good as any other; in hex it is rare enough.
        made = [token.encode().hex(), f"0x{int(token):x}"]
    return tuple(dict.fromkeys(one for one in made if one != token))


def spells(text: str, spelling: str) -> bool:
    """Whether a spelling stands in a text, not inside a longer word."""
    at = text.find(spelling)
    while at >= 0:
        before, after = text[at - 1 : at] if at else "", text[at + len(spelling) :][:1]
        if not before.isalnum() and not after.isalnum():
            return True
        at = text.find(spelling, at + 1)
    return False

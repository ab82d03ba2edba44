"""Texts that left a history, kept under short handles: the store that a model asks for them again.

Two stores: one in memory for as long as a program runs, one in a ledger that other processes read.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from blake3 import blake3

from ullage.cutter.listed import line_count, parts
from ullage.cutter.page import page
from ullage.ledger.history_records import RecallUse
from ullage.transcript.counted import many

SHORTEST = 8
"""Digits of a handle; more where two texts would have the same."""

PHRASE = re.compile(r'\brecall\(\\*"(?P<handle>[0-9a-f]{8,64})\\*"\)')
"""Escaped where it stands in a JSON string."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A text that is kept: its tool, the arguments of the call, how many records and characters.

    `records` is None where nobody has counted them.
    """

    handle: str
    tool: str
    call: str
    records: int | None
    chars: int


class UnknownHandleError(ValueError):
    """Nothing is kept under a handle."""


class Store(Protocol):
    """Keeps whole texts under handles, and counts who asks for them."""

    def keep(self, text: str, *, tool: str, call: str = "") -> str:
        """Keep a text and return its handle; `call` are the arguments of the tool's call.

        The same text has the same handle.
        """
        ...

    def whole(self, handle: str) -> str:
        """Return a kept text. Raises UnknownHandleError."""
        ...

    def page(
        self, handle: str, part: str | None = None, records: tuple[int, int] | None = None
    ) -> str:
        """Return a kept text, a part of it, or some records, as `cutter.page` does."""
        ...

    def listing(self) -> Sequence[Kept]:
        """Return what is kept, the first one first."""
        ...

    def used(self, handle: str, part: str | None, records: str | None, chars: int) -> None:
        """Count an answer of so many characters; 0 where nothing could be given."""
        ...

    @property
    def use(self) -> RecallUse:
        """How many handles were offered, and how many of them were used."""
        ...


def phrase(handle: str) -> str:
    """Return the words by which a placeholder offers a text again."""
    return f'recall("{handle}")'


def offers(store: Store, *, tool: str, call: str = "") -> Callable[[str], str]:
    """Return what keeps the whole results of one call, and says how to have them again."""
    return lambda whole: phrase(store.keep(whole, tool=tool, call=call))


def handles_in(text: str) -> list[str]:
    """Return the handles that a text offers, in order, each once."""
    return list(dict.fromkeys(found["handle"] for found in PHRASE.finditer(text)))


def records_of(text: str) -> int:
    """Return how many records the lists of a text hold; of a text without lists its lines."""
    return sum(parts(text).values()) or line_count(text)


class MemoryStore:
    """Keeps texts for as long as it lives."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._kept: dict[str, Kept] = {}
        self._asked: set[str] = set()
        self._counted = RecallUse()

    def keep(self, text: str, *, tool: str, call: str = "") -> str:
        """Keep a text and return its handle."""
        handle = self._handle(text)
        if handle not in self._texts:
            self._texts[handle] = text
            self._kept[handle] = Kept(
                handle=handle, tool=tool, call=call, records=records_of(text), chars=len(text)
            )
        return handle

    def whole(self, handle: str) -> str:
        """Return a kept text. Raises UnknownHandleError."""
        if handle not in self._texts:
            raise UnknownHandleError(unknown(handle, self.listing()))
        return self._texts[handle]

    def page(
        self, handle: str, part: str | None = None, records: tuple[int, int] | None = None
    ) -> str:
        """Return a kept text, a part of it, or some of its records."""
        return page(self.whole(handle), part, records)

    def listing(self) -> Sequence[Kept]:
        """Return what is kept, the first one first."""
        return list(self._kept.values())

    def used(self, handle: str, part: str | None, records: str | None, chars: int) -> None:
        """Count an answer."""
        del part, records  # a ledger keeps them
        one = self._counted
        if handle not in self._texts:
            self._counted = replace(one, unknown=one.unknown + 1)
            return
        self._asked.add(handle)
        self._counted = replace(one, pages=one.pages + (chars > 0))

    @property
    def use(self) -> RecallUse:
        """How many handles were offered, and how many of them were used."""
        return replace(self._counted, offered=len(self._texts), used=len(self._asked))

    def _handle(self, text: str) -> str:
        digest = blake3(text.encode("utf-8", "surrogatepass")).hexdigest()
        lengths = range(SHORTEST, len(digest) + 1, 4)
        handles = (digest[:length] for length in lengths)  # hash digits, not user data
        return next(one for one in handles if self._texts.get(one, text) == text)


MOST_NAMED = 8


def unknown(handle: str, kept: Sequence[Kept]) -> str:
    """Say that nothing is kept under a handle, and what is: the last ones, and how many more."""
    if not kept:
        return f"nothing is kept under {handle!r}: nothing was left out so far"
    last = list(reversed(kept[-MOST_NAMED:]))
    named = ", ".join(f"{one.handle} ({one.tool or 'text'}, {sized(one)})" for one in last)
    more = len(kept) - len(last)
    return (
        f"nothing is kept under {handle!r}: there is {named}{f' and {more} more' if more else ''}"
    )


def sized(one: Kept) -> str:
    """Return how much of it there is, in words."""
    counted = "" if one.records is None else f"{many(one.records, 'record')}, "
    return f"{counted}{one.chars} characters"

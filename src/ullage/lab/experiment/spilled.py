"""Results that were too long to show: kept whole for one run, and read on a page at a time."""

from dataclasses import dataclass, field

import msgspec

ROOM = 160
"""Characters that the words around a page may take."""


class ReadResult(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What `read_result` is asked: which result, and from which character on."""

    handle: str
    offset: int = 0


@dataclass(slots=True)
class Spilled:
    """The long results of one run, by handle."""

    texts: list[str] = field(default_factory=list)

    def keep(self, text: str) -> str:
        """Keep a text, and return its handle; the same text has the same one."""
        if text not in self.texts:
            self.texts.append(text)
        return f"r{self.texts.index(text) + 1}"

    def page(self, asked: ReadResult, limit: int) -> str:
        """Return the page of a kept text that begins at an offset, of at most `limit` characters.

        Raises ValueError for a handle or an offset that there is none of.
        """
        known = {f"r{at}": text for at, text in enumerate(self.texts, start=1)}
        if asked.handle not in known:
            raise ValueError(f"there is no result {asked.handle!r}; there are {', '.join(known)}")
        text = known[asked.handle]
        if not 0 <= asked.offset < len(text):
            raise ValueError(f"offset {asked.offset} is not in 0 to {len(text) - 1}")
        return paged(text, asked.handle, asked.offset, limit)


def paged(text: str, handle: str, offset: int, limit: int) -> str:
    """Return a page with the pointer to the next one behind it, where there is one."""
    if len(text) - offset <= limit:
        return text[offset:]
    end = offset + max(1, limit - ROOM)
    return (
        f"{text[offset:end]}\n[characters {offset} to {end} of {len(text)}; go on with "
        f'read_result(handle="{handle}", offset={end})]'
    )

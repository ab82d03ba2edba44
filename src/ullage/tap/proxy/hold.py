"""Which bytes of a reply may flow before its record is committed: all but its end."""

import re

# Clients stop reading at this line, so for them it is the reply's end.
DONE = re.compile(rb"[\r\n]data: ?\[DONE\]")
WORD = b"[DONE]"
LONGEST = len(b"\ndata: [DONE]")


class HoldBack:
    """Lets everything through but the end, which waits in `held`.

    With a `length`, the end is the last byte; `ended` says that it is there. In a stream of events
    it is what starts with `data: [DONE]`, wherever the pieces are split; `done` says that that was
    seen. Otherwise the end is the terminating chunk, which is no part of the body, and nothing is
    held. With `keep=False` the end is noticed, but not held.
    """

    def __init__(self, *, length: int | None, events: bool, keep: bool = True) -> None:
        self.held = b""
        self.done = False
        self._left = length
        self._events = events
        self._keep = keep
        self._tail = b"\n"

    @property
    def ended(self) -> bool:
        """Whether all bytes of a reply of a known length have come."""
        return self._left is not None and self._left <= 0

    def take(self, chunk: bytes) -> bytes:
        """Return what may flow now of `chunk`; the rest is held."""
        if self.done:
            return self._held_of(chunk, 0, before=self.held)
        return self._held_of(chunk, self._end_within(chunk))

    def release(self) -> bytes:
        """Return what is held, and hold it no longer."""
        held, self.held = self.held, b""
        return held

    def _held_of(self, chunk: bytes, start: int, before: bytes = b"") -> bytes:
        if not self._keep:
            return chunk
        self.held = before + chunk[start:]
        return chunk[:start]

    def _end_within(self, chunk: bytes) -> int:
        if self._left is not None:
            self._left -= len(chunk)
        last = len(chunk) - 1 if self.ended else len(chunk)
        return min(last, self._done_within(chunk)) if self._events else last

    def _done_within(self, chunk: bytes) -> int:
        window = self._tail + chunk
        # Asked first: to look for plain bytes costs next to nothing.
        found = DONE.search(window) if WORD in window else None
        if found:
            self.done = True
            return max(0, found.start() + 1 - len(self._tail))
        self._tail = window[1 - LONGEST :]
        return len(chunk)

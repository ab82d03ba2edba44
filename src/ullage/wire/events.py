"""Server-sent events: bytes to events, in time that is linear however the bytes were split."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

STARTS = (b"data", b"event", b":", b"id", b"retry")
MARK = b"\xef\xbb\xbf"  # a byte order mark may come first


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event: its name, if it has one, and its data; `torn` where the body ended inside it."""

    name: str | None
    data: str
    torn: bool = False


@dataclass(slots=True)
class EventReader:
    """Events out of a body that comes in pieces.

    Lines end in LF, CRLF or CR and nothing else: U+2028 may stand raw inside a JSON string.
    Comments and fields other than `event` and `data` are passed over; data lines are joined.
    """

    line: list[bytes] = field(default_factory=list)
    after_cr: bool = False
    name: str | None = None
    data: list[str] = field(default_factory=list)

    def feed(self, piece: bytes) -> Iterator[Event]:
        """Take in the next piece of a body, and yield the events that it ends."""
        if not piece:
            return
        if self.after_cr:
            piece = piece.removeprefix(b"\n")
        self.after_cr = piece.endswith(b"\r")
        first, *others = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        self.line.append(first)
        for other in others:
            line, self.line = b"".join(self.line), [other]
            yield from self.take(line)

    def close(self) -> Iterator[Event]:
        """Yield the last event of a body that does not end in a blank line."""
        line = b"".join(self.line)
        if line:
            yield from self.take(line)
        if self.data:
            yield Event(name=self.name, data="\n".join(self.data), torn=True)

    def take(self, line: bytes) -> Iterator[Event]:
        """Take in one line; a blank one ends an event."""
        if not line:
            if self.data:
                yield Event(name=self.name, data="\n".join(self.data))
            self.name, self.data = None, []
            return
        word, _, value = line.removeprefix(MARK).partition(b":")
        said = value.removeprefix(b" ").decode("utf-8", "replace")
        if word == b"data":
            self.data.append(said)
        elif word == b"event":
            self.name = said


def events(pieces: bytes | Iterable[bytes]) -> Iterator[Event]:
    """Yield the events of a body, given whole or in pieces."""
    reader = EventReader()
    for piece in [pieces] if isinstance(pieces, bytes) else pieces:
        yield from reader.feed(piece)
    yield from reader.close()


def is_stream(body: bytes) -> bool:
    """Whether a body is a stream of events, or the first bytes of one."""
    head = body.lstrip().removeprefix(MARK).partition(b"\n")[0].partition(b":")
    word = head[0].rstrip(b"\r")
    if head[1]:
        return word in (*STARTS, b"")
    return bool(word) and any(start.startswith(word) for start in STARTS)

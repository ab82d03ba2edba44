"""JSON-RPC messages from bytes, and the lines of a stream. Pure."""

import json
from collections.abc import Iterator, Mapping, Sequence

Message = Mapping[str, object]


class NotJsonRpcError(ValueError):
    """Some bytes are no JSON-RPC message; never fatal, always counted."""


def messages(data: bytes) -> Sequence[Message]:
    """Read one message or a batch. Raises NotJsonRpcError for anything else."""
    try:
        # Not json.loads(data), which would guess at UTF-16.
        value = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise NotJsonRpcError(f"not JSON: {type(error).__name__}") from error
    found = value if isinstance(value, list) else [value]
    for one in found:
        if not isinstance(one, dict) or one.get("jsonrpc") != "2.0":
            raise NotJsonRpcError("JSON, but not JSON-RPC 2.0")
    return found


class Lines:
    """Puts lines together from pieces split anywhere; `longest` bounds what is kept of one."""

    def __init__(self, *, longest: int) -> None:
        self.too_long = 0
        self._longest = longest
        self._pieces: list[bytes] = []
        self._size = 0
        self._skipping = False

    def take(self, chunk: bytes) -> Iterator[bytes]:
        """Give the lines that end in `chunk`, without line ends; empty ones are left out."""
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            self._add(piece)
            yield from self._line()
        self._add(rest)

    def end(self) -> Iterator[bytes]:
        """Give the last line, which had no line end."""
        yield from self._line()

    def skip(self) -> None:
        """Forget the line that has begun: bytes of it are missing."""
        self._pieces, self._size, self._skipping = [], 0, True

    def _add(self, piece: bytes) -> None:
        if self._skipping:
            return
        self._size += len(piece)
        if self._size > self._longest:
            self.too_long += 1
            self.skip()
        else:
            self._pieces.append(piece)

    def _line(self) -> Iterator[bytes]:
        line = b"".join(self._pieces).strip(b"\r\t ")
        self._pieces, self._size, self._skipping = [], 0, False
        if line:
            yield line

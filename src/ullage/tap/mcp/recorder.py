"""Reads copies of what passed in a thread of its own; no conversation ever waits for it."""

import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Literal

from ullage.tap.mcp.calls import Calls
from ullage.tap.mcp.faults import Faults
from ullage.tap.mcp.messages import Lines, Message, NotJsonRpcError, messages
from ullage.tap.mcp.results import Produced

Side = Literal["client", "server"]
Keep = Callable[[Produced, float], None]
"""Writes one result, and when it passed; may raise anything."""

MOST_WAITING = 128 << 20
"""Bytes of copies that wait to be read; what comes on top is passed on but not recorded."""

LONGEST_LINE = 512 << 20
"""Bytes of one line that is still read; a longer one is passed on but not recorded."""

NOT_JSON_RPC = "a line of the {side} is not JSON-RPC, and was passed on unread"
TOO_LONG = "a line of the {side} is too long to be read, and was passed on unread"
BEHIND = "the recorder is behind; passed on, but not recorded"
NOT_KEPT = "a result was not recorded"


class Recorder:
    """Takes copies in the order of passing, pairs calls with replies, and keeps the results."""

    def __init__(
        self,
        keep: Keep,
        faults: Faults,
        *,
        clock: Callable[[], float],
        most_waiting: int = MOST_WAITING,
        longest_line: int = LONGEST_LINE,
    ) -> None:
        self.recorded = 0
        self._keep, self._faults, self._clock = keep, faults, clock
        self._most_waiting = most_waiting
        self._waiting = 0
        self._lock = threading.Lock()
        self._queue: deque[tuple[Side, bytes | None, float]] = deque()
        self._awake = threading.Event()
        self._over = False
        self._missing: set[Side] = set()
        self._calls = Calls()
        self._lines: Mapping[Side, Lines] = {
            "client": Lines(longest=longest_line),
            "server": Lines(longest=longest_line),
        }
        self._thread = threading.Thread(target=self._work, name="ullage-recorder", daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def take(self, side: Side, chunk: bytes) -> None:
        """Take a copy of what a side said, before it is passed on; nothing where it is at its end.

        Never waits, never raises.
        """
        with self._lock:
            if self._waiting + len(chunk) > self._most_waiting:
                self._missing.add(side)
                return
            self._waiting += len(chunk)
            if side in self._missing:
                self._missing.discard(side)
                self._queue.append((side, None, 0.0))
            self._queue.append((side, chunk, self._clock()))

    def wake(self) -> None:
        """Let the copies be read: what was taken has been passed on.

        Not in `take`: reading a large result holds the interpreter, and its last bytes would wait.
        """
        self._awake.set()

    def finish(self, seconds: float) -> None:
        """Read what waits, for so long at most; say what was not recorded."""
        self._over = True
        self._awake.set()
        self._thread.join(seconds)
        if self._thread.is_alive():
            self._faults.add(f"{self._waiting} bytes were passed on and not read in time")
        odd = self._calls.oddities
        self._faults.add("a tools/call that names no tool", times=odd.unreadable_calls)
        self._faults.add("a call with the id of one under way", times=odd.reused_ids)
        self._faults.add("a call was given up, too many were open", times=odd.given_up)
        self._faults.close()

    def _work(self) -> None:
        while not self._over or self._queue:
            self._awake.wait()
            self._awake.clear()
            while self._queue:
                self._take_in(*self._queue.popleft())
            if self._over and not self._queue:
                break
        for side in self._missing:
            self._take_in(side, None, 0.0)
        for side in self._lines:
            self._take_in(side, b"", self._clock())

    def _take_in(self, side: Side, chunk: bytes | None, at: float) -> None:
        lines = self._lines[side]
        if chunk is None:
            self._faults.add(BEHIND)
            lines.skip()
            return
        before = lines.too_long
        for line in lines.take(chunk) if chunk else lines.end():
            self._read(side, line, at)
        self._faults.add(TOO_LONG.format(side=side), times=lines.too_long - before)
        with self._lock:
            self._waiting -= len(chunk)

    def _read(self, side: Side, line: bytes, at: float) -> None:
        try:
            found = messages(line)
        except NotJsonRpcError as error:
            self._faults.add(NOT_JSON_RPC.format(side=side), str(error))
            return
        for message in found:
            self._pair(side, message, at)

    def _pair(self, side: Side, message: Message, at: float) -> None:
        if side == "client":
            self._calls.from_client(message)
            return
        try:
            result = self._calls.from_server(message)
            if result is not None:
                self._keep(result, at)
                self.recorded += 1
        except Exception as error:  # noqa: BLE001  # a full disk, a locked file, a broken install: none may stop the thread
            self._faults.add(NOT_KEPT, f"{type(error).__name__}: {error}")

"""Single keys from a terminal, which is as it was before when they are no longer read."""

import os
import select
import sys
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import IO, Any, Literal, Self

Key = Literal["quit", "up", "down"]

KEYS: Mapping[bytes, Key] = {
    b"q": "quit",
    b"Q": "quit",
    b"": "quit",  # the terminal was closed
    b"k": "up",
    b"\x1b[A": "up",
    b"\x1bOA": "up",
    b"j": "down",
    b"\x1b[B": "down",
    b"\x1bOB": "down",
}
LONGEST = 16
"""Bytes of one key; arrows come as a sequence of three."""


class Keys:
    """Reads keys without the line end; Ctrl-C stays a signal.

    Where `stdin` is no terminal, or on Windows, there are no keys, and `press` only waits.
    """

    def __init__(self, stdin: IO[str], *, sleep: Callable[[float], object] = time.sleep) -> None:
        self._sleep = sleep
        self._fd = stdin.fileno() if stdin.isatty() and sys.platform != "win32" else None
        self._before: list[Any] | None = None

    @property
    def there(self) -> bool:
        """Whether keys are read."""
        return self._fd is not None

    def __enter__(self) -> Self:
        if sys.platform != "win32" and self._fd is not None:
            import termios
            import tty

            self._before = termios.tcgetattr(self._fd)
            tty.setcbreak(self._fd)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if sys.platform != "win32" and self._fd is not None and self._before is not None:
            import termios

            termios.tcsetattr(self._fd, termios.TCSADRAIN, self._before)

    def press(self, seconds: float) -> Key | None:
        """Wait so long for a key, and return what it means; None where there was none of ours."""
        if self._fd is None:
            self._sleep(seconds)
            return None
        ready, _, _ = select.select([self._fd], [], [], seconds)
        return KEYS.get(os.read(self._fd, LONGEST)) if ready else None

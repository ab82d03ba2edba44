"""A stdio server run behind our own stdin and stdout, byte for byte, a copy to a recorder."""

import os
import select
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import IO, Protocol

from ullage.errors import UllageError
from ullage.tap.mcp.recorder import Side

AT_ONCE = 1 << 16
MOMENT = 0.5
"""Seconds after which a server that has not ended gets the SIGINT that came to us."""

FROM_TERMINAL = ("SIGINT", "SIGQUIT", "SIGHUP")
PASSED_ON = (*FROM_TERMINAL, "SIGTERM", "SIGUSR1", "SIGUSR2")


class Copies(Protocol):
    """Where copies go: see Recorder."""

    def take(self, side: Side, chunk: bytes, /) -> None:
        """Take a copy of what is about to be passed on; nothing where a side is at its end."""
        ...

    def wake(self) -> None:
        """Know that it was passed on."""
        ...


class EndedError(Exception):
    """A signal came when the server had ended already."""


def pass_through(command: Sequence[str], copies: Copies, *, stdin: int = 0, stdout: int = 1) -> int:
    """Run `command` between two file descriptors; return its code, -N if signal N ended it.

    Nothing waits for more than has come. Where one side closes, so does the other: an end of input
    is passed on, a closed output too. Waits until the server has ended and its output is at its
    end. Raises UllageError where the command cannot be started.
    """
    with signals_passed_on() as signals:
        try:
            server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            raise UllageError(
                f"tap: cannot start {command[0]!r}: {error.strerror or error}; "
                "check the command after --"
            ) from error
        to_server, output = taken(server.stdin), taken(server.stdout)
        upward = ("client", stdin, to_server, copies)
        with suppress(EndedError):
            with undisturbed():
                threading.Thread(target=pump, args=upward, daemon=True).start()
            signals.reach(server)
            pump("server", output, stdout, copies)
            server.wait()
        signals.over = True
        return server.wait()


def taken(pipe: IO[bytes] | None) -> int:
    """Return our end of a pipe as a number that nothing closes while a thread still uses it."""
    assert pipe is not None
    with pipe:
        return os.dup(pipe.fileno())


def pump(side: Side, source: int, target: int, copies: Copies) -> None:
    """Pass on what comes until either end is closed, then close the other one too."""
    while chunk := read(source):
        # A copy first: a reply is never copied before its call.
        copies.take(side, chunk)
        passed = write(target, chunk)
        copies.wake()
        if not passed:
            break
    copies.take(side, b"")
    let_go(target)
    let_go(source)


def read(source: int) -> bytes:
    """Return what has come, at least one byte; nothing at the end."""
    while True:
        try:
            return os.read(source, AT_ONCE)
        except BlockingIOError:
            select.select([source], [], [])
        except OSError:
            return b""  # broken, which for a reader is the end


def write(target: int, chunk: bytes) -> bool:
    """Write all of `chunk`; False where nobody reads any more."""
    left = memoryview(chunk)
    while left:
        try:
            left = left[os.write(target, left) :]
        except BlockingIOError:
            select.select([], [target], [])
        except OSError:
            return False
    return True


def let_go(end: int) -> None:
    """Close our end of a pipe, and keep its number taken.

    A number that is free would go to the next file that is opened, and a late write into it.
    """
    nothing = os.open(os.devnull, os.O_RDWR)
    try:
        os.dup2(nothing, end)
    finally:
        os.close(nothing)


def known(names: Sequence[str]) -> list[signal.Signals]:
    """Return the signals of these names that the platform has."""
    return [getattr(signal, name) for name in names if hasattr(signal, name)]


@contextmanager
def undisturbed() -> Iterator[None]:
    """Start threads inside that no signal interrupts: the main thread gets them all."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, known(PASSED_ON))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, known(PASSED_ON))


class Signals:
    """Passes signals on to a server; those that come before it is there, then.

    A terminal sends its own to the whole group, so those are passed on only if the server is still
    there a moment later.
    """

    def __init__(self) -> None:
        self.over = False
        self._server: subprocess.Popen[bytes] | None = None
        self._early: list[int] = []
        self._later = known(FROM_TERMINAL)

    def __call__(self, number: int, _: FrameType | None = None) -> None:
        """Pass one on. Raises EndedError where nobody is left: then we end too."""
        if self._server is None:
            self._early.append(number)
        elif self._server.poll() is not None:
            if not self.over:
                raise EndedError
        elif number in self._later:
            timer = threading.Timer(MOMENT, send, (self._server, number))
            timer.daemon = True
            timer.start()
        else:
            send(self._server, number)

    def reach(self, server: "subprocess.Popen[bytes]") -> None:
        """Pass on to this server from now on."""
        self._server = server
        for number in self._early:
            self(number)


@contextmanager
def signals_passed_on() -> Iterator[Signals]:
    """Pass signals on inside. What we were told to ignore, the server ignores too."""
    passed_on = Signals()
    with handled_by(passed_on):
        yield passed_on


@contextmanager
def handled_by(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Handle signals by a function inside; those that are ignored stay so."""
    before = {
        number: signal.signal(number, handler)
        for number in known(PASSED_ON)
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


def send(server: "subprocess.Popen[bytes]", number: int) -> None:
    """Send a signal to a server that is still there."""
    if server.poll() is None:
        with suppress(ProcessLookupError):
            server.send_signal(number)

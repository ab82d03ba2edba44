"""The moments at which records under way would be lost: the end of a process, and a fork."""

import atexit
import os
import sys
import weakref
from pathlib import Path
from typing import Protocol

# Comes first: a fork calls what was registered last first, and writing needs the connection.
import ullage.ledger.connection  # noqa: F401


class Ending(Protocol):
    """What must be told of these moments."""

    path: Path

    def flush(self, timeout: float | None = None) -> bool:
        """Write what is under way."""
        ...

    def write_inline(self) -> None:
        """Write what is under way, and from now on at once."""
        ...

    def before_fork(self) -> None:
        """Stand still."""
        ...

    def after_fork_in_parent(self) -> None:
        """Go on."""
        ...

    def after_fork_in_child(self) -> None:
        """Start anew."""
        ...


_ALL: "weakref.WeakSet[Ending]" = weakref.WeakSet()
_HELD: list[Ending] = []


def watch(one: Ending) -> None:
    """Tell `one` of these moments for as long as it lives."""
    _ALL.add(one)


def flush(path: Path, timeout: float) -> None:
    """Write what this process has under way for one file: whoever reads it here sees all of it."""
    place = path.absolute()
    for one in list(_ALL):
        if one.path == place:
            one.flush(timeout)


def started() -> None:
    """Note that this process has something under way.

    A child of `multiprocessing` ends without the calls of atexit, and with those of its own.
    """
    processes = sys.modules.get("multiprocessing.util")
    if processes is not None:
        processes.Finalize(None, _at_exit, exitpriority=100)


def _at_exit() -> None:
    for one in list(_ALL):
        one.write_inline()


def _before_fork() -> None:
    _HELD[:] = list(_ALL)
    for one in _HELD:
        one.before_fork()


def _after_in_parent() -> None:
    for one in _HELD:
        one.after_fork_in_parent()
    _HELD.clear()


def _after_in_child() -> None:
    for one in _HELD:
        one.after_fork_in_child()
    _HELD.clear()


atexit.register(_at_exit)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork,
        after_in_parent=_after_in_parent,
        after_in_child=_after_in_child,
    )

"""A process of a harness: started in the user's environment, ended with all that it started."""

import asyncio
import os
import signal
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

GRACE = 2.0
"""Seconds between asking a process to end and ending it."""

TAIL = 4000
"""Characters at the end of what a process wrote that are looked at."""


@dataclass(slots=True)
class Process:
    """A running process, the leader of a group of its own; what it writes goes to files."""

    child: asyncio.subprocess.Process
    out: IO[bytes]
    err: IO[bytes]

    @property
    def ended(self) -> bool:
        """Whether it has ended by itself or by us."""
        return self.child.returncode is not None

    def wrote(self, since: int = 0) -> str:
        """Return the end of what it wrote on stderr since that byte."""
        return tail(self.err, since)

    def said(self, since: int = 0) -> str:
        """Return the end of what it wrote on stdout since that byte."""
        return tail(self.out, since)

    def mark(self) -> tuple[int, int]:
        """Return how many bytes it wrote so far, on stdout and on stderr."""
        return os.fstat(self.out.fileno()).st_size, os.fstat(self.err.fileno()).st_size

    async def end(self) -> None:
        """End it and whatever it started: by asking, then by force."""
        group = self.child.pid
        if not self.ended:
            to_group(group, signal.SIGTERM)
            with suppress(TimeoutError):
                await asyncio.wait_for(self.child.wait(), GRACE)
        # Also where it has ended: what it left behind would hold ports and files.
        to_group(group, signal.SIGKILL)
        await self.child.wait()

    def close(self) -> None:
        """Let go of the files."""
        self.out.close()
        self.err.close()


async def start(
    command: Sequence[str], environment: Mapping[str, str], folder: Path | None
) -> Process:
    """Start a command. Raises OSError where that cannot be.

    Its stdin is empty: some coding CLIs read more of their prompt from there.
    """
    out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115 - Process.close
    try:
        child = await asyncio.create_subprocess_exec(
            *command,
            env=dict(environment),
            cwd=folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
    except OSError:
        out.close()
        err.close()
        raise
    return Process(child=child, out=out, err=err)


def to_group(group: int, number: signal.Signals) -> None:
    """Send a signal to each process of a group, where there still is one."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def tail(file: IO[bytes], since: int) -> str:
    """Return the end of a file as text, of at most `TAIL` characters, at a line's begin."""
    size = os.fstat(file.fileno()).st_size
    begin = max(since, size - TAIL)
    read = os.pread(file.fileno(), size - begin, begin).decode("utf-8", "replace")
    return read if begin == since else read.partition("\n")[2]

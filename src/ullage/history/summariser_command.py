"""A command as a summariser: the request on its input, the summary on its output."""

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from ullage.history.summary import Answer, Ask, Failed
from ullage.history.without_secrets import without_secrets

LAST_LINES = 3
GRACE = 5.0
"""Seconds that a killed command's pipes are waited for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command that reads a request and prints a summary, both UTF-8.

    It gets the texts of the messages, a blank line between them, and has `timeout` seconds. It is
    ended with all that it started where it takes longer.
    """

    words: tuple[str, ...]
    timeout: float
    key: str | None = None

    @property
    def name(self) -> str:
        """The program's name: its arguments may hold a key."""
        return f"cmd {self.words[0]}"

    def ask(self, ask: Ask) -> Answer | Failed:
        """Run the command once."""
        try:
            child = subprocess.Popen(
                self.words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            return Failed(why=f"{self.name} cannot be run: {error.strerror}")
        with child:
            try:
                out, err = child.communicate(
                    prompt(ask.messages).encode("utf-8", "replace"), self.timeout
                )
            except subprocess.TimeoutExpired:
                end(child)
                why = f"{self.name} did not answer in {self.timeout:g} seconds"
                return Failed(why=why, wrong="timeout")
            except BaseException:
                end(child)
                raise
        return self.answer(child.returncode, out, err)

    def answer(self, code: int, out: bytes, err: bytes) -> Answer | Failed:
        """Read how a run ended."""
        if code != 0:
            said = last_lines(err.decode("utf-8", "replace"))
            why = f"{self.name} ended with exit code {code}"
            return Failed(why=f"{why}: {without_secrets(said, self.key)}" if said else why)
        try:
            return Answer(text=out.decode("utf-8"))
        except UnicodeDecodeError as error:
            return Failed(why=f"{self.name} printed bytes that are not UTF-8 at byte {error.start}")


def command_of(text: str, *, timeout: float, key: str | None) -> Command:
    """Read a command; ValueError where it is empty, badly quoted, or not there."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ValueError(f"the summariser's command cannot be read: {error}") from error
    if not words:
        raise ValueError("the summariser's command is empty: give cmd PROGRAM ARGUMENTS")
    if shutil.which(words[0]) is None:
        raise ValueError(f"the summariser's command {words[0]!r} is not there, or may not be run")
    return Command(words=tuple(words), timeout=timeout, key=key)


def prompt(messages: Sequence[Mapping[str, str]]) -> str:
    """Return a request as one text."""
    return "\n\n".join(one["content"] for one in messages) + "\n"


def last_lines(text: str) -> str:
    """Return the last lines that say anything."""
    return " ".join([line.strip() for line in text.split("\n") if line.strip()][-LAST_LINES:])


def end(child: "subprocess.Popen[bytes]") -> None:
    """End a command with all that it started."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()
    with suppress(subprocess.TimeoutExpired):
        child.communicate(timeout=GRACE)

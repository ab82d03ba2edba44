"""The findings that an agent writes down, and how the deciding one reads them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

UNNAMED = "unknown"
FAULT = re.compile(
    r"At fault: pid (?P<pid>\d+) in container (?P<container>\S+): "
    r"one thread (?P<what>[\w ]+) for (?P<ms>\d+) ms"
)
CLEARED = re.compile(
    r"Not at fault: pid (?P<pid>\d+) in container (?P<container>\S+): "
    r"(?P<events>\d+) events, no single time over (?P<ms>\d+) ms"
)
COVERED = re.compile(r"The listing is (?P<how>whole|not whole): (?P<seen>\d+) processes seen")


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A process that a finding is about; `weight` is milliseconds, or its events if cleared."""

    pid: int
    container: str
    weight: int

    @property
    def answer(self) -> str:
        """What it is called in an answer: its container, else its pid."""
        return f"pid {self.pid}" if self.container == UNNAMED else self.container


def fault(pid: int, container: str, what: str, ms: int) -> str:
    """Say that a process is at fault."""
    named = container or UNNAMED
    return f"At fault: pid {pid} in container {named}: one thread {what} for {ms} ms."


def cleared(pid: int, container: str, events: int, ms: int) -> str:
    """Say that a process is not at fault."""
    named = container or UNNAMED
    return (
        f"Not at fault: pid {pid} in container {named}: {events} events, no single time over "
        f"{ms} ms."
    )


def covered(seen: int, *, whole: bool) -> str:
    """Say how much of the listing was seen."""
    return f"The listing is {'whole' if whole else 'not whole'}: {seen} processes seen in it."


def faults_in(texts: Iterable[str]) -> list[Noted]:
    """Return the processes that texts say are at fault."""
    return noted(FAULT, texts, "ms")


def cleared_in(texts: Iterable[str]) -> list[Noted]:
    """Return the processes that texts say are not at fault."""
    return noted(CLEARED, texts, "events")


def whole_in(texts: Iterable[str]) -> bool:
    """Whether texts say that the whole listing was seen."""
    return any(found["how"] == "whole" for text in texts for found in COVERED.finditer(text))


def noted(pattern: re.Pattern[str], texts: Iterable[str], weight: str) -> list[Noted]:
    """Return the processes of a kind of finding."""
    return [
        Noted(pid=int(found["pid"]), container=found["container"], weight=int(found[weight]))
        for text in texts
        for found in pattern.finditer(text)
    ]

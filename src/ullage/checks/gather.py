"""Checks that need all sessions: each is shown one at a time, and reports at the end."""

from collections.abc import Iterator
from typing import Protocol

from ullage.checks.session import Session
from ullage.transcript.finding import Finding


class Gatherer(Protocol):
    """Remembers figures of sessions, never their texts: there may be thousands."""

    def add(self, session: Session) -> None:
        """Take in one session."""

    def findings(self) -> Iterator[Finding]:
        """Give what is to be said of all of them."""

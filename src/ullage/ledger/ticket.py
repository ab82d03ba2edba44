"""What a caller gets for a record that is written in the background."""

import threading
from collections.abc import Callable, Sequence

from ullage.errors import LedgerError


class Ticket:
    """A record that was handed over: in the end it is written, or `error` says why it is not.

    `number` is the record's, None as long as it is not committed. `notes` are sentences about what
    of it could not be kept.
    """

    __slots__ = ("_condition", "_done", "_heard", "error", "notes", "number")

    def __init__(self, condition: threading.Condition) -> None:
        self.number: int | None = None
        self.error: LedgerError | None = None
        self.notes: Sequence[str] = ()
        self._done = False
        self._condition = condition
        self._heard: Callable[[Ticket], None] | None = None

    @property
    def done(self) -> bool:
        """Whether it is known what became of the record."""
        return self._done

    def wait(self, timeout: float | None = None) -> bool:
        """Return once it is known, or after `timeout` seconds; and whether it is known."""
        if self._done:  # in a forked child the lock below is nobody's any more
            return True
        with self._condition:
            return self._condition.wait_for(lambda: self._done, timeout)

    def when_done(self, call: Callable[["Ticket"], None]) -> None:
        """Have `call` called once, from the writing thread or at once; it must not block."""
        if not self._done:
            with self._condition:
                if not self._done:
                    self._heard = call
                    return
        call(self)

    def settle(self, error: LedgerError | None = None) -> None:
        """Say what became of the record. For the writer."""
        with self._condition:
            self._know(error)
            heard, self._heard = self._heard, None
            self._condition.notify_all()
        if heard is not None:
            heard(self)

    def abandon(self, error: LedgerError) -> None:
        """Say in a forked child that the record is its parent's. For the writer."""
        self._heard = None
        self._know(error)

    def _know(self, error: LedgerError | None) -> None:
        self.error = error
        if error is not None:
            self.number = None
        self._done = True


def written(number: int, notes: Sequence[str] = ()) -> Ticket:
    """Return the ticket of a record that is committed already."""
    ticket = Ticket(threading.Condition())
    ticket.number, ticket.notes = number, notes
    ticket.settle()
    return ticket

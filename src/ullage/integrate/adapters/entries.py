"""A history after its compaction, as positions in the history that a framework gave."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ullage.history.compacted import Compacted
from ullage.history.event import Event
from ullage.history.forms.markers import NAMES as MARKERS

Document = Mapping[str, Any]
M = TypeVar("M")

LISTS = ("messages", "input", "contents")
"""Where the forms of the providers have their messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One message that is sent: where it comes from, and what it says now.

    `place` is its position in the list that was given, None for a message of ours. `message` is
    None where what was given stands there untouched.
    """

    place: int | None
    message: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """What is to be sent, in order; `changed` where that is not simply all that was given.

    `compacted` is the account of the last step, on the history as it was remembered.
    """

    entries: tuple[Entry, ...]
    compacted: Compacted
    changed: bool

    @property
    def events(self) -> tuple[Event, ...]:
        """What was done now."""
        return tuple(self.compacted.events)


def list_of(document: Document) -> str:
    """Return the name of the member that holds the messages. Raises ValueError without one."""
    for name in LISTS:
        if isinstance(document.get(name), list):
            return name
    raise ValueError(f"a body has its messages in one of {', '.join(LISTS)}: none is there")


def started(given: Sequence[Any], known: Sequence[Entry], length: int) -> list[Entry]:
    """Return the entries to begin with: what is known of the first `length`, then the rest."""
    return [*known, *(Entry(place=place) for place in range(length, len(given)))]


def messages_of(given: Sequence[Any], entries: Sequence[Entry]) -> list[Any]:
    """Return the messages that entries stand for."""
    return [
        given[one.place] if one.message is None and one.place is not None else one.message
        for one in entries
    ]


def sent_as(
    given: Sequence[M],
    said: Sequence[Mapping[str, Any]],
    entries: Sequence[Entry],
    *,
    new: Callable[[Mapping[str, Any]], M],
    reworded: Callable[[M, Mapping[str, Any], Mapping[str, Any] | None], M],
) -> list[M]:
    """Return a framework's messages to send, where each of them is one message that was measured.

    `new` makes a message of ours; `reworded` takes the one that was given, what it said, and what
    it is to say (None: the same), and gives the very object back where that is the same.
    """
    return [
        new(entry.message)
        if entry.place is None
        else reworded(given[entry.place], said[entry.place], entry.message)
        for entry in entries
    ]


def marked_again(given: Sequence[Any], entries: Sequence[Entry]) -> list[Any]:
    """Return the messages that entries stand for, for another compaction.

    What was written once has lost its markers, and would not be protected any more.
    """
    found = messages_of(given, entries)
    for at, one in enumerate(entries):
        was = given[one.place] if one.place is not None and one.message is not None else None
        if isinstance(was, Mapping) and isinstance(found[at], Mapping):
            marks = {name: was[name] for name in MARKERS if name in was}
            found[at] = {**found[at], **marks} if marks else found[at]
    return found


def ended(before: Sequence[Entry], messages: Sequence[Any], compacted: Compacted) -> list[Entry]:
    """Return the entries after a step that was given those of `before` as `messages`."""
    found = []
    for message, at in zip(compacted.messages, compacted.trail, strict=True):
        if at is None:
            found.append(Entry(place=None, message=message))
        elif message is messages[at]:
            found.append(before[at])
        else:
            found.append(Entry(place=before[at].place, message=message))
    return found


def at_given_places(compacted: Compacted, before: Sequence[Entry]) -> Compacted:
    """Return an account whose events name the messages by their places in what was given."""
    events = []
    for event in compacted.events:
        places = (before[at].place for at in event.messages if at < len(before))
        events.append(replace(event, messages=tuple(at for at in places if at is not None)))
    return replace(compacted, events=tuple(events))

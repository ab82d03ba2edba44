"""What was done to the beginning of a conversation, which comes back longer with every request."""

import json
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from ullage.integrate.adapters.entries import Entry

MOST = 256
"""Conversations that are remembered; of more, the ones that were not asked for longest go."""

SYSTEM = ("system", "developer")


class Memory:
    """Remembers by content: equal beginnings have had the same done to them."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._known: OrderedDict[bytes, tuple[Entry, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def beginning(self, given: Sequence[Any]) -> tuple[tuple[Entry, ...], int]:
        """Return what is known of the longest known beginning, and how many messages it has."""
        digests = list(chain(given))
        with self._lock:
            for length in range(len(digests), 0, -1):
                known = self._known.get(digests[length - 1])
                if known is not None:
                    self._known.move_to_end(digests[length - 1])
                    return known, length
        return (), 0

    def keep(self, given: Sequence[Any], entries: Sequence[Entry]) -> None:
        """Remember what was done to all that was given."""
        *_, last = chain(given)
        with self._lock:
            self._known[last] = tuple(entries)
            self._known.move_to_end(last)
            while len(self._known) > self._most:
                self._known.popitem(last=False)


def chain(given: Sequence[Any]) -> Iterator[bytes]:
    """Yield a digest of each beginning, the shortest first.

    System texts often hold the time of day: they count as one, whatever they say.
    """
    digest = blake2b(digest_size=16)
    for message in given:
        said: object = message
        if isinstance(message, Mapping) and message.get("role") in SYSTEM:
            said = "system"
        digest.update(json.dumps(said, sort_keys=True, default=repr).encode())
        digest.update(b"\n")
        yield digest.digest()

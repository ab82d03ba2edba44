"""The values of a delivered text that may be records, each used at most once."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ullage.arrivals.parts import Path
from ullage.arrivals.read import Reading, read
from ullage.arrivals.scan import Piece
from ullage.arrivals.values import CONTAINERS, Identity, Json, identity

INNER_LAYERS = 3
# A string that may hold JSON or a Python literal.
MAY_HOLD = re.compile(r"[\[{]\s*(?:[\"'\[{\]}\d-]|true|false|null|True|False|None)")


@dataclass(slots=True, kw_only=True)
class Item:
    """One value: `home` is the path of the outermost list it stands in, if it does.

    `outer` says that no list is around it. `end` is the index after its last descendant. A used
    value uses up all that is inside it.
    """

    value: Json
    home: Path | None
    outer: bool
    torn: bool
    parent: int
    end: int = 0
    used: bool = False
    broken_into: bool = False
    known_as: Identity | None = None

    @property
    def free(self) -> bool:
        """Whether neither it, nor what is around it or inside it, has been used."""
        return not self.used and not self.broken_into

    @property
    def identity(self) -> Identity:
        """What it has in common with equal values."""
        if self.known_as is None:
            self.known_as = identity(self.value)
        return self.known_as


class Pool:
    """Every object, list element and root of the delivered values, in the order of the text."""

    def __init__(self, reading: Reading) -> None:
        self.items: list[Item] = []
        self.leftover = reading.leftover
        self.encoded = False
        for piece in reading.pieces:
            self.add_piece(piece)

    def add_piece(self, piece: Piece) -> None:
        """Add the values of one piece."""
        torn = {id(value) for value in piece.torn}
        self.add(piece.value, home=None, keys=(), parent=-1, torn=torn)

    def add(
        self, value: Json, *, home: Path | None, keys: Path | None, parent: int, torn: set[int]
    ) -> None:
        """Add a value and what is inside it; `keys` is None below an outermost list."""
        index = len(self.items)
        item = Item(
            value=value,
            home=home,
            outer=keys is not None,
            torn=id(value) in torn,
            parent=parent,
        )
        self.items.append(item)
        if isinstance(value, list):
            for element in value:
                self.add(element, home=keys, keys=None, parent=index, torn=torn)
        elif isinstance(value, dict):
            for key, inner in value.items():
                if isinstance(inner, CONTAINERS):
                    below = None if keys is None else (*keys, key)
                    self.add(inner, home=None, keys=below, parent=index, torn=torn)
        item.end = len(self.items)

    def free_items(self) -> Iterator[tuple[int, Item]]:
        """Yield what has not been used yet."""
        return ((index, item) for index, item in enumerate(self.items) if item.free)

    def use(self, index: int) -> Json:
        """Use a value up, with all that is inside it."""
        item = self.items[index]
        for inside in range(index, item.end):
            self.items[inside].used = True
        around = item.parent
        while around >= 0 and not self.items[around].broken_into:
            self.items[around].broken_into = True
            around = self.items[around].parent
        return item.value

    def enter_strings(self) -> bool:
        """Read the strings that have not been used as texts of their own; whether any was one."""
        texts = [text for item in self.items if not item.used for text in strings_of(item.value)]
        before = len(self.items)
        for text in texts:
            if not MAY_HOLD.search(text):
                self.leftover += "\n" + text
                continue
            inner = read(text, layers=INNER_LAYERS)
            self.leftover += "\n" + (inner.leftover if inner.pieces else text)
            for piece in inner.pieces:
                self.add_piece(piece)
        self.encoded = len(self.items) > before
        return self.encoded


def strings_of(value: Json) -> list[str]:
    """Return the strings that stand directly in an object, or the value if it is one."""
    if isinstance(value, dict):
        return [inner for inner in value.values() if isinstance(inner, str)]
    return [value] if isinstance(value, str) else []

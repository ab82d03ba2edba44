"""The records of a JSON text: the items of its lists, and each other member by itself."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ullage.cutter import spans

DEEPEST = 8
"""So many objects around a list are opened."""

Step = tuple[int, str]
"""A member of an object: its place in it, so that equal keys stay two, and the key as written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One record: its text, the members that lead to it, and whether it is an item of a list."""

    text: str
    path: tuple[Step, ...]
    item: bool


def leaves_of(text: str) -> list[Leaf]:
    """Return the records of a JSON value, in their order.

    Of a list its items. Of an object the items of the lists in it, and each other member; a member
    that is an object is opened where it is most of its parent.
    """
    return list(walk(text, (), 0))


def walk(text: str, path: tuple[Step, ...], depth: int) -> Iterator[Leaf]:
    """Yield the records below a value."""
    kind = spans.kind(text)
    items = spans.items(text) if kind == "array" else []
    members = spans.members(text) if kind == "object" else []
    if items:
        yield from (Leaf(text=one, path=path, item=True) for one in items)
    elif members and depth < DEEPEST:
        for at, (key, inner) in enumerate(members):
            step = (*path, (at, key))
            if is_container(inner, len(text)):
                yield from walk(inner, step, depth + 1)
            else:
                yield Leaf(text=inner, path=step, item=False)
    else:
        yield Leaf(text=text, path=path, item=False)


def is_container(text: str, parent: int) -> bool:
    """Whether a member is made of records, and is none itself."""
    kind = spans.kind(text)
    return kind == "array" or (kind == "object" and 2 * len(text) > parent)


@dataclass(slots=True)
class Node:
    """An object or a list that is written again with some of its records."""

    members: dict[Step, "Node"] = field(default_factory=dict)
    items: list[int] = field(default_factory=list)
    single: int | None = None


def pieces(leaves: Sequence[Leaf], positions: Sequence[int]) -> Iterator[tuple[str, int | None]]:
    """Yield the JSON text of the records at these positions, in the same places of the same root.

    No record at all is an empty list or object, as the root is.
    """
    root = Node()
    for position in positions:
        node = root
        for step in leaves[position].path:
            node = node.members.setdefault(step, Node())
        if leaves[position].item:
            node.items.append(position)
        else:
            node.single = position
    if not positions:
        yield ("{}" if leaves and leaves[0].path else "[]"), None
        return
    yield from written(root, leaves)


def written(node: Node, leaves: Sequence[Leaf]) -> Iterator[tuple[str, int | None]]:
    """Yield the text of a node."""
    if node.single is not None:
        yield leaves[node.single].text, node.single
    elif node.items:
        for at, position in enumerate(node.items):
            yield ("," if at else "["), None
            yield leaves[position].text, position
        yield "]", None
    else:
        for at, ((_, key), inner) in enumerate(node.members.items()):
            yield ("," if at else "{") + f"{key}:", None
            yield from written(inner, leaves)
        yield "}", None

"""Reading Python literals: what a tool that returns `str(rows)` gives instead of JSON."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypedDict

from ullage.cutter import notice, spans
from ullage.cutter import path as paths
from ullage.cutter.blocks import Block, Layout, apart
from ullage.cutter.earlier import rooted
from ullage.cutter.notice import Prior
from ullage.cutter.notice_line import dropped_before
from ullage.cutter.python_fit import shorten_item
from ullage.cutter.python_spans import WHITE, Child, Kind, children, is_literal, kind
from ullage.cutter.python_values import decoded, scalar
from ullage.cutter.standout import Standout, standouts

NOTICE_KEY = "_ullage"
CONTAINERS = ("list", "tuple", "dict", "set")
# Only so many members of a dict become parts of their own, the largest first, and only of this
# size; smaller ones are whole or absent.
MOST_OPENED = 24
LEAST_OPENED = 80
# A container is looked through to the one inside it that is nearly all of it, so many levels deep;
# what stands around that one stays whatever is cut, so it has to be short.
MAIN_SHARE = 0.8
LONGEST_WRAPPING = 300
MOST_LEVELS = 6
NOTICE = re.compile(r"""[\[({]\s*(?:[{(]\s*)?['"]_ullage['"]|\w+\(_ullage=""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """The container whose items are cut: `text[start:end]`, brackets included."""

    text: str
    start: int
    end: int
    kind: Kind
    path: str = "$"

    @property
    def opening(self) -> int:
        """Where its bracket stands."""
        return self.text.index("(", self.start) if self.kind == "call" else self.start

    @property
    def before(self) -> str:
        """All that stands before the first item."""
        return self.text[: self.opening + 1]

    @property
    def after(self) -> str:
        """All that stands behind the last item."""
        return self.text[self.end - 1 :]

    def of(self, child: Child) -> str:
        """Return an item as it stands, its key included, white space around it not."""
        return self.text[child.start : child.end].strip(WHITE)

    def value(self, child: Child) -> str:
        """Return the value of an item."""
        return self.text[child.value : child.end].strip(WHITE)

    def key(self, child: Child) -> str:
        """Return the key of an item, or nothing."""
        return self.text[child.start : child.value].strip(WHITE).rstrip(":=").rstrip(WHITE)


def read(text: str) -> Layout | None:
    """Read a text that is one Python container or call; None for JSON and for all else."""
    if not is_literal(text) or spans.is_json(text):
        return None
    root = main_container(text)
    items = list(children(text, root.opening))
    prior, items = take_off(root, items)
    if root.kind == "dict" and (parts := opened(root, items)):
        return by_member(root, items, parts, prior)
    return by_item(root, items, prior)


def main_container(text: str) -> Root:
    """Return the outermost container, or the one inside that is nearly all of it.

    A dict of lists is cut as it is; `OrderedDict([…])`, `{'data': {…}}` and `[{…}]` are looked
    through. Where an earlier cut left its notice is where this one goes.
    """
    start = len(text) - len(text.lstrip(WHITE))
    end = len(text.rstrip(WHITE))
    root = Root(text=text, start=start, end=end, kind=kind(text[start:end]))
    wrapping = 0
    for _ in range(MOST_LEVELS):
        found = list(children(text, root.opening))
        inner = next((one for one in found if NOTICE.match(root.value(one))), None)
        if inner is None:
            inner = max(found, key=lambda one: one.end - one.value, default=None)
            if inner is None or not is_main(root, inner, wrapping):
                break
        elif NOTICE.match(text, root.start):
            break
        whole = root.end - root.start
        root = inside(root, inner, found.index(inner))
        wrapping += whole - (root.end - root.start)
    return root


def is_main(root: Root, child: Child, wrapping: int) -> bool:
    """Whether a child is nearly all of its container, and not a part that a dict is cut by."""
    whole, size = root.end - root.start, child.end - child.value
    if size < MAIN_SHARE * whole or wrapping + whole - size > LONGEST_WRAPPING:
        return False
    what = kind(root.value(child))
    if root.kind == "dict":
        return what in ("dict", "call")
    return what in (*CONTAINERS, "call")


def inside(root: Root, child: Child, at: int) -> Root:
    """Return a child of a container as the container to cut."""
    value = root.value(child)
    start = root.text.index(value, child.value)
    place = root.path
    if root.kind == "dict":
        place = paths.member(place, key_of(root, child))
    elif root.kind != "call":
        place = paths.item(place, at)
    return Root(text=root.text, start=start, end=start + len(value), kind=kind(value), path=place)


def key_of(root: Root, child: Child) -> str:
    """Return the key of a member as JSON writes it, as paths have it."""
    return json.dumps(str(scalar(root.key(child))), ensure_ascii=False)


def take_off(root: Root, items: list[Child]) -> tuple[Prior, list[Child]]:
    """Return the totals of an earlier cut, and the items without its notice."""
    if not items or not has_notice(root, items[0]):
        return Prior(), items
    said = decoded(root.value(items[0]))
    if isinstance(said, dict):  # {'_ullage': said} in a list, ('_ullage', said) in a set
        said = said.get(NOTICE_KEY, said.get("1"))
    if not isinstance(said, str) or not notice.is_ours(said):
        return Prior(), items
    return rooted(notice.read(said), root.path), items[1:]


def has_notice(root: Root, first: Child) -> bool:
    """Whether the first item of a container looks like an earlier cut's notice."""
    key = root.key(first).strip("'\"")
    if key:
        return key == NOTICE_KEY
    return root.kind == "call" or NOTICE.match(root.value(first)) is not None


def by_item(root: Root, items: Sequence[Child], prior: Prior) -> Layout:
    """Lay a container out as one list of records; the text between them stays as it is."""
    # `(a)` is no tuple: there the comma goes with the item.
    is_tuple = root.kind == "tuple"
    keyed = root.kind in ("dict", "call")
    block = Block(
        path=root.path,
        records=[root.text[one.start : one.end] + "," * is_tuple for one in items],
        unit="members" if keyed else "records",
        shorten=shorten_item,
        **looked_at([root.value(one) for one in items]),
    )
    return Layout(
        format="repr",
        blocks=[block],
        join="" if is_tuple else ",",
        before=root.before,
        after=root.after,
        empty="set()" if root.before == "{" and root.kind == "set" else root.before + root.after,
        insert=inserter(root, items),
        prior=prior,
    )


def inserter(root: Root, items: Sequence[Child]) -> Callable[[str, str], str]:
    """Return how a notice becomes the first item of this container.

    Where the data has a member of that name there is none: a second one would hide it.
    """
    start, rest = len(root.before), len(root.after)
    keys = [root.key(one).strip("'\"") for one in items] if root.kind in ("dict", "call") else []
    positional = "" in keys

    def insert(text: str, said: str) -> str:
        body = text[start : len(text) - rest]
        first = first_item(root.kind, said, positional=positional)
        if body.strip(WHITE):
            space = "" if body[0] in WHITE else " "
            return f"{root.before}{first},{space}{body}{root.after}"
        comma = "," if root.kind == "tuple" else ""
        return f"{root.before}{first}{comma}{root.after}"

    return apart if NOTICE_KEY in keys else insert


def first_item(kind: Kind, said: str, *, positional: bool) -> str:
    """Return a notice as an item of a container of this kind."""
    match kind:
        case "dict":
            return f"'{NOTICE_KEY}': {said!r}"
        case "set":  # which holds no dict
            return f"('{NOTICE_KEY}', {said!r})"
        case "call":
            return repr(said) if positional else f"{NOTICE_KEY}={said!r}"
        case _:
            return f"{{'{NOTICE_KEY}': {said!r}}}"


def opened(root: Root, items: Sequence[Child]) -> dict[int, Kind]:
    """Return which members of a dict become parts, and what they are."""
    found: dict[int, Kind] = {}
    large = [at for at, one in enumerate(items) if one.end - one.value >= LEAST_OPENED]
    for at in sorted(large, key=lambda at: (items[at].value - items[at].end, at)):
        value = root.value(items[at])
        if value[0] in "[({" and len(found) < MOST_OPENED:
            inner = kind(value)
            if inner != "set":  # emptied it would be a dict
                found[at] = inner
    return found


def by_member(root: Root, items: Sequence[Child], parts: dict[int, Kind], prior: Prior) -> Layout:
    """Lay a dict out as parts with a fair share each; each item gets a line of its own."""
    blocks: list[Block] = []
    rest: list[Child] = []
    for at, one in enumerate(items):
        if at in parts:
            blocks += members(root, rest)
            blocks.append(part(root, one, parts[at]))
            rest = []
        else:
            rest.append(one)
    blocks += members(root, rest)
    blocks += dropped_before(prior, [one.path for one in blocks])
    return Layout(
        format="repr",
        blocks=blocks,
        before=root.before,
        after=root.after,
        empty=root.before + root.after,
        insert=inserter(root, items),
        prior=prior,
    )


def members(root: Root, items: Sequence[Child]) -> list[Block]:
    """Return the block of members that are kept whole, if there are some."""
    if not items:
        return []
    return [
        Block(
            path=root.path,
            records=[root.of(one) + "," for one in items],
            unit="members",
            shorten=shorten_item,
            **looked_at([root.value(one) for one in items]),
        )
    ]


def part(root: Root, child: Child, inner: Kind) -> Block:
    """Return the block of one list or dict inside a dict."""
    whole = inside(root, child, 0)
    found = list(children(root.text, whole.opening))
    return Block(
        path=whole.path,
        records=[whole.of(one) + "," for one in found],
        unit="members" if inner == "dict" else "records",
        head=root.text[child.start : whole.opening + 1].strip(WHITE),
        tail=f"{root.text[whole.end - 1]},",
        shorten=shorten_item,
        **looked_at([whole.value(one) for one in found]),
    )


class LookedAt(TypedDict):
    """What a block says about the values of its records."""

    unusual: Callable[[], Sequence[Standout]]
    decoded: Callable[[], Sequence[object]]


def looked_at(texts: Sequence[str]) -> LookedAt:
    """Return how values are looked at: decoded once, and only when asked."""

    @cache
    def values() -> Sequence[object]:
        return [decoded(one) for one in texts]

    return {"unusual": lambda: standouts(values()), "decoded": values}

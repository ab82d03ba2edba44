"""The lists of a whole result, as a cut's account counts them: by path, record by record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ullage.cutter import path as paths
from ullage.cutter import spans
from ullage.cutter.blocks import Block, Layout
from ullage.cutter.budget import chars
from ullage.cutter.formats import is_json_to_cut, read
from ullage.cutter.keep import Keep, read_path
from ullage.cutter.layers import peel
from ullage.cutter.notice import Prior
from ullage.cutter.tree import Children, Fitter
from ullage.cutter.whole import whole_json

MOST_NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """The records of one list as they stand, and what is written round some of them.

    `above` is what a reader needs to understand a record: a header, a root's tags.
    """

    items: Sequence[str]
    opening: str = ""
    between: str = "\n"
    closing: str = ""
    above: str = ""

    def some(self, first: int, last: int) -> str:
        """Return records first to last, both included. Raises ValueError where there are not."""
        if not 0 <= first <= last < len(self.items):
            raise ValueError(f"records {first}-{last}: there are {len(self.items)}, from 0")
        return self.written(self.items[first : last + 1])

    def written(self, items: Sequence[str]) -> str:
        """Write records as the list does."""
        return f"{self.opening}{self.between.join(items)}{self.closing}"


def inner(text: str) -> str:
    """Return what is inside the wrappings of a text: those that a cut sees through."""
    while not is_json_to_cut(text) and (layer := peel(text)) is not None:
        text = layer.inner
    return text


def listed(text: str, part: str | None = None) -> Listed:
    """Return the records at a path; of a text that is not JSON, of its first list or its lines.

    Raises ValueError for a path that leads nowhere, and for one that leads to no list.
    """
    text = inner(text)
    if not spans.is_json(text):
        return of_lines(text, part)
    value = value_at(text, read_path(part)) if part is not None and part != "$" else text
    bare = value.strip(spans.WHITE)
    if not bare.startswith("["):
        raise ValueError(
            f"{part or '$'} is no list, so it has no records: name one with --part"
            f"{lists(bare, part)}"
        )
    return Listed(items=spans.items(bare), opening="[", between=",", closing="]")


def parts(text: str) -> Mapping[str, int]:
    """Return the paths of all lists in a text, and how many records each one has."""
    text = inner(text)
    if spans.is_json(text):
        whole = whole_json(text, chars(len(text) or 1), plain=True)
        return {one.path: one.produced for one in whole.account.parts if one.unit == "records"}
    layout = read(text, None)
    return {block.path: len(block.records) for block in layout.blocks} if layout else {}


def line_count(text: str) -> int:
    """Return how many lines a text has."""
    return text.count("\n") + 1 if text else 0


def of_lines(text: str, part: str | None) -> Listed:
    """Return the records of a text that is not JSON: read as `cut` reads it."""
    layout = read(text, None)
    blocks = {block.path: block for block in layout.blocks} if layout else {}
    block = blocks.get(part) if part else next(iter(blocks.values()), None)
    if part is not None and block is None:
        raise ValueError(f"{part} leads nowhere: the parts are {', '.join(blocks) or 'none'}")
    # Where like lines are folded into one record, an account counts lines.
    if layout is None or block is None or block.measure is not None:
        return Listed(items=text.split("\n"))
    return Listed(items=block.records, between=layout.join, above=above(layout, block))


def above(layout: Layout, block: Block) -> str:
    """Return the header of a part."""
    heads = [layout.before, block.head or ""] if layout.format == "csv" else [block.head or ""]
    return "\n".join(one.strip("\n") for one in heads if one.strip())


def lists(value: str, part: str | None) -> str:
    """Name the lists among the members of an object, to choose from."""
    if not value.startswith("{"):
        return ""
    found = [
        paths.member(part or "$", key) for key, one in spans.members(value) if one.startswith("[")
    ]
    return f" {' or '.join(found[:MOST_NAMED])}" if found else ""


def value_at(text: str, place: str) -> str:
    """Return the value at a path of a JSON text. Raises ValueError where it leads nowhere."""
    fitter = Fitter(keep=Keep(), prior=Prior())
    value, here = text.strip(spans.WHITE), "$"
    while here != place:
        inside = fitter.children(value, here) if value[0] in "[{" else None
        at = step(inside, place)
        if inside is None or at is None:
            raise ValueError(f"{place} leads nowhere: {here} is as far as it goes")
        value, here = inside.values[at], inside.place(at)
    return value


def step(inside: Children | None, place: str) -> int | None:
    """Return the child that is, or leads to, a place."""
    for at in range(len(inside.values)) if inside else ():
        if inside and (inside.place(at) == place or paths.is_inside(place, inside.place(at))):
            return at
    return None

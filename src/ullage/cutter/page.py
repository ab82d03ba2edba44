"""One part of a whole result, or some records of it: the way back to what a cut left out."""

from collections.abc import Sequence

from ullage.cutter import path as paths
from ullage.cutter import spans
from ullage.cutter.formats import read
from ullage.cutter.keep import Keep, read_path
from ullage.cutter.notice import Prior
from ullage.cutter.tree import Children, Fitter

MOST_NAMED = 5


def page(text: str, part: str | None = None, records: tuple[int, int] | None = None) -> str:
    """Return the value at a path of a JSON text, and of a list (or of lines) records first to last.

    Paths and numbers are those of a cut's account: `$.pods`, from 0, the last one included. Raises
    ValueError for a path that leads nowhere, and for records that there are not.
    """
    if not spans.is_json(text):
        return page_of_lines(text, part, records)
    value = text
    if part is not None and part != "$":
        value = value_at(text, read_path(part))
    if records is None:
        return value
    first, last = records
    is_list = spans.is_json(value) and value.lstrip(spans.WHITE).startswith("[")
    if not is_list:
        raise ValueError(
            f"{part or '$'} is no list, so it has no records: name one with --part"
            f"{lists(value, part)}"
        )
    return f"[{','.join(chosen(spans.items(value.strip(spans.WHITE)), first, last))}]"


def lists(value: str, part: str | None) -> str:
    """Name the lists among the members of an object, to choose from."""
    if not value.lstrip(spans.WHITE).startswith("{"):
        return ""
    found = [
        paths.member(part or "$", key)
        for key, inner in spans.members(value.strip(spans.WHITE))
        if inner.startswith("[")
    ]
    return f" {' or '.join(found[:MOST_NAMED])}" if found else ""


def page_of_lines(text: str, part: str | None, records: tuple[int, int] | None) -> str:
    """Return a part, or records of it, of a text that is not JSON: read as `cut` reads it."""
    layout = read(text, None)
    blocks = {block.path: block for block in layout.blocks} if layout else {}
    block = blocks.get(part) if part else next(iter(blocks.values()), None)
    if part is not None and block is None:
        raise ValueError(f"{part} leads nowhere: the parts are {', '.join(blocks) or 'none'}")
    # Where like lines are folded into one record, an account counts lines.
    by_line = layout is None or block is None or block.measure is not None
    items = text.split("\n") if by_line or block is None else block.records
    if records is None:
        return text if part is None else "\n".join(items)
    join = "\n" if layout is None else layout.join
    return join.join(chosen(items, *records))


def chosen(items: Sequence[str], first: int, last: int) -> Sequence[str]:
    """Return items first to last. Raises ValueError where there are not so many."""
    if not 0 <= first <= last < len(items):
        raise ValueError(f"records {first}-{last}: there are {len(items)}, from 0")
    return items[first : last + 1]


def value_at(text: str, place: str) -> str:
    """Return the value at a path of a JSON text."""
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

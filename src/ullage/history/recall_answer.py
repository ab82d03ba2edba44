"""A small page of a kept text, as a model is given it: which records of how many, and what is next.

An answer never holds more than `Room` says. What does not fit is the next page; a record that is
larger than a page is cut by its own rules, and says so.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice

from ullage.cutter import spans
from ullage.cutter.budget import chars
from ullage.cutter.cut import cut
from ullage.cutter.excerpt import excerpt
from ullage.cutter.listed import Listed, inner, listed, parts
from ullage.cutter.page import page
from ullage.history.recall import (
    Kept,
    Store,
    UnknownHandleError,
    handles_in,
    records_of,
    sized,
)

RANGE = re.compile(r"\s*(\d{1,9})\s*(?:(?:-|\.\.|to)\s*(\d{1,9})\s*)?")
LONGEST_PATH = 120
MOST_PARTS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """How much one answer holds: records, unless others are asked for, and characters in all."""

    records: int = 20
    chars: int = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a model is given; `found` is False where it is only told why there is nothing."""

    text: str
    found: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Who is asked for what: the name of the tool, the handle, the part."""

    tool: str
    handle: str
    part: str | None

    def again(self, records: str, part: str | None = None) -> str:
        """Return the call that asks for other records."""
        at = part or self.part
        where = f', part="{at}"' if at is not None else ""
        return f'{self.tool}("{self.handle}"{where}, records="{records}")'


DEFAULT = Room()


def answer(
    store: Store,
    handle: str,
    part: str | None = None,
    records: str | None = None,
    *,
    room: Room = DEFAULT,
    tool: str = "recall",
) -> Answer:
    """Answer one call, and count it. Never raises for what a model can get wrong."""
    handle = handle.strip(" \t\n\"'`")  # models copy what stands round it
    if (offered := handles_in(handle)) != []:
        handle = offered[0]
    asked = Asked(tool=tool, handle=handle, part=part)
    try:
        said = Answer(text=paged(store.whole(handle), asked, records, room), found=True)
    except UnknownHandleError as error:
        said = Answer(text=f"{tool}: {error}", found=False)
    except ValueError as error:
        said = Answer(text=f"{tool}: {no_option(str(error))}", found=False)
    store.used(handle, part, records, len(said.text) if said.found else 0)
    return said


def paged(text: str, asked: Asked, records: str | None, room: Room) -> str:
    """Return a page of a text. Raises ValueError for what is not there."""
    if asked.part is None:
        lists = parts(text)
        if len(lists) > 1:
            return outline(text, lists, asked, room)
        if lists and is_object(text):
            asked = replace(asked, part=next(iter(lists)))
        if not lists and records is None:
            return whole_or_page(text, asked, room)
    elif records is None and not is_list(text, asked.part):
        return within(page(text, asked.part), f"{asked.part}: ", room)
    return some(listed_or_lines(text, asked.part), asked, records, room)


def is_object(text: str) -> bool:
    """Whether a text is a JSON object: its list has to be named."""
    bare = inner(text)
    return spans.is_json(bare) and bare.lstrip(spans.WHITE).startswith("{")


def is_list(text: str, part: str) -> bool:
    """Whether a path leads to a list. Raises ValueError where it leads nowhere."""
    return part in parts(text) or page(text, part).lstrip().startswith("[")


def whole_or_page(text: str, asked: Asked, room: Room) -> str:
    """Return a text without lists: all of it if there is room, else its first lines."""
    if len(text) + len(head("all of it")) <= room.chars:
        return f"{head('all of it')}{text}"
    return some(lines(text), asked, None, room)


def listed_or_lines(text: str, part: str | None) -> Listed:
    """Return the records of a text; its lines where it has no list and none was named."""
    return listed(text, part) if part is not None or parts(text) else lines(text)


def lines(text: str) -> Listed:
    """Return a text line by line."""
    return Listed(items=text.split("\n"))


def outline(text: str, lists: Mapping[str, int], asked: Asked, room: Room) -> str:
    """Name the lists of a text that has several, and show a look at all of them."""
    named = [f"{path} has {count} records" for path, count in islice(lists.items(), MOST_PARTS)]
    more = len(lists) - len(named)
    first = next(iter(lists))
    said = "; ".join([*named, *([f"and {more} more lists"] if more else [])])
    up_to = max(min(room.records, lists[first]) - 1, 0)
    return within(text, f"{said}; name one: {asked.again(f'0-{up_to}', first)}", room)


def some(all_: Listed, asked: Asked, records: str | None, room: Room) -> str:
    """Return the records that were asked for, as many of them as fit."""
    total = len(all_.items)
    first, last = read_range(records, room)
    if first >= total:
        has = f"there are {total}, from 0" if total else "there are none"
        raise ValueError(f"records {first}-{last}: {has}")
    last = min(last, total - 1)
    above = f"{excerpt(all_.above, room.chars // 4)}\n" if all_.above else ""
    kept = fitting(all_, first, last, room.chars - len(above) - LONGEST_HEAD)
    if kept == 0:
        said = place(first, first, total, asked, room)
        return within(all_.written([all_.items[first]]), said, room, above)
    said = place(first, first + kept - 1, total, asked, room)
    return f"{head(said)}{above}{all_.some(first, first + kept - 1)}"


LONGEST_HEAD = 400
"""Characters that the first line of an answer may take."""


def fitting(all_: Listed, first: int, last: int, limit: int) -> int:
    """Return how many of the records from the first one on stand within so many characters."""
    used = len(all_.opening) + len(all_.closing)
    for count, item in enumerate(all_.items[first : last + 1]):
        used += len(item) + (len(all_.between) if count else 0)
        if used > limit:
            return count
    return last - first + 1


def place(first: int, last: int, total: int, asked: Asked, room: Room) -> str:
    """Say which records these are, of how many, and how to ask for the next ones."""
    which = f"record {first}" if first == last else f"records {first}-{last}"
    where = f" of {excerpt(asked.part, LONGEST_PATH)}" if asked.part is not None else ""
    if last + 1 >= total:
        return f"{which} of {total}{where}, to the end"
    following = f"{last + 1}-{min(last + room.records, total - 1)}"
    return f"{which} of {total}{where}; next: {asked.again(following)}"


def within(text: str, said: str, room: Room, above: str = "") -> str:
    """Return a text behind its first line, cut by its own rules if it is larger than a page."""
    left = max(room.chars - len(head(said)) - len(above), 1)
    return f"{head(said)}{above}{cut(text, chars(left)).text}"


def head(said: str) -> str:
    """Return the first line of an answer."""
    return f"[ullage: {said}]\n"


def read_range(records: str | None, room: Room) -> tuple[int, int]:
    """Read `20-39`, or `20`. Raises ValueError for anything else."""
    if records is None or not records.strip():
        return 0, room.records - 1
    found = RANGE.fullmatch(records)
    if found is None:
        raise ValueError(f'records={records!r}: write two numbers such as "20-39"')
    first = int(found[1])
    last = int(found[2] or found[1])
    if last < first:
        raise ValueError(f"records={records!r}: the first number is the smaller one")
    return first, last


def no_option(said: str) -> str:
    """Return an error without the word of a command line."""
    return said.replace("name one with --part", "name one as part")


def listing(store: Store, records: str | None = None, *, room: Room = DEFAULT, tool: str) -> str:
    """Return what is kept as a small page, a line each, the last one first.

    Raises ValueError for a range that is none.
    """
    kept = list(reversed(store.listing()))
    if not kept:
        return "nothing was left out so far"
    first, last = read_range(records, room)
    if first >= len(kept):
        raise ValueError(f"records {first}-{last}: there are {len(kept)}, from 0")
    there = [line(counted(one, store)) for one in kept[first : last + 1]]
    shown = fitting(Listed(items=there), 0, len(there) - 1, room.chars - LONGEST_HEAD) or 1
    last = first + shown - 1
    following = f"{last + 1}-{min(last + room.records, len(kept) - 1)}"
    more = f'; next: {tool}(records="{following}")' if last + 1 < len(kept) else ""
    return "\n".join([f"[{first}-{last} of {len(kept)}{more}]", *islice(there, shown)])


def counted(one: Kept, store: Store) -> Kept:
    """Return a kept text with its records counted."""
    known = one.records is not None
    return one if known else replace(one, records=records_of(store.whole(one.handle)))


LONGEST_CALL = 160


def line(one: Kept) -> str:
    """Return one kept text as a line."""
    call = f" {excerpt(one.call, LONGEST_CALL)}" if one.call not in ("", "{}") else ""
    return f"{one.handle}  {one.tool or 'text'}{call}  {sized(one)}"

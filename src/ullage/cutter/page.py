"""One part of a whole result, or some records of it: the way back to what a cut left out."""

from ullage.cutter import path as paths
from ullage.cutter import spans
from ullage.cutter.keep import Keep, read_path
from ullage.cutter.notice import Prior
from ullage.cutter.tree import Children, Fitter


def page(text: str, part: str | None = None, records: tuple[int, int] | None = None) -> str:
    """Return the value at a path of a JSON text, and of a list (or of lines) records first to last.

    Paths and numbers are those of a cut's account: `$.pods`, from 0, the last one included. Raises
    ValueError for a path that leads nowhere, and for records that there are not.
    """
    value = text
    if part is not None and part != "$":
        value = value_at(text, read_path(part))
    if records is None:
        return value
    first, last = records
    is_list = spans.is_json(value) and value.lstrip(spans.WHITE).startswith("[")
    items = spans.items(value.strip(spans.WHITE)) if is_list else value.split("\n")
    if not 0 <= first <= last < len(items):
        what = "records" if is_list else "lines"
        raise ValueError(f"records {first}-{last}: there are {len(items)} {what}, from 0")
    chosen = items[first : last + 1]
    return f"[{','.join(chosen)}]" if is_list else "\n".join(chosen)


def value_at(text: str, place: str) -> str:
    """Return the value at a path of a JSON text."""
    if not spans.is_json(text):
        raise ValueError(f"{place}: the result is not JSON, so it has no parts")
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

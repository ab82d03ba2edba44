"""One part of a whole result, or some records of it: the way back to what a cut left out."""

from ullage.cutter import spans
from ullage.cutter.keep import read_path
from ullage.cutter.listed import inner, listed, value_at


def page(text: str, part: str | None = None, records: tuple[int, int] | None = None) -> str:
    """Return the value at a path of a JSON text, and of a list (or of lines) records first to last.

    Paths and numbers are those of a cut's account: `$.pods`, from 0, the last one included. Raises
    ValueError for a path that leads nowhere, and for records that there are not.
    """
    if records is not None:
        return listed(text, part).some(*records)
    if part is None:
        return text
    whole = inner(text)
    if not spans.is_json(whole):
        one = listed(text, part)
        return one.written(one.items)
    return whole if part == "$" else value_at(whole, read_path(part))

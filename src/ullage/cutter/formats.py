"""The table of formats, in the order in which they are tried."""

from collections.abc import Callable, Mapping

from ullage.cutter import spans
from ullage.cutter.blocks import Layout, cut_blocks
from ullage.cutter.budget import Budget
from ullage.cutter.json_text import cut_json
from ullage.cutter.keep import Keep
from ullage.cutter.plain import cut_plain
from ullage.cutter.values import Cut, Format

# Each reader returns None for a text that is not of its format: a format is found by reading, not
# by a first character.
READERS: Mapping[Format, Callable[[str], Layout | None]] = {}


def in_format(
    source: str, budget: Budget, format: Format | None, *, keep: Keep, inside: bool
) -> Cut:
    """Cut a text in the format that was asked for if it is one, else in the first that it is."""
    order: list[Format] = sorted(READERS, key=lambda name: name != format)  # stable
    if format in (None, "json") and spans.is_json(source):
        return cut_json(source, budget, keep=keep, inside=inside)
    for name in [] if format == "text" else order:
        layout = READERS[name](source)
        if layout is not None:
            return cut_blocks(layout, source, budget, keep=keep, inside=inside)
    return cut_plain(source, budget, keep=keep, inside=inside)

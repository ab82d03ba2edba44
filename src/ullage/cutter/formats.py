"""The table of formats, in the order in which they are tried."""

from collections.abc import Callable, Mapping

from ullage.cutter import spans
from ullage.cutter.blocks import Layout, cut_blocks
from ullage.cutter.budget import Budget
from ullage.cutter.json_text import cut_json
from ullage.cutter.keep import Keep
from ullage.cutter.layers import cut_layer, peel
from ullage.cutter.plain import cut_plain
from ullage.cutter.values import Cut, Format

# Each reader returns None for a text that is not of its format: a format is found by reading, not
# by a first character.
READERS: Mapping[Format, Callable[[str], Layout | None]] = {}


def in_format(
    source: str,
    budget: Budget,
    format: Format | None,
    *,
    keep: Keep,
    inside: bool,
    way_back: str = "",
) -> Cut:
    """Cut a text in the format that was asked for if it is one, else in the first that it is."""
    order: list[Format] = sorted(READERS, key=lambda name: name != format)  # stable
    if format in (None, "json") and is_json_to_cut(source):
        return cut_json(
            source, budget, keep=keep, inside=inside, cut_inner=cut_inner, way_back=way_back
        )
    layer = peel(source) if format in (None, "json") else None
    if layer is not None:

        def within(limit: Budget) -> Cut:
            return in_format(layer.inner, limit, None, keep=keep, inside=inside, way_back=way_back)

        return cut_layer(layer, source, budget, within)
    for name in [] if format == "text" else order:
        layout = READERS[name](source)
        if layout is not None:
            return cut_blocks(layout, source, budget, keep=keep, inside=inside, way_back=way_back)
    return cut_plain(source, budget, keep=keep, inside=inside, way_back=way_back)


def is_json_to_cut(source: str) -> bool:
    """Whether a text is JSON whose own parts are cut: all but a string around another document."""
    if not spans.is_json(source):
        return False
    return not source.lstrip(spans.WHITE).startswith('"') or peel(source) is None


def cut_inner(text: str, budget: Budget) -> Cut | None:
    """Cut a long string of a result by the rules of its own content; None for plain text."""
    done = in_format(text, budget, None, keep=Keep(), inside=True)
    return None if done.account.format == "text" else done

"""The table of formats, in the order in which they are tried."""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import cast

from ullage.cutter import binary, clean, encoded, spans
from ullage.cutter.blocks import Layout, cut_blocks
from ullage.cutter.budget import Budget
from ullage.cutter.json_text import cut_json
from ullage.cutter.keep import Keep
from ullage.cutter.layers import Layer, cut_layer, peel
from ullage.cutter.plain import cut_plain
from ullage.cutter.values import Cut, Format

# The module of each format, whose `read` returns None for a text that is not of it: a format is
# found by reading, not by a first character. Strict grammars come before loose ones. Loaded on use:
# who cuts JSON does not wait for the readers of all else.
READERS: Mapping[Format, str] = {
    "ndjson": "ndjson",
    "xml": "xml_text",
    "html": "html_text",
    "diff": "diff",
    "repr": "literal",
    "csv": "csv_text",
    "test-report": "test_report",
    "markdown": "markdown",
    "table": "table",
    "yaml": "yaml_text",
    "log": "log",
    "text": "prose",
}
Reader = Callable[[str], Layout | None]


def reader(name: Format) -> Reader:
    """Return the reader of a format."""
    return cast("Reader", importlib.import_module(f"ullage.cutter.{READERS[name]}").read)


def in_format(
    source: str,
    budget: Budget,
    format: Format | None,
    *,
    keep: Keep,
    inside: bool,
    way_back: str = "",
    nested: bool = False,
) -> Cut:
    """Cut a text in the format that was asked for if it is one, else in the first that it is."""
    opened = spans.opened(source) if format in (None, "json") else None
    if opened is not None or (format in (None, "json") and is_json_to_cut(source)):
        return cut_json(
            source,
            budget,
            keep=keep,
            inside=inside,
            cut_inner=partial(cut_inner, inside=inside),
            way_back=way_back,
            nested=nested,
            opened=opened,
        )
    layer = peel(source) if format in (None, "json") else None
    if layer is not None:
        return in_layer(layer, source, budget, keep=keep, inside=inside, way_back=way_back)
    readable, also, gone = made_readable(source)
    layout = read(readable, format)
    if layout is None:
        return cut_plain(
            readable,
            source,
            budget,
            keep=keep,
            inside=inside,
            also=also,
            gone=gone,
            way_back=way_back,
        )
    said = [one for one in also if one not in layout.also]
    layout = replace(layout, also=[*layout.also, *said])
    return cut_blocks(layout, source, budget, keep=keep, inside=inside, way_back=way_back)


def in_layer(
    layer: Layer, source: str, budget: Budget, *, keep: Keep, inside: bool, way_back: str
) -> Cut:
    """Cut what is inside a wrapping, by the rules of its own format."""

    def within(limit: Budget) -> Cut:
        return in_format(layer.inner, limit, None, keep=keep, inside=inside, way_back=way_back)

    return cut_layer(layer, source, budget, within)


def made_readable(source: str) -> tuple[str, list[str], int]:
    """Return a text without what only a machine can read, and a clause for each kind of it.

    Also return how many characters placeholders stand for now.
    """
    shown = encoded.replace(source)
    plain = binary.replace(shown.text)
    cleaned = clean.clean(plain.text)
    said = [*shown.also, *plain.also, *cleaned.also]
    return cleaned.text, said, shown.gone + plain.gone


def read(text: str, format: Format | None) -> Layout | None:
    """Return the layout of a text in the first format that it is; the one asked for comes first."""
    order: list[Format] = sorted(READERS, key=lambda name: name != format)  # stable
    for name in order:
        layout = reader(name)(text)
        if layout is not None:
            return layout
    return None


def is_json_to_cut(source: str) -> bool:
    """Whether a text is JSON whose own parts are cut: all but a string around another document."""
    if not spans.is_json(source):
        return False
    return not source.lstrip(spans.WHITE).startswith('"') or peel(source) is None


def cut_inner(text: str, budget: Budget, keep: Keep, *, inside: bool) -> Cut | None:
    """Cut a long string of a result by the rules of its own content; None for plain text."""
    done = in_format(text, budget, None, keep=keep, inside=inside, nested=True)
    return None if done.account.format == "text" else done

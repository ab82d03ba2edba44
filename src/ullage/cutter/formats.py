"""The table of formats, in the order in which they are tried."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from ullage.cutter import (
    binary,
    clean,
    csv_text,
    diff,
    encoded,
    html_text,
    literal,
    log,
    markdown,
    ndjson,
    prose,
    spans,
    table,
    test_report,
    xml_text,
    yaml_text,
)
from ullage.cutter.blocks import Layout, cut_blocks
from ullage.cutter.budget import Budget
from ullage.cutter.json_text import cut_json
from ullage.cutter.keep import Keep
from ullage.cutter.layers import Layer, cut_layer, peel
from ullage.cutter.plain import cut_plain
from ullage.cutter.values import Cut, Format

# Each reader returns None for a text that is not of its format: a format is found by reading, not
# by a first character. Strict grammars come before loose ones.
READERS: Mapping[Format, Callable[[str], Layout | None]] = {
    "ndjson": ndjson.read,
    "xml": xml_text.read,
    "html": html_text.read,
    "diff": diff.read,
    "repr": literal.read,
    "csv": csv_text.read,
    "test-report": test_report.read,
    "markdown": markdown.read,
    "table": table.read,
    "yaml": yaml_text.read,
    "log": log.read,
    "text": prose.read,
}


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
    if format in (None, "json") and is_json_to_cut(source):
        return cut_json(
            source,
            budget,
            keep=keep,
            inside=inside,
            cut_inner=partial(cut_inner, inside=inside),
            way_back=way_back,
            nested=nested,
        )
    layer = peel(source) if format in (None, "json") else None
    if layer is not None:
        return in_layer(layer, source, budget, keep=keep, inside=inside, way_back=way_back)
    readable, also = made_readable(source)
    layout = read(readable, format)
    if layout is None:
        return cut_plain(
            readable, source, budget, keep=keep, inside=inside, also=also, way_back=way_back
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


def made_readable(source: str) -> tuple[str, list[str]]:
    """Return a text without what only a machine can read, and a clause for each kind of it."""
    shown = encoded.replace(source)
    plain = binary.replace(shown.text)
    cleaned = clean.clean(plain.text)
    return cleaned.text, [*shown.also, *plain.also, *cleaned.also]


def read(text: str, format: Format | None) -> Layout | None:
    """Return the layout of a text in the first format that it is; the one asked for comes first."""
    order: list[Format] = sorted(READERS, key=lambda name: name != format)  # stable
    for name in order:
        layout = READERS[name](text)
        if layout is not None:
            return layout
    return None


def is_json_to_cut(source: str) -> bool:
    """Whether a text is JSON whose own parts are cut: all but a string around another document."""
    if not spans.is_json(source):
        return False
    return not source.lstrip(spans.WHITE).startswith('"') or peel(source) is None


def cut_inner(text: str, budget: Budget, *, inside: bool) -> Cut | None:
    """Cut a long string of a result by the rules of its own content; None for plain text."""
    done = in_format(text, budget, None, keep=Keep(), inside=inside, nested=True)
    return None if done.account.format == "text" else done

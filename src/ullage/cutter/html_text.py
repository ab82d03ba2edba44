"""Reading HTML: reduced to its content first, which is then cut like Markdown."""

import re

from ullage.cutter.blocks import Layout
from ullage.cutter.content import DROPPED, FRAMES, HEADINGS, INLINE, ROWS, content
from ullage.cutter.earlier import Earlier
from ullage.cutter.elements import elements
from ullage.cutter.notice import Prior
from ullage.cutter.sections import layout

BLOCKS = {
    *("html", "head", "body", "title", "meta", "link", "base", "div", "p", "br", "hr", "pre"),
    *("ul", "ol", "li", "dl", "dt", "dd", "section", "article", "main", "blockquote", "figure"),
    *("figcaption", "form", "fieldset", "legend", "input", "option", "optgroup", "textarea"),
    *("details", "summary", "center", "address", "picture", "source", "embed", "param", "track"),
    *("path", "g", "circle", "rect", "line", "polygon", "use", "defs", "hgroup", "menu", "dialog"),
    *("output", "progress", "meter", "ruby", "rt", "rp", "area", "search", "slot", "symbol"),
}
KNOWN = BLOCKS | DROPPED | FRAMES | set(HEADINGS) | INLINE | ROWS
# A page begins with its declaration or with an element that a page is made of.
START = re.compile(
    r"\ufeff?\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,2000}?-->\s*){0,4}"
    r"(?:(<!doctype\s+html\b|<html\b)|<([a-z][a-z0-9]{0,15})\b)",
    re.IGNORECASE | re.DOTALL,
)
TAG = re.compile(r"<(/?)([A-Za-z][\w:-]{0,40})(?=[\s/>])")
# The beginning tells enough.
LOOKED_AT = 200_000
FEWEST_TAGS = 4
KNOWN_SHARE = 0.9


def read(text: str) -> Layout | None:
    """Read an HTML page or fragment; None for other markup and for text with a few tags in it."""
    if not is_html(text):
        return None
    reduced = content(text)
    said = f"HTML markup, menus and footers taken out ({len(text)} to {len(reduced)} characters)"
    found = Earlier(text=reduced, prior=Prior(), also=(said,))
    return layout(list(elements(reduced.split("\n"))), found, format="html")


def is_html(text: str) -> bool:
    """Whether a text starts as a page does, or is a fragment made of nothing but HTML's tags."""
    start = START.match(text)
    if start is None:
        return False
    if start[1]:
        return True
    tags = TAG.findall(text[:LOOKED_AT])
    if start[2].lower() not in KNOWN or len(tags) < FEWEST_TAGS:
        return False
    known = sum(name.lower() in KNOWN for _, name in tags)
    ends = sum(end == "/" for end, _ in tags)
    return known >= KNOWN_SHARE * len(tags) and ends * 4 >= len(tags)

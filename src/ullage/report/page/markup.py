"""HTML and SVG from Python: every text is escaped, and nothing in it is obeyed."""

import html
import re
from collections.abc import Iterable
from typing import TypeAlias

from ullage.cutter.excerpt import excerpt


class Safe(str):
    """Markup that this package wrote, texts in it escaped."""

    __slots__ = ()


Child: TypeAlias = str | int | Iterable[str | int | None] | None
"""What stands inside an element: a text, markup that is safe, a number, nothing, several."""


# Controls but tab and line feed, marks that turn the direction of writing, other unseen
# formatting, and halves of characters: a text of somebody else may hold them to deceive.
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
LONGEST = 2000
"""A longer text is shown as its beginning, with its length."""
VOID = frozenset({"input", "meta", "rect", "line", "path", "circle", "polyline", "use", "link"})


def visible(text: str) -> str:
    """Return a text in which what cannot be seen, or turns the rest around, stands as a code."""
    return UNSEEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)


def escaped(text: str) -> Safe:
    """Return a text as markup that shows it; a name may be as long as a book."""
    return text if isinstance(text, Safe) else Safe(html.escape(visible(excerpt(text, LONGEST))))


def joined(*children: Child) -> Safe:
    """Return several texts and pieces of markup as one."""
    found = []
    for one in children:
        if one is None:
            continue
        if isinstance(one, str):
            found.append(escaped(one))
        elif isinstance(one, int):
            found.append(Safe(one))
        else:
            found.append(joined(*one))
    return Safe("".join(found))


def tag(name: str, /, *children: Child, **attributes: str | int | float | bool | None) -> Safe:
    """Return an element; `class_` and `aria_label` are spelled as HTML does.

    An attribute that is None or False is left out, one that is True has no value.
    """
    head = name + "".join(
        f" {attribute(key)}" + ("" if value is True else f'="{escaped(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    inside = joined(*children)
    if name in VOID and not inside:
        return Safe(f"<{head}>" if name in {"input", "meta", "link"} else f"<{head}/>")
    return Safe(f"<{head}>{inside}</{name}>")


def attribute(key: str) -> str:
    """Return an attribute's name as HTML spells it."""
    return key.rstrip("_").replace("_", "-")

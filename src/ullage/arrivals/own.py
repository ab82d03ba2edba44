"""What we add ourselves: a cut's notice, never a record or a field; the first line of a page."""

import re

from ullage.arrivals.values import Json

MEMBER = "_ullage"
PAGE = re.compile(
    r"\[ullage: records? (?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))? of \d{1,9}\b[^\n]{0,4000}\]\n"
)
"""The first line of a page of a result that was kept whole: which records, and how to go on."""


def page_head(text: str) -> re.Match[str] | None:
    """Return the first line of a page of ours; None for any other text."""
    return PAGE.match(text)


def records_said(head: re.Match[str]) -> int:
    """Return how many records the first line of a page says that it has."""
    first = int(head["first"])
    return int(head["last"] or first) - first + 1


def take_notice(root: Json) -> list[str]:
    """Remove our own notice from a decoded root, in place; return what it said."""
    if isinstance(root, dict) and isinstance(said := root.get(MEMBER), str):
        del root[MEMBER]
        return [said]
    if isinstance(root, list):
        notices = [text for one in root if (text := notice_element(one)) is not None]
        if notices:
            root[:] = [one for one in root if notice_element(one) is None]
        return notices
    return []


def notice_element(value: Json) -> str | None:
    """Return what a list element says that is nothing but our notice, else None."""
    if isinstance(value, dict) and len(value) == 1 and isinstance(said := value.get(MEMBER), str):
        return said
    return None

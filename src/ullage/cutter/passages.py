"""Shortening one record of a Markdown text: a paragraph, a fence, a section."""

from ullage.cutter import grapheme, notice
from ullage.cutter.elements import FENCE, Element, elements
from ullage.cutter.prose import LEAST_KEPT, shorten_paragraph


def shorten_record(text: str, room: int) -> str | None:
    """Shorten a paragraph, or a section to its beginning; fences and tables are whole."""
    parsed = list(elements(text.split("\n")))
    if len(parsed) == 1:
        return shorten_element(parsed[0], room)
    total, body = len(text), text
    mark = notice.STRING_MARK.search(text)
    if mark and int(mark[1]) == mark.start() - 1:
        total, body = int(mark[2]), text[: mark.start() - 1]
        parsed = list(elements(body.split("\n")))
    reserve = len(notice.string_mark(total, total)) + 1
    kept: list[str] = []
    left = room - reserve
    for one in parsed:
        if len(one.text) + 1 > left:
            kept += beginning(one, left - 1)
            break
        kept.append(one.text)
        left -= len(one.text) + 1
    done = "\n".join(kept)
    if not done or done == body:
        return None
    return f"{done}\n{notice.string_mark(len(done), total)}"


def beginning(one: Element, room: int) -> list[str]:
    """Return the first words of a paragraph; none where they would tell nothing."""
    if one.kind != "paragraph" or room < LEAST_KEPT:
        return []
    text = one.text[: grapheme.boundary(one.text, room)]
    words = text[: max(text.rfind(" "), text.rfind("\n"))].rstrip()
    return [words if len(words) >= LEAST_KEPT else text]


def shorten_element(one: Element, room: int) -> str | None:
    """Shorten one element; None where its syntax does not allow it."""
    if one.kind == "fence":
        return shorten_fence(one, room)
    fenced = any(FENCE.match(line.lstrip("> ")) for line in one.lines)
    if one.kind in ("table", "front", "heading") or fenced:
        return None
    return shorten_paragraph(one.text, room)


def shorten_fence(one: Element, room: int) -> str | None:
    """Shorten a fence to its first lines, with a mark as the last line inside it."""
    inner = "\n".join(one.inner)
    produced = len(inner)
    earlier_mark = notice.STRING_MARK.search(inner)
    lines = list(one.inner)
    if earlier_mark and int(earlier_mark[1]) == earlier_mark.start() - 1:
        produced = int(earlier_mark[2])
        lines = inner[: earlier_mark.start() - 1].split("\n")
    head = "\n".join(one.lines[: one.head])
    left = room - len(head) - len(one.close) - len(notice.string_mark(produced, produced)) - 3
    kept: list[str] = []
    for line in lines:
        left -= len(line) + 1
        if left < 0:
            break
        kept.append(line)
    if not kept or len(kept) == len(one.inner):
        return None
    body = "\n".join(kept)
    return f"{head}\n{body}\n{notice.string_mark(len(body), produced)}\n{one.close}"

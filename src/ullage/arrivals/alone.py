"""What a delivered text shows by itself, where what was produced is not known."""

import re
from dataclasses import dataclass, replace

from ullage.arrivals.notice import ACT, CUT_WORDS, points
from ullage.arrivals.own import page_head, records_said
from ullage.arrivals.read import Reading, read
from ullage.arrivals.shortened import ends_early, ends_inside, flagged, says, without_dots
from ullage.arrivals.values import Json, of, unescape

# A string that begins with JSON: as the repr of an object has it, or as JSON has it inside JSON.
QUOTED = re.compile(r"""(?:\A|[=:(,\[]\s?)(?P<quote>["'])(?=\s*[{\[])""")
REST = {
    '"': re.compile(r'(?:[^"\\]|\\.)*+', re.DOTALL),
    "'": re.compile(r"(?:[^'\\]|\\.)*+", re.DOTALL),
}
LABEL = re.compile(r"\A\s*[A-Za-z][\w ]{0,40}:\s*(?=[{\[])")
"""Words before a payload: `Observation:`."""

DEEPEST = 4
"""So deep an envelope is looked into."""

AROUND = 300
"""A mark's sentence, and the way back in it, stand within so many characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alone:
    """What a text says of a cut (`mark`), and whether it ends inside a value (`broken`).

    `way_back` says that the words around the mark point to the rest. `whole` says that the text is
    one whole value, so that nothing can have cut its end. Where it is an object of which one string
    makes up most, that string is what a cut would have met: `broken` and `whole` are of it, and
    `body` is its text. `early` says that the text as it is ends as the beginning of a value.
    """

    mark: str | None
    broken: bool
    whole: bool
    way_back: bool
    body: str
    early: bool

    @property
    def shortened(self) -> bool:
        """Whether the text leaves no doubt that it was shortened: by its words, or its end."""
        return self.mark is not None or self.early


def alone(text: str) -> Alone:
    """Look at one delivered text; of a page of ours, at what stands below its first line."""
    if head := page_head(text):
        return of_page(text[head.end() :], records_said(head))
    reading = read(text)
    mark = says(text, reading) or flagged(reading)
    body, inner = text, reading
    if reading.is_json and reading.is_value and (inside := main_string(reading.value, text)):
        body, inner = inside, read(inside)
    early = ends_inside(text, reading)
    return Alone(
        mark=mark,
        broken=is_broken(body, inner, early=early if inner is reading else ends_early(body)),
        whole=inner.is_json or (inner.is_value and inner.form == "python-repr"),
        way_back=mark is not None and points_back(text, mark),
        body=body,
        early=early,
    )


def of_page(text: str, records: int) -> Alone:
    """Look at a page that says how many records it has: with so many lines it is whole.

    Its first line says how to get the next ones, so a record that was cut has a way back.
    """
    found = alone(text)
    whole = found.whole or (not found.broken and text.count("\n") + 1 >= records > 1)
    return replace(found, whole=whole, way_back=found.mark is not None)


def main_string(root: Json, text: str) -> str | None:
    """Return the string of an object that is most of its text, None without one."""
    waiting, depth = [root], 0
    while waiting and depth < DEEPEST:
        for one in waiting:
            if isinstance(one, str) and 2 * len(one) > len(text):
                return one
        waiting = [inner for one in waiting if isinstance(one, dict | list) for inner in of(one)]
        depth += 1
    return None


def is_broken(text: str, reading: Reading, *, early: bool) -> bool:
    """Whether a text is an unfinished prefix of a value, behind a label or in an open string too.

    An error before the end proves nothing: such a text may never have been a value.
    """
    if reading.is_json:
        return False
    if reading.form == "broken" and early:
        return True
    label = LABEL.match(text)
    if label and ends_early(text[label.end() :]):
        return True
    inner = open_string(text)
    return inner is not None and ends_early(inner)


def open_string(text: str) -> str | None:
    """Return what stands in the string that begins with JSON and never ends; None without one."""
    bare = without_dots(text)
    position = 0
    while found := QUOTED.search(bare, position):
        end = rest_of(bare, found)
        if end >= len(bare) or (end == len(bare) - 1 and bare[end] == "\\"):
            return unescape(bare[found.end() : end])
        position = end + 1
    return None


def rest_of(text: str, opened: re.Match[str]) -> int:
    """Return where the string that was opened ends."""
    found = REST[opened["quote"]].match(text, opened.end())
    return found.end() if found else opened.end()


def points_back(text: str, mark: str) -> bool:
    """Whether the words around a mark say where the rest is."""
    at = text.find(mark)
    near = mark if at < 0 else text[max(0, at - AROUND) : at + len(mark) + AROUND]
    lines = [one for one in near.split("\n") if one in mark or mark in one or CUT_WORDS.search(one)]
    said = "\n".join(lines) or mark
    return ACT.search(said) is not None and points(said)

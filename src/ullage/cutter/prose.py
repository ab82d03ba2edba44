"""Reading plain prose: paragraphs, and long lines of no other structure."""

import re
from collections.abc import Sequence

from ullage.cutter import earlier
from ullage.cutter.blocks import Block, Layout
from ullage.cutter.caveat import telling
from ullage.cutter.shorten import shorten_text

# Lines of this length are not made for line-by-line reading.
LONG_LINE = 200
# How much of a text may stand in shorter lines.
SHORT_SHARE = 0.1
# Prose is letters and spaces, in sentences that end now and then and run over the line ends.
LETTERS = 0.75
LONGEST_SENTENCE = 500
LEAST_PARAGRAPH = 30
# Less than this, its mark included, tells nothing of a paragraph.
LEAST_KEPT = 60
# The beginning tells enough, and a text of any size is judged in bounded time.
LOOKED_AT = 100_000

LETTER = re.compile(r"[^\W\d_]|[ \n]")
ENDING = re.compile(r"[.!?…][\"'”’)\]]*(?=\s|\Z)|[。！？]")  # noqa: RUF001  # Chinese marks
# What other tools' output begins its lines with.
MARKED = re.compile(r"\s*(?:[\[{(<|#@+\-=*>$%&/\\~]|\d+[\s:.,/-]|(?![A-Z][a-z]+:)[\w-]+[:=])")


def read(text: str) -> Layout | None:
    """Read a text as paragraphs, or as long lines; None for what is made of short lines."""
    found = earlier.take_off(text)
    body = found.text
    lines = body.count("\n") + 1
    if not body.strip():
        return None
    known = found.prior.records is not None  # what an earlier cut of ours left
    if not (known or has_long_lines(body[:LOOKED_AT]) or is_prose(body[:LOOKED_AT])):
        return None
    records = paragraphs(body)
    block = Block(
        path="$",
        records=records,
        unit="records" if len(records) * 2 <= lines + 1 else "lines",
        unusual=lambda: telling(records),
        shorten=shorten_paragraph if len(records) > 1 else shorten_text,
    )
    return Layout(
        format="text",
        blocks=[block],
        insert=earlier.paragraph,
        after="\n" if body.endswith("\n") else "",
        prior=found.prior,
        also=found.also,
    )


def has_long_lines(text: str) -> bool:
    """Whether nearly all of a text stands in long lines."""
    lines = text.split("\n")
    short = sum(len(line) for line in lines if len(line) < LONG_LINE)
    return short <= SHORT_SHARE * len(text)


def is_prose(text: str) -> bool:
    """Whether a text is made of words in sentences, not of lines that each begin with a mark."""
    lines = [line for line in text.split("\n") if line.strip()]
    if sum(MARKED.match(line) is not None for line in lines) * 4 > len(lines):
        return False
    letters = sum(1 for _ in LETTER.finditer(text))
    sentences = sum(1 for _ in ENDING.finditer(text))
    if letters < LETTERS * len(text) or len(text) > LONGEST_SENTENCE * sentences:
        return False
    found = paragraphs(text)
    broken = [line for one in found for line in one.strip().split("\n")[:-1]]
    if 2 * ended(broken) > len(broken) > 0:
        return False  # each line is a sentence of its own
    return 2 * ended(found) >= len(found) and len(text) >= LEAST_PARAGRAPH * len(found)


def ended(texts: Sequence[str]) -> int:
    """Return how many of some texts end as a sentence does."""
    return sum(
        ENDING.search(one.rstrip(), max(len(one.rstrip()) - 4, 0)) is not None for one in texts
    )


def paragraphs(text: str) -> list[str]:
    """Split a text at its blank lines, which go with the paragraph after them.

    A long line is a paragraph of its own. Joined by line ends the paragraphs are the text again,
    white space at its end aside.
    """
    found: list[str] = []
    group: list[str] = []
    last = ""
    for line in text.split("\n"):
        apart = not line.strip() or max(len(line), len(last)) >= LONG_LINE
        if last.strip() and apart:
            found.append("\n".join(group))
            group = []
        group.append(line)
        last = line
    if last.strip():
        found.append("\n".join(group))
    return found


def shorten_paragraph(text: str, room: int) -> str | None:
    """Shorten a paragraph, the blank lines before it aside; None where too little of it stays."""
    body = text.lstrip("\r\n")
    white = text[: len(text) - len(body)]
    short = shorten_text(body, room - len(white))
    return None if short is None or len(short) < LEAST_KEPT else white + short

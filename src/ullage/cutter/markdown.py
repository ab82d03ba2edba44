"""Reading Markdown: a block a section, a table, a fence; caveats and verdicts stand out."""

import re
from collections import Counter
from collections.abc import Sequence

from ullage.cutter import earlier, notice_line
from ullage.cutter.blocks import Layout
from ullage.cutter.elements import Element, elements
from ullage.cutter.sections import layout

# Lines of other formats that have headings or fences of a kind.
FOREIGN = re.compile(r"@@ -\d|diff --git |<\?xml|<!doctype html|<html|#!/", re.IGNORECASE)
CODE = re.compile(
    r"\s*[\w.\"'$-]+\s*(?::(?=\s|\Z)|=)|.*[{};]\s*\Z|    |\t"
    r"|(?:import|from|def|class|return|if|for|while|elif|else|export|set|echo)\b"
)
MARKS = ("#", "|", "```", "~~~", "===", "---")
# Text of another format shows itself early.
LOOKED_AT = 200


def read(text: str) -> Layout | None:
    """Read a text as Markdown; None where no heading with a text, pipe table or fence is in it."""
    found = earlier.take_off(text)
    if not any(mark in found.text for mark in MARKS):
        return None
    lines = found.text.split("\n")
    if notice_line.read_hashed(lines[0]) is not None:
        return None  # YAML or CSV that we cut before: its notice is no heading
    if any(FOREIGN.match(line) for line in lines[:LOOKED_AT]):
        return None
    parsed = list(elements(lines))
    if not is_markdown(parsed):
        return None
    return layout(parsed, found)


def is_markdown(parsed: Sequence[Element]) -> bool:
    """Whether the structure is Markdown's own: comments and rulers of other formats are not."""
    kinds = Counter(one.kind for one in parsed)
    if kinds["table"] or any(one.kind == "fence" and one.closed for one in parsed):
        return True
    texts = [line for one in parsed if one.kind == "paragraph" for line in one.lines if line]
    if 2 * sum(CODE.match(line) is not None for line in texts) > len(texts):
        return False
    headed = sum(heads_a_text(parsed, at) for at in range(len(parsed)))
    return 2 * headed > kinds["heading"] or headed > 1


def heads_a_text(parsed: Sequence[Element], at: int) -> bool:
    """Whether a heading stands on its own, with something other than a heading after it."""
    one = parsed[at]
    if one.kind != "heading" or at + 1 == len(parsed) or not one.title:
        return False
    on_its_own = at == 0 or not one.lines[0].strip()
    return on_its_own and parsed[at + 1].kind != "heading"

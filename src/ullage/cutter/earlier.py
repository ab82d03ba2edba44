"""The bracketed first line that an earlier cut left, and putting a new one in its place."""

import re
from dataclasses import dataclass, replace

from ullage.cutter import notice
from ullage.cutter.notice import Prior
from ullage.cutter.notice_line import in_brackets

# Clauses that were true of the source stay true of every later cut.
CLAUSE_END = re.compile(r"[;.](?: |\Z)|(?<=Cut): ")
LASTING = re.compile(
    r"(.* taken out \(\d+ to \d+ characters\)|\d+ .* (?:replaced by .*|taken out))"
)
LONGEST_NOTICE = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """A text without the notice of an earlier cut, the totals in it, and its lasting clauses."""

    text: str
    prior: Prior
    also: tuple[str, ...] = ()


def take_off(text: str) -> Earlier:
    """Take the notice of an earlier cut off the head of a text, with one blank line after it."""
    line, _, rest = text.partition("\n")
    inner = line.rstrip("\r")[1:-1]
    ours = line.startswith("[Cut") and line.rstrip("\r").endswith("]")
    if not ours or len(line) > LONGEST_NOTICE or not notice.is_ours(inner):
        return Earlier(text=text, prior=Prior())
    rest = rest.removeprefix("\n")
    clauses = map(LASTING.fullmatch, CLAUSE_END.split(inner))
    also = tuple(match[1] for match in clauses if match)
    return Earlier(text=rest, prior=rooted(notice.read(inner)), also=also)


def rooted(prior: Prior, root: str = "$") -> Prior:
    """Let a total that names no place stand for the root, too."""
    total = prior.records or prior.parts.get("$")
    if total is None or root in prior.parts:
        return prior
    return replace(prior, parts={root: total, **prior.parts})


def paragraph(text: str, said: str) -> str:
    """Put the notice into a paragraph of its own before the text."""
    line = in_brackets(said)
    if not text:
        return line
    return line + ("\n" if text.startswith("\n") else "\n\n") + text

"""A root that is one JSON string: shortened, with the way back in a bracketed first line of it."""

import json
from dataclasses import dataclass

from ullage.cutter import notice, strings
from ullage.cutter.notice import Prior
from ullage.cutter.notice_line import in_brackets
from ullage.cutter.strings import Short

# How much of a budget the line with the way back may take: the rest is for the text.
SHARE = 0.5
LONGEST_NOTICE = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortened:
    """A root string within its budget, the sentence that says so, and what is left of its text."""

    text: str
    said: str
    short: Short


def take_off(literal: str) -> tuple[str, Prior]:
    """Return a literal without the first line that an earlier cut put into it, and what it says."""
    end = literal.find("]\\n", 1, LONGEST_NOTICE)
    if not literal.startswith('"[Cut') or end < 0:
        return literal, Prior()
    line = str(json.loads(f'{literal[: end + 1]}"', strict=False))
    if not notice.is_ours(line[1:-1]):
        return literal, Prior()
    return f'"{literal[end + 3 :]}', notice.read(line[1:-1])


def shorten(literal: str, limit: int, *, inside: bool, way_back: str) -> Shortened | None:
    """Shorten a root string to `limit`; None where no form of it is so small.

    Its length is stated where it ends. The way back stands in a first line while that takes no more
    than a share of the budget.
    """
    body, prior = take_off(literal)
    back = notice.rest(way_back or prior.way_back)
    if back:
        done = with_line(body, limit, back[0], inside=inside)
        if done is not None:
            return done
    short = strings.shorten(body, limit)
    return Shortened(text=short.text, said=sentence(short), short=short) if short else None


def with_line(body: str, limit: int, back: str, *, inside: bool) -> Shortened | None:
    """Shorten a root string under a first line that names the way back; None where that is long."""
    most = strings.length(body[1:-1])
    before = notice.STRING_MARK.search(body[1:-1])
    if before:
        most = max(most, int(before[2]))
    longest = f"Cut: {most} of {most} characters; {back}."
    if len(longest) > SHARE * limit:
        return None
    taken = len(written(longest, body)) if inside else 0
    short = strings.shorten(body, limit - taken)
    if short is None:
        return None
    said = sentence(short, back)
    text = f'"{written(said, body)}{short.text[1:]}' if inside else short.text
    return Shortened(text=text, said=said, short=short)


def sentence(short: Short, *clauses: str) -> str:
    """Return the notice of a shortened string."""
    return f"Cut: {'; '.join([f'{short.delivered} of {short.produced} characters', *clauses])}."


def written(said: str, literal: str) -> str:
    """Return a notice as a first line inside a literal, escaped as far as that is."""
    return json.dumps(f"{in_brackets(said)}\n", ensure_ascii=literal.isascii())[1:-1]

"""The last resort for text of no known structure: whole lines, then graphemes."""

from collections.abc import Sequence

from ullage.cutter import grapheme, notice, notice_line
from ullage.cutter.blocks import Block, Layout, cut_blocks
from ullage.cutter.budget import Budget
from ullage.cutter.keep import Keep
from ullage.cutter.notice import Prior
from ullage.cutter.values import Account, Cut, Part, Size


def cut_plain(
    text: str,
    source: str,
    budget: Budget,
    *,
    keep: Keep,
    inside: bool,
    also: Sequence[str] = (),
    way_back: str = "",
) -> Cut:
    """Cut a text that is longer than `budget` to whole lines; where none fits, to graphemes.

    `text` is what is left of `source` when it was made readable, which `also` says.
    """
    lines, prior = read(text)
    if len(lines) == 1:
        return cut_line(lines[0], source, budget, inside=inside)
    layout = Layout(
        format="text",
        blocks=[Block(path="$", records=lines, shorten=shorten_line)],
        prior=prior,
        also=also,
        after="\n" if text.endswith("\n") else "",
    )
    done = cut_blocks(layout, source, budget, keep=keep, inside=inside, way_back=way_back)
    if done.account.delivered.records:
        return done
    return cut_line("\n".join(lines), source, budget, inside=inside)


def read(source: str) -> tuple[list[str], Prior]:
    """Return the lines of a text, and the totals of an earlier cut whose notice is taken off."""
    lines = source.removesuffix("\n").split("\n")
    said = notice_line.read_brackets(lines[0])
    return (lines[1:], notice.read(said)) if said is not None else (lines, Prior())


def shorten_line(line: str, room: int) -> str | None:
    """Return the beginning of a line with its length stated."""
    mark = notice.string_mark(len(line), len(line))
    count = grapheme.boundary(line, room - len(mark))
    return line[:count] + notice.string_mark(count, len(line)) if count > 0 else None


def cut_line(text: str, source: str, budget: Budget, *, inside: bool) -> Cut:
    """Cut a text of which not even one line fits, to a prefix of whole graphemes."""
    total = len(text)
    least = f"[Cut: 0 of {total} characters]"
    reserve = len(f"[Cut: {total} of {total} characters]\n") if inside else 0
    count = grapheme.boundary(text, max(budget.limit - reserve, 0))
    said = f"Cut: {count} of {total} characters"
    line = (f"[{said}]\n" if count else f"[{said}]") if inside else ""
    short = line + text[:count]
    if len(short) > budget.limit:
        short, count = "", 0
    part = Part(
        path="$",
        unit="characters",
        produced=total,
        delivered=count,
        left_out=((count, total - 1),) if count < total else (),
    )
    account = Account(
        format="text",
        budget=budget,
        floor=len(least) if inside else 0,
        produced=Size(chars=len(source), records=1),
        delivered=Size(chars=len(short), records=int(count > 0)),
        parts=(part,),
        below_floor=not short,
    )
    return Cut(text=short, notice=said, account=account, complete=False)

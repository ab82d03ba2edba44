"""The last resort for text of no known structure: whole lines, then graphemes."""

from ullage.cutter import grapheme, notice
from ullage.cutter.blocks import Block, Layout, cut_blocks
from ullage.cutter.budget import Budget
from ullage.cutter.keep import Keep
from ullage.cutter.notice import Prior
from ullage.cutter.values import Account, Cut, Part, Size


def cut_plain(source: str, budget: Budget, *, keep: Keep, inside: bool, way_back: str = "") -> Cut:
    """Cut a text that is longer than `budget` to whole lines; where none fits, to graphemes."""
    lines, prior = read(source)
    if len(lines) == 1:
        return cut_line(source, budget, inside=inside)
    block = Block(path="$", records=lines, shorten=shorten_line)
    layout = Layout(
        format="text",
        blocks=[block],
        prior=prior,
        after="\n" if source.endswith("\n") else "",
    )
    done = cut_blocks(layout, source, budget, keep=keep, inside=inside, way_back=way_back)
    return done if done.account.delivered.records else cut_line(source, budget, inside=inside)


def read(source: str) -> tuple[list[str], Prior]:
    """Return the lines of a text, and the totals of an earlier cut whose notice is taken off."""
    lines = source.removesuffix("\n").split("\n")
    first = lines[0]
    if first.startswith("[") and first.endswith("]") and notice.is_ours(first[1:-1]):
        return lines[1:], notice.read(first[1:-1])
    return lines, Prior()


def shorten_line(line: str, room: int) -> str | None:
    """Return the beginning of a line with its length stated."""
    mark = notice.string_mark(len(line), len(line))
    count = grapheme.boundary(line, room - len(mark))
    return line[:count] + notice.string_mark(count, len(line)) if count > 0 else None


def cut_line(source: str, budget: Budget, *, inside: bool) -> Cut:
    """Cut a text of which not even one line fits, to a prefix of whole graphemes."""
    total = len(source)
    least = f"[Cut: 0 of {total} characters]"
    reserve = len(f"[Cut: {total} of {total} characters]\n") if inside else 0
    count = grapheme.boundary(source, max(budget.limit - reserve, 0))
    said = f"Cut: {count} of {total} characters"
    line = (f"[{said}]\n" if count else f"[{said}]") if inside else ""
    text = line + source[:count]
    if len(text) > budget.limit:
        text, count = "", 0
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
        produced=Size(chars=total, records=1),
        delivered=Size(chars=len(text), records=int(count > 0)),
        parts=(part,),
        below_floor=not text,
    )
    return Cut(text=text, notice=said, account=account, complete=False)

"""The last resort for text of no known structure: whole lines, then graphemes."""

from ullage.cutter import grapheme
from ullage.cutter.budget import Budget
from ullage.cutter.choose import choose
from ullage.cutter.keep import Keep
from ullage.cutter.values import Account, Cut, Kept, Part, Size, ranges


def cut_plain(source: str, budget: Budget, *, keep: Keep, inside: bool) -> Cut:
    """Cut a text that is longer than `budget` to whole lines; where none fits, to graphemes."""
    lines = source.split("\n")
    if lines[-1] == "":
        lines.pop()
    limit = budget.limit
    least = f"[Cut: 0 of {len(lines)} lines]"
    reserve = len(f"[Cut: {len(lines)} of {len(lines)} lines]\n") if inside else 0
    wanted = [at for at, line in enumerate(lines) if keep.looks_inside and keep.wants(line)]
    costs = [len(line) + 1 for line in lines]
    chosen = choose(costs, max(limit - reserve + 1, 0), wanted=wanted, unusual=())
    if not chosen:
        return cut_line(source, budget, inside=inside)
    kept = sorted(chosen)
    said = f"Cut: {len(kept)} of {len(lines)} lines"
    body = "\n".join(lines[at] for at in kept)
    part = Part(
        path="$",
        unit="lines",
        produced=len(lines),
        delivered=len(kept),
        left_out=ranges([at for at in range(len(lines)) if at not in chosen]),
        kept=tuple(Kept(record=at, why=chosen[at]) for at in kept),
    )
    text = f"[{said}]\n{body}" if inside else body
    return finish(
        source, budget, text=text, said=said, part=part, floor=len(least) if inside else 0
    )


def cut_line(source: str, budget: Budget, *, inside: bool) -> Cut:
    """Cut a text of which not even one line fits, to a prefix of whole graphemes."""
    total = len(source)
    least = f"[Cut: 0 of {total} characters]"
    reserve = len(f"[Cut: {total} of {total} characters]\n") if inside else 0
    count = grapheme.boundary(source, max(budget.limit - reserve, 0))
    said = f"Cut: {count} of {total} characters"
    notice = (f"[{said}]\n" if count else f"[{said}]") if inside else ""
    text = notice + source[:count]
    part = Part(
        path="$",
        unit="characters",
        produced=total,
        delivered=count,
        left_out=((count, total - 1),) if count < total else (),
    )
    if len(text) > budget.limit:
        text = ""
    return finish(
        source, budget, text=text, said=said, part=part, floor=len(least) if inside else 0
    )


def finish(source: str, budget: Budget, *, text: str, said: str, part: Part, floor: int) -> Cut:
    """Return the Cut with its account."""
    lines = part.unit == "lines"
    account = Account(
        format="text",
        budget=budget,
        floor=floor,
        produced=Size(chars=len(source), records=part.produced if lines else 1),
        delivered=Size(chars=len(text), records=part.delivered if lines else 0),
        parts=(part,),
        below_floor=not text,
    )
    return Cut(text=text, notice=said, account=account, complete=False)

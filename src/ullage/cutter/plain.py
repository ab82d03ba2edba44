"""The last resort for text of no known structure: whole lines, then graphemes."""

from collections.abc import Sequence
from dataclasses import dataclass

from ullage.cutter import grapheme, notice, notice_line, placeholder
from ullage.cutter.blocks import Block, Layout, cut_blocks
from ullage.cutter.budget import Budget
from ullage.cutter.keep import Keep
from ullage.cutter.notice import Prior
from ullage.cutter.values import Account, Counted, Cut, Part, Size

# How much of a budget clauses beside the length of a line may take.
LINE_SHARE = 0.5


def cut_plain(
    text: str,
    source: str,
    budget: Budget,
    *,
    keep: Keep,
    inside: bool,
    also: Sequence[str] = (),
    gone: int = 0,
    way_back: str = "",
) -> Cut:
    """Cut a text that is longer than `budget` to whole lines; where none fits, to graphemes.

    `text` is what is left of `source` when it was made readable, which `also` says; placeholders
    in it stand for `gone` characters.
    """
    lines, prior = read(text)
    said = Said(
        prior=prior,
        clauses=[*notice.rest(way_back or prior.way_back), *also],
        gone=gone,
        inside=inside,
    )
    if len(lines) == 1:
        return cut_line(lines[0], source, budget, said)
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
    return cut_line("\n".join(lines), source, budget, said)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What the notice of a line has to say beside its length, the most useful clause first."""

    prior: Prior
    clauses: Sequence[str]
    gone: int
    inside: bool


def cut_line(text: str, source: str, budget: Budget, also: Said) -> Cut:
    """Cut a text of which not even one line fits, to a prefix of whole graphemes."""
    here = placeholder.characters(text) + also.gone
    total, unit = first_total(here, also.prior)
    clauses = list(also.clauses)
    while clauses and len(sentence(total, total, clauses, unit)) > LINE_SHARE * budget.limit:
        clauses.pop()
    least = f"[{sentence(0, total, unit=unit)}]"
    reserve = len(f"[{sentence(total, total, clauses, unit)}]\n") if also.inside else 0
    room = placeholder.boundary(text, max(budget.limit - reserve, 0))
    kept = text[: grapheme.boundary(text, room)]
    count = placeholder.characters(kept)
    said = sentence(count, total, clauses, unit)
    line = (f"[{said}]\n" if kept else f"[{said}]") if also.inside else ""
    short = line + kept
    if len(short) > budget.limit:
        short, count = "", 0
    part = Part(
        path="$",
        unit=unit,
        produced=total,
        delivered=count,
        left_out=((count, here - 1),) if count < here else (),
    )
    account = Account(
        format="text",
        budget=budget,
        floor=len(least) if also.inside else 0,
        produced=Size(chars=len(source), records=1),
        delivered=Size(chars=len(short), records=int(count > 0)),
        parts=(part,),
        below_floor=not short,
    )
    return Cut(text=short, notice=said, account=account, complete=False)


def first_total(here: int, prior: Prior) -> tuple[int, Counted]:
    """Return how much there was before any cut, and in what unit it is counted."""
    before = prior.parts.get("$") or prior.records
    unit = prior.units.get("$", "records")
    if before and (unit == "characters" or not here):  # a number of lines is no length
        return max(before.produced, here), unit
    return here, "characters"


def sentence(
    count: int, total: int, clauses: Sequence[str] = (), unit: Counted = "characters"
) -> str:
    """Return the notice of a line."""
    return f"Cut: {'; '.join([notice.total(count, total, unit), *clauses])}"

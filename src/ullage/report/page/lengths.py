"""How long the delivered results are: a limit shows as a peak."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ullage.checks.lengths import Lengths
from ullage.report.page.markup import Safe, joined, tag
from ullage.report.page.pieces import NA, details, lead, many, number, section, table
from ullage.transcript.finding import Finding

STEPS = 12
"""Bars for each factor of ten."""
MOST_TOOLS = 24
WIDTH, HEIGHT, BASE = 720, 190, 160
LEFT = 70
ALL = "all tools"


@dataclass(frozen=True, slots=True, kw_only=True)
class Peak:
    """One length at which several results of a tool were cut."""

    length: int
    results: int


def lengths_section(tools: Mapping[str, Lengths], findings: Sequence[Finding]) -> Safe:
    """Return the section: one histogram for all tools, one for each of the most used."""
    title = "How long the delivered results are"
    if not tools:
        return section("lengths", title, tag("p", f"{NA}: no tool result was read.", class_="na"))
    shown = dict(sorted(tools.items(), key=lambda one: -one[1].all.total())[:MOST_TOOLS])
    pools = {ALL: pooled(tools.values()), **(shown if len(tools) > 1 else {})}
    options = [
        tag("option", f"{name} ({number(of.all.total())})", value=at)
        for at, (name, of) in enumerate(pools.items())
    ]
    more = len(tools) - len(shown)
    rest = f" {many(more, 'tool')} with fewer results only in “{ALL}”." if more > 0 else ""
    drawings = [
        tag("div", histogram(name, of, peaks(name, of, findings)), data_tool=at, hidden=at > 0)
        for at, (name, of) in enumerate(pools.items())
    ]
    pick = (
        tag("label", "Tool ", tag("select", *options, id="length-tool")) if len(pools) > 1 else ""
    )
    return section(
        "lengths",
        title,
        lead(
            "Whole results differ in length. Where many are equally long, something cuts them: "
            "that stands out as a peak, marked here when a check found it."
        ),
        tag("p", pick, rest, class_="controls") if pick else None,
        *drawings,
    )


def pooled(tools: Iterable[Lengths]) -> Lengths:
    """Return the lengths of several tools as one."""
    whole = Lengths()
    for one in tools:
        whole.all.update(one.all)
        whole.cut.update(one.cut)
        whole.known += one.known
    return whole


def peaks(tool: str, of: Lengths, findings: Sequence[Finding]) -> list[Peak]:
    """Return the lengths at which results were cut, the most frequent first."""
    found = Counter(of.cut)
    for one in findings:
        length = one.evidence.get("cap")
        alone = one.evidence.get("sign") == "length" and one.evidence.get("unit") == "characters"
        if alone and isinstance(length, int) and tool in (ALL, one.tool):
            found[length] += 1
    return [Peak(length=at, results=n) for at, n in found.most_common() if n > 0]


def bin_of(length: int) -> int:
    """Return the bar of a length: equal steps of its logarithm."""
    return math.floor(STEPS * math.log10(max(1, length)) + 1e-9)


def histogram(tool: str, of: Lengths, found: Sequence[Peak]) -> Safe:
    """Draw one histogram, and the marks of what was cut."""
    bars, cut = Counter[int](), Counter[int]()
    for length, count in of.all.items():
        bars[bin_of(length)] += count
    for peak in found:
        cut[bin_of(peak.length)] += peak.results
    first, last = min(bars), max(bars) + 1
    most, wide = max(bars.values()), (WIDTH - LEFT - 8) / max(1, last - first)

    def x(at: float) -> float:
        return LEFT + (at - first) * wide

    shapes = [*axis(first, last, x), *counts(most)]
    for at, count in sorted(bars.items()):
        shapes.append(bar(x(at), wide, count, most, "kept"))
        if cut[at]:
            shapes.append(bar(x(at), wide, min(count, cut[at]), most, "lost"))
    marked = [one for one in found if one.results > 1][:3]
    for row, peak in enumerate(marked):
        shapes += mark(peak, x(bin_of(peak.length)) + wide / 2, row)
    label = f"Lengths of {many(of.all.total(), 'result')} of {tool}"
    return joined(
        tag(
            "svg",
            *shapes,
            viewBox=f"0 0 {WIDTH} {HEIGHT}",
            class_="chart",
            role="img",
            aria_label=f"{label}. {peak_words(found)}",
        ),
        tag("p", peak_words(found), class_="legend"),
        details(f"{label}, as a table", bins_table(bars, cut)),
    )


def bar(left: float, wide: float, count: int, most: int, kind: str) -> Safe:
    """Draw one bar; one result is still to be seen."""
    high = max(2.0, (BASE - 34) * count / most)
    return tag(
        "rect",
        class_=kind,
        x=f"{left + 0.5:.1f}",
        y=f"{BASE - high:.1f}",
        width=f"{max(1.0, wide - 1):.1f}",
        height=f"{high:.1f}",
    )


def axis(first: int, last: int, place: Callable[[float], float]) -> list[Safe]:
    """Draw the lengths under the bars: one, ten, a hundred."""
    shapes = [tag("path", class_="axis", d=f"M{LEFT} {BASE}H{WIDTH - 8}")]
    for power in range(first // STEPS, last // STEPS + 1):
        at = power * STEPS
        if first <= at <= last:
            left = place(at)
            shapes.append(tag("path", class_="axis", d=f"M{left:.1f} {BASE}v5"))
            shapes.append(
                tag(
                    "text",
                    number(10**power),
                    x=f"{left:.1f}",
                    y=BASE + 18,
                    text_anchor="end" if left > WIDTH - LEFT else "middle",
                )
            )
    return shapes


def counts(most: int) -> list[Safe]:
    """Draw the number of results beside the bars."""
    return [
        tag("text", number(most), x=LEFT - 6, y=38, text_anchor="end"),
        tag("text", "0", x=LEFT - 6, y=BASE, text_anchor="end"),
        tag("path", class_="grid", d=f"M{LEFT} 34H{WIDTH - 8}"),
    ]


def mark(peak: Peak, at: float, row: int) -> list[Safe]:
    """Mark one peak with its length and its number of results."""
    words = f"{number(peak.results)} at {number(peak.length)}"
    to_left = at > WIDTH * 0.6
    return [
        tag("path", class_="mark", d=f"M{at:.1f} {12 + 12 * row}V{BASE}"),
        tag(
            "text",
            words,
            class_="marked",
            x=f"{at - 5 if to_left else at + 5:.1f}",
            y=16 + 12 * row,
            text_anchor="end" if to_left else "start",
        ),
    ]


def peak_words(found: Sequence[Peak]) -> str:
    """Say at which lengths results were cut."""
    if not found:
        return "No check found a length at which results are cut."
    total = sum(one.results for one in found)
    shown = ", ".join(f"{number(p.results)} at {number(p.length)} characters" for p in found[:3])
    more = f", and {many(len(found) - 3, 'more length')}" if len(found) > 3 else ""
    return f"Cut: {many(total, 'result')}: {shown}{more}."


def bins_table(bars: Counter[int], cut: Counter[int]) -> Safe:
    """Return a histogram as a table."""
    return table(
        "Results by length in characters",
        ("From", "Below", "Results", "Cut"),
        [
            (number(edge(at)), number(edge(at + 1)), number(count), number(cut[at]))
            for at, count in sorted(bars.items())
        ],
    )


def edge(at: int) -> int:
    """Return the shortest length of a bar."""
    return math.ceil(10 ** (at / STEPS) - 1e-6)

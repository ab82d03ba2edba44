"""Where in a part records arrive: part by part, a picture for each policy beside the others."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from ullage.policies.rates import FieldRate
from ullage.policies.replayed import Replayed
from ullage.policies.tally import TENTHS
from ullage.report.page.markup import Safe, joined, tag
from ullage.report.page.pieces import lead, number, percent, section
from ullage.report.replay_blocks import OTHERS, outcome_of

WIDTH, HEIGHT = 200, 84
MOST = 12
"""So many parts are drawn, those with most records lost under any policy first."""

Part = tuple[str, str]


def pictures(found: Replayed) -> Safe | None:
    """Return the section: for each part a picture a policy; None where nothing is lost."""
    drawn = [
        one
        for words, known in (("", True), (f" ({OTHERS})", False))
        for one in of_kind(found, words, known=known)
    ]
    if not drawn:
        return None
    return section(
        "position",
        "Where in a part records arrive",
        lead(
            "Each bar is a tenth of the records of a part, the first ones left; its height is the "
            "share that arrives whole, the line its 95 % interval over sessions. A cut by position "
            "leaves a cliff."
        ),
        *drawn,
    )


def of_kind(found: Replayed, words: str, *, known: bool) -> Iterator[Safe]:
    """Yield the pictures of results whose produced text is known, or of the others."""
    names = [one.name for one in found.policies]
    each = [by_part(outcome_of(one, known=known).positions) for one in found.policies]
    lossy = losing(each)
    for part in lossy[:MOST]:
        drawings = [
            tag("li", picture(name, part, parts[part]))
            for name, parts in zip(names, each, strict=True)
        ]
        yield tag("h3", " ".join(part), words)
        yield tag("ul", *drawings, class_="multiples pairs")
    if len(lossy) > MOST:
        yield tag("p", f"Drawn are {MOST} of {number(len(lossy))} parts.", class_="small")


def by_part(positions: Sequence[FieldRate]) -> dict[Part, list[FieldRate]]:
    """Return the tenths of each part."""
    return {
        part: list(tenths)
        for part, tenths in groupby(positions, key=lambda one: (one.tool, one.path))
    }


def losing(each: Sequence[dict[Part, list[FieldRate]]]) -> list[Part]:
    """Return the parts of which any policy loses records, those with most losses first."""
    lost: dict[Part, int] = {}
    for parts in each:
        for part, tenths in parts.items():
            gone = sum(one.by_record.of - one.by_record.part for one in tenths)
            lost[part] = max(lost.get(part, 0), gone)
    return sorted((one for one in lost if lost[one]), key=lambda one: (-lost[one], one))


def picture(policy: str, part: Part, tenths: Sequence[FieldRate]) -> Safe:
    """Draw one part under one policy."""
    arrived = sum(one.by_record.part for one in tenths), sum(one.by_record.of for one in tenths)
    said = f"{percent(*arrived)} of {number(arrived[1])} records"
    heights = ", ".join(percent(one.by_record.share) for one in tenths)
    drawing = tag(
        "svg",
        *(bar(one) for one in tenths),
        tag("path", class_="axis", d=f"M0 {HEIGHT - 0.5}H{WIDTH}"),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        preserveAspectRatio="none",
        role="img",
        aria_label=f"{policy}, {' '.join(part)}: {said}; by tenths {heights}",
    )
    # Under the drawing and not in it: what is in it is stretched with it.
    ends = tag(
        "small", tag("span", "first"), tag("span", "last"), class_="ends", aria_hidden="true"
    )
    name = tag("figcaption", tag("b", policy), tag("small", said))
    return tag("figure", name, tag("div", drawing, ends))


def bar(one: FieldRate) -> Safe:
    """Draw one tenth: all of it, what arrived of it, and the interval where sessions differ."""
    across = WIDTH / TENTHS
    left, share = across * (one.tenth or 0), one.by_record.share or 0.0
    place = {"x": f"{left + 1:.1f}", "width": f"{across - 2:.1f}"}
    return joined(
        tag("rect", class_="ground", y=0, height=HEIGHT, **place),
        tag(
            "rect",
            class_="kept",
            y=f"{HEIGHT * (1 - share):.1f}",
            height=f"{HEIGHT * share:.1f}",
            **place,
        ),
        whisker(one, left + across / 2),
    )


def whisker(one: FieldRate, middle: float) -> Safe | None:
    """Draw the interval of a tenth, where sessions differ."""
    between = one.by_record.interval
    if between is None or between.low >= between.high:
        return None
    high, low = HEIGHT * (1 - between.high), HEIGHT * (1 - between.low)
    return tag("path", class_="whisker", d=f"M{middle:.1f} {high:.1f}V{low:.1f}")

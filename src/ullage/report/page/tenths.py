"""Where in a part records arrive: a picture for each policy, part by part."""

from collections.abc import Sequence
from itertools import groupby

from ullage.policies.replayed import FieldRate, Replayed
from ullage.policies.tally import TENTHS
from ullage.report.page.markup import Safe, tag
from ullage.report.page.pieces import lead, number, percent, section
from ullage.report.replay_blocks import OTHERS, outcome_of

WIDTH, HEIGHT = 200, 84
MOST = 12
"""So many parts are drawn, those with most records lost under any policy first."""

Part = tuple[str, str]


def pictures(found: Replayed) -> Safe | None:
    """Return the section: a row of pictures for each policy; None where nothing is lost."""
    drawn = []
    for words, known in (("", True), (f", {OTHERS}", False)):
        each = [by_part(outcome_of(one, known=known).positions) for one in found.policies]
        lossy = losing(each)
        for policy, parts in zip(found.policies, each, strict=True):
            if lossy:
                drawn.append(tag("h3", f"{policy.name}{words}"))
                drawn.append(
                    tag(
                        "ul",
                        *(tag("li", picture(policy.name, one, parts[one])) for one in lossy[:MOST]),
                        class_="multiples",
                    )
                )
        if len(lossy) > MOST:
            drawn.append(
                tag("p", f"Drawn are {MOST} of {number(len(lossy))} parts.", class_="small")
            )
    if not drawn:
        return None
    return section(
        "position",
        "Where in a part records arrive",
        lead(
            "Each bar is a tenth of the records of a part, the first one left; its height is the "
            "share that arrives whole, the line its 95 % interval over sessions. A cut by position "
            "leaves a cliff."
        ),
        *drawn,
    )


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
    across = WIDTH / TENTHS
    shapes = []
    for one in tenths:
        left, share = across * (one.tenth or 0), one.by_record.share or 0.0
        shapes.append(
            tag(
                "rect",
                class_="ground",
                x=f"{left + 1:.1f}",
                y=0,
                width=f"{across - 2:.1f}",
                height=HEIGHT,
            )
        )
        shapes.append(
            tag(
                "rect",
                class_="kept",
                x=f"{left + 1:.1f}",
                y=f"{HEIGHT * (1 - share):.1f}",
                width=f"{across - 2:.1f}",
                height=f"{HEIGHT * share:.1f}",
            )
        )
        shapes += whisker(one, left + across / 2)
    base = tag("path", class_="axis", d=f"M0 {HEIGHT - 0.5}H{WIDTH}")
    tool, path = part
    whole = sum(one.by_record.part for one in tenths), sum(one.by_record.of for one in tenths)
    said = f"{percent(*whole)} of {number(whole[1])} records"
    heights = ", ".join(percent(one.by_record.share) for one in tenths)
    drawing = tag(
        "svg",
        *shapes,
        base,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        preserveAspectRatio="none",
        role="img",
        aria_label=f"{policy}, {tool} {path}: {said}; by tenths {heights}",
    )
    name = tag("figcaption", tag("b", f"{tool} {path}"), tag("small", said))
    return tag("figure", name, drawing)


def whisker(one: FieldRate, middle: float) -> list[Safe]:
    """Draw the interval of a tenth, where sessions differ."""
    between = one.by_record.interval
    if between is None or between.low >= between.high:
        return []
    high, low = HEIGHT * (1 - between.high), HEIGHT * (1 - between.low)
    return [tag("path", class_="whisker", d=f"M{middle:.1f} {high:.1f}V{low:.1f}")]

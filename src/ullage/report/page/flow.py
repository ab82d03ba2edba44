"""Where the text went: one band from what was produced, through each boundary, to what is left."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ullage.checks.flow import Flow, Taken
from ullage.checks.scan import Scan
from ullage.report.page.markup import Safe, tag
from ullage.report.page.pieces import NA, details, lead, many, number, percent, section, table
from ullage.transcript.words import Boundary

FIRST: tuple[Boundary, ...] = ("produce", "serialise", "budget")
"""The boundaries before the first request that carries a result."""
LATER: tuple[Boundary, ...] = ("retain", "summarise", "handoff", "serve")
"""Those after it."""

WIDE = 62
"""The band at its widest, of 100: the rest is for what turns away."""
LEAST = 1.0
"""A loss is drawn at least so wide: it is to be seen."""
GUESSED = 6.0
"""A loss of which only findings tell is drawn so wide."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """What there is at one height of the band, in characters: known on both sides, or not."""

    known: int
    unknown: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One boundary: what goes in and comes out, what is lost, and why where that is not known."""

    name: str
    what: str
    before: Level
    after: Level
    lost: int | None
    words: str
    findings: int = 0


WHAT: Mapping[Boundary, str] = {
    "produce": "the tool's own limits: a page, a top n, a timeout",
    "serialise": "a value becomes text: fields dropped, another form",
    "budget": "the result is cut to a size",
    "retain": "the history is trimmed, elided or cleared",
    "summarise": "a summary takes the place of older messages",
    "handoff": "one agent to the next",
    "serve": "the server reads less than was sent, or stops early",
}


def flow_section(scan: Scan, flow: Flow) -> Safe:
    """Return the section with the band and its table."""
    rows = rows_of(scan, flow)
    return section(
        "flow",
        "Where the text went",
        lead(
            "From top to bottom: the characters of all tool results, on their way to the model. "
            "What turns away was lost there; a dashed turn is a loss whose size is not known. "
            "Striped: it cannot be told."
        ),
        tag("ol", *(drawn(row, scale(rows)) for row in rows), class_="flow"),
        details("The same as a table", text_table(rows)),
    )


def rows_of(scan: Scan, flow: Flow) -> list[Row]:
    """Return the rows from top to bottom."""
    found = Counter(one.boundary for one in scan.findings)
    level = Level(known=flow.produced, unknown=flow.unknown_chars)
    rows = [end("Produced", level, produced_words(flow))]
    for boundary in FIRST:
        row = boundary_row(flow, boundary, level, found[boundary])
        rows.append(row)
        level = row.after
    given = Level(known=level.known + level.unknown, unknown=0)
    rows.append(end("Given to the model", given, many(given.known, "character")))
    level = given
    for boundary in LATER:
        row = boundary_row(flow, boundary, level, found[boundary])
        rows.append(row)
        level = row.after
    still = (
        f"{many(level.known, 'character')} ({percent(level.known, given.known)} of what was given)"
    )
    rows.append(end("Still there at the last request", level, still))
    return rows


def end(name: str, level: Level, words: str) -> Row:
    """Return a row at which nothing is lost."""
    return Row(name=name, what="", before=level, after=level, lost=0, words=words)


def produced_words(flow: Flow) -> str:
    """Say how much was produced, and of how much that is not known."""
    known = f"{many(flow.produced, 'character')} in {many(flow.measured, 'result')}"
    if not flow.unknown:
        return known
    unknown = f"not known for {many(flow.unknown, 'result')}; they arrived with "
    return joined_words(
        known if flow.measured else "", f"{unknown}{many(flow.unknown_chars, 'character')}"
    )


def joined_words(*words: str) -> str:
    """Return what is said, one after the other."""
    return "; ".join(filter(None, words))


def boundary_row(flow: Flow, boundary: Boundary, before: Level, findings: int) -> Row:
    """Return the row of one boundary."""
    taken = flow.taken.get(boundary)
    why = SEEN[boundary](flow)
    lost = taken.chars if taken else None if why else 0
    kept = Level(known=max(0, before.known - (lost or 0)), unknown=before.unknown)
    if taken:
        records = f", {many(taken.records, 'record')}" if taken.records else ""
        words = (
            f"{many(taken.chars, 'character')}{records} of {many(taken.results, 'result')}"
            f"{by_words(taken)}"
        )
    else:
        words = f"{NA}: {why}" if why else "nothing lost"
    return Row(
        name=boundary,
        what=WHAT[boundary],
        before=before,
        after=kept,
        lost=lost,
        words=words,
        findings=findings,
    )


def by_words(taken: Taken) -> str:
    """Say which rules of Ullage took something out, where the history says so."""
    by = ": ".join(filter(None, (", ".join(taken.tiers), ", ".join(taken.rules))))
    return f" ({by})" if by else ""


def upstream(flow: Flow) -> str | None:
    """Say what is known of the tools' own limits: never how much they left away."""
    if flow.upstream:
        return (
            f"{many(flow.upstream, 'result')} say that they are a part; how much the source held "
            "is not known"
        )
    return "only the source itself can tell"


def both_sides(flow: Flow) -> str | None:
    """Say whether what was produced is known at all."""
    return None if flow.measured else "how much was lost is not known without the produced text"


def history(flow: Flow) -> str | None:
    """Say whether a message that left the history would show."""
    return None if flow.followed else "no two requests of a conversation, no recorded compaction"


def sub_agents(flow: Flow) -> str | None:
    """Say what is known of what one agent handed to another."""
    if flow.children:
        return f"{many(flow.children, 'sub-agent')} seen; what it handed over is not recorded"
    return "no hand-off is recorded"


def served(flow: Flow) -> str | None:
    """Say that servers count tokens, and not what they read of a result."""
    return "servers count tokens: see the findings"


SEEN: Mapping[Boundary, Callable[[Flow], str | None]] = {
    "produce": upstream,
    "serialise": both_sides,
    "budget": both_sides,
    "retain": history,
    "summarise": history,
    "handoff": sub_agents,
    "serve": served,
}
"""Why a loss could not show there; None where it would."""


def scale(rows: list[Row]) -> float:
    """Return how wide one character is drawn."""
    most = max(row.before.known + row.before.unknown for row in rows)
    return WIDE / most if most else 0.0


def drawn(row: Row, size: float) -> Safe:
    """Draw one row: its name, its part of the band, and what is said of it."""
    is_end = not row.what
    name = tag("b", row.name)
    label = tag("div", name, tag("small", row.what) if row.what else None, class_="label")
    noted = many(row.findings, "finding") if row.findings else None
    link = tag("a", noted, href=f"#boundary={row.name}") if noted else None
    said = tag("div", tag("span", row.words), link, class_="said")
    state = "end" if is_end else NA if row.lost is None else "lossy" if row.lost else "calm"
    return tag("li", label, band(row, size), said, class_=state.replace("/", ""))


def band(row: Row, size: float) -> Safe:
    """Draw the band of one row, 100 wide and 100 high, stretched to its place."""
    unknown = row.before.unknown * size
    top, bottom = unknown + row.before.known * size, unknown + row.after.known * size
    shapes = []
    if unknown:
        shapes.append(tag("rect", class_="unknown", width=f"{unknown:.2f}", height=100))
        shapes.append(stripes("stripes", unknown, 20))
    if bottom > unknown:
        shapes.append(tag("path", class_="kept", d=ribbon(unknown, top, unknown, bottom)))
    if row.lost:
        width = max(LEAST, top - bottom)
        shapes.append(tag("path", class_="lost", d=away(top - width, top, width)))
    elif row.lost is None and row.findings and top:
        shapes.append(tag("path", class_="guessed", d=away(top - GUESSED, top, GUESSED)))
    if row.lost is None and top:
        shapes.append(stripes("veil", top, 100 // 3))
    drawing = tag(
        "svg",
        *shapes,
        viewBox="0 0 100 100",
        preserveAspectRatio="none",
        aria_hidden="true",
        focusable="false",
    )
    return tag("div", drawing, class_="band")


def stripes(kind: str, width: float, step: int) -> Safe:
    """Draw lines across, which stay as they are when the drawing is stretched."""
    lines = "".join(f"M0 {at}H{width:.2f}" for at in range(step // 2, 100, step))
    return tag("path", class_=kind, d=lines)


def ribbon(left: float, right: float, low_left: float, low_right: float) -> str:
    """Return the path of a ribbon from one height to the next."""
    return (
        f"M{left:.2f} 0H{right:.2f}C{right:.2f} 60 {low_right:.2f} 40 {low_right:.2f} 100"
        f"H{low_left:.2f}C{low_left:.2f} 40 {left:.2f} 60 {left:.2f} 0Z"
    )


def away(left: float, right: float, width: float) -> str:
    """Return the path of what turns away to the right."""
    depth = 20 + 0.9 * width
    return (
        f"M{left:.2f} 0H{right:.2f}C{right:.2f} 20 {right + 8:.2f} 20 100 20"
        f"V{min(96.0, depth):.2f}C{left + 8:.2f} {min(96.0, depth):.2f} {left:.2f} 70 {left:.2f} 0Z"
    )


def text_table(rows: list[Row]) -> Safe:
    """Return the band as a table."""
    return table(
        "Characters at each boundary",
        ("Step", "Goes in", "Lost there", "Goes on", "In words"),
        [
            (
                row.name,
                number(row.before.known) + (" + unknown" if row.before.unknown else ""),
                number(row.lost),
                number(row.after.known) + (" + unknown" if row.after.unknown else ""),
                row.words,
            )
            for row in rows
        ],
    )

"""How full the window was: small drawings of the fullest sessions, and one of any other."""

from collections.abc import Sequence

from ullage.checks.fills import Fill
from ullage.report.page.markup import Safe, tag
from ullage.report.page.pieces import NA, lead, many, number, percent, section

WORST = 9
POINTS = 120
"""So many points of a session are drawn; of longer ones the fullest turn of each step."""
WIDTH, HEIGHT, TOP = 220, 84, 10


def fills_section(sessions: Sequence[Fill]) -> Safe:
    """Return the section."""
    title = "How full the window was, turn by turn"
    known = [one for one in sessions if one.peak is not None]
    if not known:
        why = "no reply says how many tokens it read" if sessions else "no session was read"
        return section("window", title, tag("p", f"{NA}: {why}.", class_="na"))
    worst = sorted(known, key=fullness, reverse=True)[:WORST]
    unknown = len(sessions) - len(known)
    without = sum(one.window is None for one in known)
    said = [
        f"{many(unknown, 'session')} say nothing of tokens. " if unknown else "",
        f"Of {many(without, 'session')} the model's window is not known." if without else "",
    ]
    return section(
        "window",
        title,
        lead(
            "The tokens of the context after each reply, by the provider's own count. The dashed "
            "line is the model's window, a red line a point at which older messages left."
        ),
        tag("p", *said, class_="small") if any(said) else None,
        tag("h3", f"The {number(len(worst))} fullest" if len(known) > 1 else "The session"),
        tag("ul", *(tag("li", small(one)) for one in worst), class_="multiples"),
        picker() if len(known) > 1 else None,
    )


def fullness(one: Fill) -> tuple[float, int]:
    """Return what sessions are ordered by: the share of the window, then the tokens."""
    return (one.share or 0.0, one.peak or 0)


def picker() -> Safe:
    """Return the place of the drawing of any session; the page's script fills it."""
    options = tag("select", id="session-pick")
    return tag(
        "div",
        tag("p", tag("label", "Any session ", options), class_="controls"),
        tag("div", id="session-chart"),
        class_="needs-script",
    )


def thinned(one: Fill) -> tuple[list[int | None], list[float], int]:
    """Return at most so many points, the places of compactions among them, and turns a point."""
    step = max(1, -(-len(one.tokens) // POINTS))
    points = []
    for begin in range(0, len(one.tokens), step):
        known = [at for at in one.tokens[begin : begin + step] if at is not None]
        points.append(max(known) if known else None)
    return points, [round(at / step, 2) for at in one.compactions], step


def small(one: Fill) -> Safe:
    """Draw one session in small."""
    points, cuts, _ = thinned(one)
    most = max(one.window or 0, one.peak or 0) or 1
    across = WIDTH / max(1, len(points))
    bars = [
        tag(
            "rect",
            class_="kept",
            x=f"{at * across:.1f}",
            y=f"{HEIGHT - (HEIGHT - TOP) * value / most:.1f}",
            width=f"{max(0.8, across - (1 if across > 3 else 0)):.1f}",
            height=f"{(HEIGHT - TOP) * value / most:.1f}",
        )
        for at, value in enumerate(points)
        if value
    ]
    marks = [tag("path", class_="mark", d=f"M{at * across:.1f} 0V{HEIGHT}") for at in cuts]
    line = HEIGHT - (HEIGHT - TOP) * one.window / most if one.window else None
    window = tag("path", class_="window", d=f"M0 {line:.1f}H{WIDTH}") if line is not None else None
    base = tag("path", class_="axis", d=f"M0 {HEIGHT - 0.5}H{WIDTH}")
    drawing = tag(
        "svg",
        *bars,
        window,
        *marks,
        base,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        preserveAspectRatio="none",
        role="img",
        aria_label=f"{one.session}: {words(one)}",
    )
    return tag(
        "figure", tag("figcaption", tag("b", one.session), tag("small", words(one))), drawing
    )


def words(one: Fill) -> str:
    """Say the figures of one session."""
    window = f"{percent(one.share)} of {number(one.window)}" if one.window else "window not known"
    cuts = f", {many(len(one.compactions), 'compaction')}" if one.compactions else ""
    return (
        f"{many(len(one.tokens), 'turn')}, at most {many(one.peak or 0, 'token')} ({window}){cuts}"
    )

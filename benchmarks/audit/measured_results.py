"""Losses of a result whose produced text is known, and what looks like them."""

import json
from random import Random

from clean import READS, arguments
from drafts import Draft
from pairs import Pair, inside
from payloads import as_csv, identifier, json_result, result, rows
from words import sentence

LANGS = ("json", "csv", "log", "prose", "code", "listing", "markdown")


def give(one: Draft, produced: str, given: str) -> None:
    """Add a call of which both sides are known."""
    tool = one.draw.choice(READS)
    one.call(tool, given, arguments(one.draw, tool), produced=produced)


def shortened(draw: Random, text: str) -> str:
    """Cut a text as harnesses do: its end, its middle, its start, every so many lines."""
    keep = draw.uniform(0.1, 0.9)
    size = max(1, int(len(text) * keep))
    lines = text.splitlines()
    ways = [lambda: text[:size], lambda: text[:size], lambda: text[-size:]]
    ways.append(lambda: text[: size // 2] + text[len(text) - size // 2 :])
    if len(lines) > 6:
        ways.append(lambda: "\n".join(lines[: max(1, int(len(lines) * keep))]))
    return draw.choice(ways)()


def cut_silently(one: Draft) -> None:
    """Deliver less, and say nothing."""
    text = result(one.draw, one.draw.randrange(400, 20_000))
    if one.draw.random() < 0.3:  # records left out, the syntax whole
        found = rows(one.draw, one.draw.randrange(8, 200))
        kept = found[: one.draw.randrange(2, len(found) - 3)]
        write = one.draw.choice((as_csv, lambda _, some: json.dumps(some)))
        state = one.draw.getstate()
        text = write(one.draw, found)
        one.draw.setstate(state)
        give(one, text, write(one.draw, kept))
        return
    give(one, text, shortened(one.draw, text))


def given_whole_or_said(one: Draft) -> None:
    """Deliver all of it, in another form or not; or less, and say so."""
    draw = one.draw
    found = rows(draw, draw.randrange(8, 120))
    plain = json.dumps(found)
    text = result(draw, draw.randrange(400, 12_000))
    kept = draw.randrange(100, len(text) - 50)
    draw.choice(
        (
            lambda: give(one, text, text),
            lambda: give(one, plain, json.dumps(found, indent=2)),
            lambda: give(one, json.dumps({"items": found}, indent=4), json.dumps({"items": found})),
            lambda: give(one, plain, f"Result of the tool:\n```json\n{plain}\n```"),
            lambda: give(one, text, f"<output>\n{text}\n</output>"),
            lambda: give(one, text, f"Exit code: 0\nOutput:\n{text}"),
            lambda: give(one, text, numbered(text)),
            lambda: give(one, text.replace("\n", "\r\n"), text),
            lambda: give(one, coloured(draw, text), text),
            lambda: give(one, f"\n\n{text}  \n\n", text),
            lambda: give(one, json.dumps(found), json.dumps(found, ensure_ascii=False)),
            lambda: give(one, json.dumps(found), json.dumps(found, sort_keys=True)),
            lambda: give(one, json.dumps(found), "\n".join(json.dumps(row) for row in found)),
            lambda: give(
                one,
                text,
                f"{text[:kept]}\n[Output cut: showing {kept} of {len(text)} characters. The rest "
                f"is in /tmp/results/{identifier(draw)}.txt]",
            ),
            lambda: give(
                one,
                plain,
                json.dumps({"_notice": f"showing 3 of {len(found)} records", "rows": found[:3]}),
            ),
        )
    )()


def numbered(text: str) -> str:
    """Write the number of each line in front of it."""
    return "\n".join(f"{at:>6}\t{line}" for at, line in enumerate(text.split("\n"), start=1))


def coloured(draw: Random, text: str) -> str:
    """Put a terminal's colours around some lines."""
    return "\n".join(
        f"\x1b[3{draw.randrange(1, 7)}m{line}\x1b[0m" if draw.random() < 0.3 else line
        for line in text.split("\n")
    )


def cut_inside_a_value(one: Draft) -> None:
    """Deliver JSON that no longer parses, with a mark at its end or without."""
    text = json_result(one.draw, one.draw.randrange(400, 20_000))
    mark = one.draw.choice(("", "", "...", "\n[truncated]", "\n\n... (output truncated)"))
    give(one, text, text[: one.draw.randrange(len(text) // 10, len(text) - 2)] + mark)


def still_parses(one: Draft) -> None:
    """Deliver JSON that parses, or text that never was JSON."""
    draw = one.draw
    found = rows(draw, draw.randrange(5, 90))
    log = "[" + result(draw, 900, ["log"])
    draw.choice(
        (
            lambda: give(one, json.dumps(found), json.dumps(found, indent=1)),
            lambda: give(one, json.dumps(found), json.dumps(found[:3])),
            lambda: give(one, log, log[:500]),
            lambda: give(one, "{" + sentence(draw), "{" + sentence(draw)),
            lambda: give(one, json.dumps(found), "Here is what was found:\n" + json.dumps(found)),
            lambda: give(one, as_csv(draw, found), "\n".join(as_csv(draw, found).splitlines()[:3])),
        )
    )()


def emptied(one: Draft) -> None:
    """Deliver nothing of something."""
    text = result(one.draw, one.draw.randrange(200, 9_000))
    give(one, text, one.draw.choice(("", " ", "\n", "", "\t\n")))


def empty_before(one: Draft) -> None:
    """Deliver nothing where nothing was produced, or little of little."""
    draw = one.draw
    nothing = draw.choice(("", "[]", "{}", "null", " ", "\n"))
    draw.choice(
        (
            lambda: give(one, nothing, nothing),
            lambda: give(one, "ok", "ok"),
            lambda: give(one, "[]", "(no results)"),
            lambda: give(one, "", "(no output)"),
        )
    )()


MARKS = (
    "\n[{n} characters omitted]",
    "\n... [truncated, {n} bytes total]",
    "\n<response clipped: {n} lines not shown>",
    "\n[output truncated: {n} more lines]",
    "\n\n(truncated; {n} characters in total)",
    "\n…{n} tokens truncated…",
    "\n[... {n} more rows]",
)


def cut_before(one: Draft) -> None:
    """Record as produced what says that it was shortened, or stops in the middle of a value."""
    draw = one.draw
    text = result(draw, draw.randrange(600, 9_000))
    kept = text[: draw.randrange(300, len(text))]
    found = rows(draw, draw.randrange(5, 40))
    broken = json.dumps(found)
    said = draw.choice(
        (
            lambda: kept + draw.choice(MARKS).format(n=draw.randrange(50, 90_000)),
            lambda: json.dumps({"truncated": True, "total": 900, "items": found}),
            lambda: broken[: draw.randrange(len(broken) // 2, len(broken) - 2)],
        )
    )()
    give(one, said, said)


def speaks_of_cuts(one: Draft) -> None:
    """Record texts as produced that speak of cutting, and are whole."""
    draw = one.draw
    text = result(draw, draw.randrange(300, 4_000))
    said = draw.choice(
        (
            lambda: f"{text}\nTRUNCATE TABLE {draw.choice(('orders', 'parcels'))};\n{text}",
            lambda: f"def test_long_text_is_truncated():\n    assert cut('abc', 2) == 'ab'\n{text}",
            lambda: json.dumps({"truncated": False, "items": rows(draw, 8)}),
            lambda: f"{text}\nThe hedge was truncated in {draw.randrange(1900, 2020)}.",
            lambda: f"WARN value truncated to {draw.randrange(3, 99)} digits by the driver\n{text}",
            lambda: text,
            lambda: f"And so on ...\n{text}",
        )
    )()
    give(one, said, said)


PAIRS = (
    Pair(check="silent-cut", loss=inside(cut_silently), alike=inside(given_whole_or_said)),
    Pair(check="invalid-syntax", loss=inside(cut_inside_a_value), alike=inside(still_parses)),
    Pair(check="cut-to-empty", loss=inside(emptied), alike=inside(empty_before)),
    Pair(check="cut-upstream", loss=inside(cut_before), alike=inside(speaks_of_cuts)),
)

"""The survey as Markdown and as a page that opens offline."""

import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.survey.manifest import ROOT, Harness
from benchmarks.survey.results import Surveyed, surveyed
from benchmarks.survey.tables import Section, sections

from ullage.report.markdown import table as markdown_table
from ullage.report.page.document import digest, resource
from ullage.report.page.markup import Safe, joined, tag
from ullage.report.page.palette import rules
from ullage.report.page.pieces import lead, section, table

FOLDER = ROOT / "docs" / "reference"
TITLE = "What agent harnesses lose: a survey on the wire"
SAID = (
    "Each harness is the real package, in an environment of its own, with pinned versions. Its "
    "model is scripted (`ullage probe run`): it calls a tool whose records have ids that nobody "
    "can guess, and what the next requests hold of them is counted. Nothing is read from a "
    "harness's own word, and nothing leaves the machine. One run a cell; the script always says "
    "the same."
)
AGAIN = "`make survey` makes the environments, runs all of it, and writes this page anew."
WORDS = (
    "Settings are named as in `examples/probe/harnesses.toml`; the files and lines that stand "
    "beside a figure were looked up in the same version. *lost*: the end of the result that is "
    "missing. *told*: what the model is told: nothing, that something is missing, how much, or a "
    "way to the rest."
)


def write(harnesses: Sequence[Harness]) -> list[Path]:
    """Write both files of the results that are there; return where they are."""
    found = surveyed(harnesses)
    made = sections(found)
    FOLDER.mkdir(parents=True, exist_ok=True)
    document, page = FOLDER / "survey.md", FOLDER / "survey.html"
    document.write_text(markdown(found, made), encoding="utf-8")
    page.write_text(html(found, made), encoding="utf-8")
    return [document, page]


def markdown(found: Sequence[Surveyed], made: Sequence[Section]) -> str:
    """Return the survey as Markdown."""
    blocks = [f"# {TITLE}", SAID, f"{when(found)} {AGAIN}", WORDS]
    for one in made:
        if one.rows:
            blocks += [f"## {one.title}", one.lead, markdown_table(one.heads, one.rows)]
    return "\n\n".join(blocks) + "\n"


def when(found: Sequence[Surveyed]) -> str:
    """Say when and on what it was measured, and how much of it there is."""
    dates = sorted({str(one.document["at"]) for one in found if "at" in one.document})
    known = [one for one in found if not one.why]
    names = {one.harness.name for one in known}
    clis = {one.harness.name for one in known if one.harness.kind == "cli"}
    between = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}" if dates else "never"
    python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    return (
        f"Measured {between} with {python}: {len(names - clis)} frameworks and {len(clis)} coding "
        f"CLIs, {len(known)} settings."
    )


def html(found: Sequence[Surveyed], made: Sequence[Section]) -> str:
    """Return the survey as one HTML file without a script."""
    style = rules() + resource("page.css")
    policy = f"default-src 'none'; style-src '{digest(style)}'; base-uri 'none'; form-action 'none'"
    parts = [
        section(
            one.title.lower().replace(" ", "-").replace(",", ""),
            one.title,
            lead(one.lead),
            table(one.title, one.heads, one.rows),
        )
        for one in made
        if one.rows
    ]
    head = joined(
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", TITLE),
        tag("style", Safe(style)),
    )
    said = [tag("p", words.replace("`", "").replace("*", "")) for words in (SAID, WORDS)]
    body = tag("main", tag("h1", TITLE), tag("p", when(found)), *said, *parts)
    return f'<!doctype html>\n<html lang="en">\n<head>{head}</head>\n<body>{body}</body>\n</html>\n'

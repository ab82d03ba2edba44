"""One HTML file: the figures of a scan as pictures, and its findings with their texts."""

import base64
import hashlib
from dataclasses import dataclass, field
from importlib.resources import files

from ullage.checks.checklist import checklist
from ullage.checks.exhibits import Exhibits
from ullage.checks.fills import Fills
from ullage.checks.flow import Flow
from ullage.checks.lengths import ByTool
from ullage.checks.scan import Scan, Watcher
from ullage.report.page.arrival import arrival_section
from ullage.report.page.checklist import checklist_section
from ullage.report.page.fills import fills_section
from ullage.report.page.findings import findings_section
from ullage.report.page.flow import flow_section
from ullage.report.page.head import head
from ullage.report.page.history import history_section
from ullage.report.page.lengths import lengths_section
from ullage.report.page.markup import Safe, joined, tag
from ullage.report.page.palette import rules
from ullage.report.page.payload import payload

PARTS = {
    "summary": "Summary",
    "flow": "Flow",
    "arrival": "Arrival",
    "lengths": "Lengths",
    "window": "Window",
    "compactions": "Compactions",
    "checklist": "Checklist",
    "findings": "Findings",
}


@dataclass(slots=True)
class Pictures:
    """What the page draws beside a scan; give `watchers` to the scan, then all of it to `page`."""

    flow: Flow = field(default_factory=Flow)
    lengths: ByTool = field(default_factory=ByTool)
    fills: Fills = field(default_factory=Fills)

    @property
    def watchers(self) -> tuple[Watcher, ...]:
        """Those that are to be shown each run."""
        return (self.flow, self.lengths, self.fills)


def page(
    scan: Scan,
    pictures: Pictures,
    exhibits: Exhibits,
    *,
    title: str,
    made: str,
) -> str:
    """Return the page: it needs no other file and no network, and asks for none.

    `made` says when and by what it was made. What takes secrets out of the exhibits takes them out
    of every other text, too: a page is mailed around.
    """
    clean = exhibits.clean
    style = rules() + resource("page.css")
    script = resource("page.js")
    body = joined(
        tag("a", "Skip to the findings", href="#findings", class_="skip"),
        top(),
        tag(
            "main",
            head(scan, pictures.flow, title),
            flow_section(scan, pictures.flow),
            arrival_section(scan, pictures.lengths.tools),
            lengths_section(pictures.lengths.tools, scan.findings),
            fills_section(pictures.fills.sessions),
            history_section(scan),
            checklist_section(checklist(scan.observable, scan.findings)),
            findings_section(scan.findings, exhibits),
            id="main",
        ),
        tag("footer", tag("p", made)),
    )
    data = payload(scan.findings, exhibits, pictures.fills.sessions)
    whole = (
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy(style, script)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        tag("style", Safe(style)),
    )
    return (
        f'<!doctype html>\n<html lang="en">\n<head>{joined(*whole)}</head>\n'
        f"<body>{clean(body)}\n"
        f'<script type="application/json" id="data">{data}</script>\n'
        f"<script>{script}</script></body>\n</html>\n"
    )


def top() -> Safe:
    """Return the bar with the ways to the sections, and the switch between light and dark."""
    links = [tag("a", words, href=f"#{name}") for name, words in PARTS.items()]
    switch = tag("button", "Theme: system", type="button", id="theme", class_="needs-script")
    return tag(
        "header",
        tag("b", "ullage"),
        tag("nav", *links, aria_label="Sections"),
        switch,
        class_="top",
    )


def policy(style: str, script: str) -> str:
    """Return a policy under which nothing is loaded, and only our own script and style run."""
    return (
        f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def digest(text: str) -> str:
    """Return the mark of a text by which a policy allows it."""
    made = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(made).decode('ascii')}"


def resource(name: str) -> str:
    """Return a file of this package."""
    return files("ullage.report.page").joinpath(name).read_text(encoding="utf-8")

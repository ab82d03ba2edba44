"""One HTML file: the figures of a scan as pictures, and its findings with their texts."""

from dataclasses import dataclass, field

from ullage.checks.checklist import checklist
from ullage.checks.exhibits import Exhibits
from ullage.checks.fills import Fills
from ullage.checks.flow import Flow
from ullage.checks.lengths import ByTool
from ullage.checks.scan import Scan, Watcher
from ullage.report.page.arrival import arrival_section
from ullage.report.page.checklist import checklist_section
from ullage.report.page.document import document
from ullage.report.page.fills import fills_section
from ullage.report.page.findings import findings_section
from ullage.report.page.flow import flow_section
from ullage.report.page.head import head
from ullage.report.page.history import history_section
from ullage.report.page.lengths import lengths_section
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
    return document(
        title,
        PARTS,
        head(scan, pictures.flow, title),
        flow_section(scan, pictures.flow),
        arrival_section(scan, pictures.lengths.tools),
        lengths_section(pictures.lengths.tools, scan.findings),
        fills_section(pictures.fills.sessions),
        history_section(scan),
        checklist_section(checklist(scan.observable, scan.findings)),
        findings_section(scan.findings, exhibits),
        made=made,
        skip="findings",
        data=payload(scan.findings, exhibits, pictures.fills.sessions),
        clean=exhibits.clean,
    )

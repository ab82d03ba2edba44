"""A scan in words, for a terminal."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from ullage.checks.checklist import Item
from ullage.checks.gate import Gate
from ullage.checks.mistakes import sentence
from ullage.checks.places import Places
from ullage.checks.scan import Scan
from ullage.report.compactions import print_compactions
from ullage.report.findings import named, print_findings, worst_first
from ullage.report.gate import checklist_lines, gate_lines
from ullage.report.loss import print_tools, request_lines, shortened_line
from ullage.report.spelled import spelled
from ullage.transcript.counted import many


def print_scan(
    console: Console, scan: Scan, gate: Gate, places: Places, items: Sequence[Item] = ()
) -> None:
    """Print what was read, what each tool lost where that is known, and what was found.

    `items` are the silent failures, where they are wanted.
    """
    for line in opening(scan):
        console.print(Text(line))
    print_tools(console, scan.measurement)
    print_compactions(console, scan, places.shown)
    if scan.mistakes:
        console.print(Text(sentence(scan.mistakes)))
    console.print()
    print_findings(console, named(worst_first(gate.new), places.shown), texts=True)
    if not gate.new:
        console.print(Text(nothing_found(scan, gate)))
    for line in gate_lines(gate):
        console.print(Text(spelled(line)))
    if items:
        console.print()
        for line in checklist_lines(items):
            console.print(Text(line))


def nothing_found(scan: Scan, gate: Gate) -> str:
    """Return what it means that no finding counts: where nothing was judged, nothing is well."""
    requests, results = scan.measurement.requests.all, scan.measurement.tool_results
    if not (requests or results or gate.judged):
        return "Nothing was judged: no request, reply or tool result was found."
    new = "a new fault" if gate.judged else "a fault"
    return f"No check found {new} in what could be read."


def opening(scan: Scan) -> Iterator[str]:
    """Yield what was read, and what was not."""
    read, one = scan.read, scan.measurement
    damaged = f", {many(read.damaged, 'damaged line')}" if read.damaged else ""
    yield f"Read: {many(read.files, 'file')}, {many(read.records, 'record')}{damaged}."
    yield (
        f"In them: {many(one.requests.conversations, 'conversation')}, "
        f"{many(one.requests.all, 'exchange')}, {many(one.tool_results, 'tool result')}."
    )
    if one.unknown:
        yield (
            f"The produced side is unknown for {one.unknown} of {one.delivered_results} tool "
            "results that the model was given."
        )
        yield from shortened_line(one)
        if not one.results:
            yield "  These files hold only what was delivered. `ullage run` records both sides."
    yield from request_lines(one.requests)
    if read.plain:
        yield f"Holding nothing that a model was given or wrote: {many(read.plain, 'record')}."
    if read.unread:
        kinds = ", ".join(f"{kind} ({n})" for kind, n in sorted(read.unread.items()))
        yield f"Of a kind that is not known here, and passed over: {kinds}."

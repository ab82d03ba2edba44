"""A measured run in words and tables, for a terminal."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ullage.arrivals.rates import CallRate, CallRates
from ullage.checks.measured import Measured, Measurement
from ullage.cutter.excerpt import excerpt
from ullage.transcript.finding import Finding
from ullage.transcript.words import PAPER_LABEL

WIDEST = 60
VALID = {True: "valid", False: "broken", None: "n/a"}
COLOURS = {"error": "red", "warning": "yellow", "note": "blue"}


def print_loss(console: Console, measurement: Measurement, findings: Sequence[Finding]) -> None:
    """Print what a run lost: what is not known first, then each tool, then what to do."""
    for line in opening(measurement):
        console.print(Text(line))
    for tool, rates in measurement.by_tool.items():
        console.print()
        console.print(Text(tool_line(tool, measurement), style="bold"))
        if rates.parts:
            console.print(parts_table(rates))
        lowest = lowest_fields(rates)
        if lowest:
            console.print(Text(lowest))
    if findings:
        console.print()
    before = ""
    for one in findings:
        said = f" {one.check} · {one.tool} · boundary {boundary_words(one)}"
        console.print(Text.assemble((one.severity, COLOURS[one.severity]), said))
        if one.advice != before:
            console.print(Text(f"  {one.advice}"))
        before = one.advice
    if not findings and any(one.arrival for one in measurement.results):
        console.print(Text("No check found a fault in what could be measured."))


def boundary_words(finding: Finding) -> str:
    """Return a finding's boundary, with the paper's label as we read it."""
    if finding.boundary is None:
        return "n/a"
    label = PAPER_LABEL.get(finding.boundary)
    return f"{finding.boundary} (the paper's {label}, as we read it)" if label else finding.boundary


def opening(measurement: Measurement) -> Iterator[str]:
    """Yield the first lines: what is unknown, and what was not seen."""
    one = measurement
    yield (
        f"The produced side is unknown for {one.unknown} of {one.delivered_results} tool results "
        f"that the model was given (run {one.run})."
    )
    if one.unknown:
        yield "  Put @ullage.record_tool on the function that makes the result to know it."
    models = f", answered by: {', '.join(one.cohorts)}" if one.cohorts else ""
    requests, made = many(one.exchanges, "request"), many(len(one.results), "result")
    yield f"{requests}{models}; {made} recorded as produced."
    if one.failed_requests:
        yield f"Failed, or answered with an error: {many(one.failed_requests, 'request')}."
    if one.unseen:
        names = ", ".join(sorted({result.tool for result in one.unseen}))
        yield f"In no request that could be read: {many(len(one.unseen), 'result')} of {names}."
    if one.other_requests:
        yield f"Recorded, but on paths not read yet: {many(one.other_requests, 'request')}."
    if one.not_recorded:
        yield f"Not written to the ledger, so not counted here: {many(one.not_recorded, 'record')}."
    drops = sum(result.declared_drops for result in one.results)
    if drops:
        yield f"Dropped by declared steps, and not counted as lost: {many(drops, 'record')}."


def many(count: int, noun: str) -> str:
    """Return a count with its noun."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def tool_line(tool: str, measurement: Measurement) -> str:
    """Return one tool's sizes, validity, notice and boundary."""
    results = [one for one in measurement.results if one.tool == tool]
    seen = [one for one in results if one.arrival is not None]
    if not seen:
        return (
            f"{excerpt(tool, WIDEST)}: produced {len(results)} times, in no request that was read"
        )
    produced = sum(len(one.produced) for one in seen)
    delivered = sum(len(one.delivered or "") for one in seen)
    words = [
        many(len(seen), "result"),
        f"{delivered} of {produced} characters delivered",
        counted("syntax", [VALID[one.arrival.valid] for one in seen if one.arrival]),
        counted("notice to the model", [one.arrival.notice.grade for one in seen if one.arrival]),
        counted("lost at", [place(one) for one in seen]),
    ]
    return f"{excerpt(tool, WIDEST)}: {' · '.join(words)}"


def place(result: Measured) -> str:
    """Return the boundary of a result's loss, and whose code that is."""
    if result.boundary is None:
        return "nothing lost"
    owner = {"tool": " (tool)", "harness": " (harness)", "unknown": ""}[result.where]
    return result.boundary + owner


def counted(name: str, values: Sequence[str]) -> str:
    """Return `name: value`, with counts where the values differ."""
    kinds = sorted(set(values))
    if len(kinds) == 1:
        return f"{name}: {kinds[0]}"
    return f"{name}: " + ", ".join(f"{values.count(one)} {one}" for one in kinds)


def parts_table(rates: CallRates) -> Table:
    """Return the arrival of each part, by record and by call."""
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    table.add_column("  part")
    table.add_column("records arrived", justify="right")
    table.add_column("calls: whole / in part / not", justify="right")
    for rate in rates.parts:
        table.add_row(
            Text(f"  {excerpt(rate.path, WIDEST)}"),
            f"{rate.delivered} of {rate.produced}",
            f"{rate.whole} / {rate.in_part} / {rate.absent} of {rate.calls}",
        )
    return table


def lowest_fields(rates: CallRates) -> str:
    """Return the field that arrived least and the one that arrived most, if they differ."""
    known = [one for one in rates.fields if one.by_record is not None]
    if not known:
        return ""
    lowest = min(known, key=lambda one: one.by_record or 0)
    highest = max(known, key=lambda one: one.by_record or 0)
    if lowest.by_record == highest.by_record:
        return ""
    return f"  field that arrived least: {field_words(lowest)}; most: {field_words(highest)}"


def field_words(rate: CallRate) -> str:
    """Return a field's name and its counts."""
    return f"{excerpt(f'{rate.path} {rate.field}', WIDEST)} {rate.delivered} of {rate.produced}"

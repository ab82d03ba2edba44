"""A measured run in words and tables, for a terminal."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ullage.arrivals.rates import CallRate, CallRates
from ullage.checks.measured import Measured, Measurement, Requests
from ullage.cutter.excerpt import excerpt
from ullage.report.findings import print_findings, worst_first
from ullage.transcript.counted import many
from ullage.transcript.finding import Finding

WIDEST = 60
LONGEST_ERROR = 200
MOST_SHOWN = 3
READABLE = (
    "Read are OpenAI's chat completions and Responses, Anthropic's Messages and Gemini's "
    "generateContent. Have your client speak one of them "
    "(docs/record-your-agent.md says how, framework by framework)."
)
VALID = {True: "valid", False: "broken", None: "n/a"}


def print_loss(console: Console, measurement: Measurement, findings: Sequence[Finding]) -> None:
    """Print what a run lost: what is not known first, then each tool, then what to do."""
    for line in opening(measurement):
        console.print(Text(line))
    print_tools(console, measurement)
    if findings:
        console.print()
    print_findings(console, worst_first(findings))
    if not findings and any(one.arrival for one in measurement.results):
        console.print(Text("No check found a fault in what could be measured."))


def print_tools(console: Console, measurement: Measurement) -> None:
    """Print what each tool lost, the one that lost most first; the others stand in one line."""
    by_tool: dict[str, list[Measured]] = {}
    for one in measurement.results:
        by_tool.setdefault(one.tool, []).append(one)
    whole = [tool for tool, results in by_tool.items() if not any(map(short, results))]
    for tool in sorted(by_tool, key=lambda tool: -lost_chars(by_tool[tool])):
        if tool in whole:
            continue
        rates = measurement.by_tool[tool]
        console.print()
        console.print(Text(tool_line(tool, measurement), style="bold"))
        if rates.parts:
            console.print(parts_table(rates))
        lowest = lowest_fields(rates)
        if lowest:
            console.print(Text(lowest))
    if whole:
        names = (f"{excerpt(one, WIDEST)} ({many(len(by_tool[one]), 'result')})" for one in whole)
        console.print()
        console.print(Text(f"Nothing lost: {', '.join(names)}."))


def short(result: Measured) -> bool:
    """Whether a result did not arrive whole, or nobody can tell."""
    return result.arrival is None or result.shortened or result.boundary is not None


def lost_chars(results: Sequence[Measured]) -> int:
    """Return how many characters less than were produced a tool's results had."""
    return sum(
        max(0, one.produced_chars - (one.delivered_chars or 0))
        for one in results
        if one.arrival is not None
    )


def opening(measurement: Measurement) -> Iterator[str]:
    """Yield the first lines: what is unknown, and what was not seen."""
    one = measurement
    yield (
        f"The produced side is unknown for {one.unknown} of {one.delivered_results} tool results "
        f"that the model was given (run {one.run})."
    )
    if one.unknown:
        yield from shortened_line(one)
        yield f"  {how_to_know(one)}"
    requests, made = many(one.requests.all, "request"), many(len(one.results), "result")
    answered = f", answered by: {', '.join(one.requests.cohorts)}" if one.requests.cohorts else ""
    yield f"{requests}{answered}; {made} recorded as produced."
    yield from request_lines(one.requests)
    if one.unseen:
        names = ", ".join(sorted({result.tool for result in one.unseen}))
        yield f"In no request that could be read: {many(len(one.unseen), 'result')} of {names}."
    for tool, key in one.unknown_keys.items():
        yield f"No record of {tool} has the field {key!r} that was named as its key."
    if one.not_recorded:
        yield f"Not written to the ledger, so not counted here: {many(one.not_recorded, 'record')}."
    drops = sum(result.declared_drops for result in one.results)
    if drops:
        yield f"Dropped by declared steps, and not counted as lost: {many(drops, 'record')}."


def shortened_line(measurement: Measurement) -> Iterator[str]:
    """Say how many of the unknown results show by themselves that something cut them."""
    count = measurement.unknown_shortened
    if count:
        yield (
            f"  {count} of them {'was' if count == 1 else 'were'} shortened before the first "
            "request: the text says so, or ends inside a value. How much was lost is not known."
        )


def how_to_know(measurement: Measurement) -> str:
    """Return what makes the produced side known, or why recording it did not."""
    where = "closest to the function that makes the result, below your framework's decorator"
    joined = any(one.exchange is not None for one in measurement.results)
    if not measurement.results or joined:
        return f"To know it, put @ullage.record_tool {where}."
    names = ", ".join(sorted({one.tool for one in measurement.results}))
    return (
        f"{many(len(measurement.results), 'result')} of {names} recorded as produced, but none of "
        f"them is what the model was given. Put @ullage.record_tool {where}."
    )


def request_lines(requests: Requests) -> Iterator[str]:
    """Yield what became of the requests that were not read, or not answered."""
    if requests.failed:
        yield f"Failed, or answered with an error: {many(requests.failed, 'request')}."
        for said, count in shown(requests.failures):
            yield f"  {count} x {excerpt(' '.join(said.split()), LONGEST_ERROR)}"
        yield from not_shown(requests.failures, "error")
    if requests.unreadable:
        yield f"Without messages that could be read: {many(requests.unreadable, 'request')}."
    if requests.other_paths:
        total = sum(requests.other_paths.values())
        yield f"Recorded, but on paths that are not read: {many(total, 'request')}."
        for path, count in shown(requests.other_paths):
            yield f"  {count} x {excerpt(path, LONGEST_ERROR)}"
        yield from not_shown(requests.other_paths, "path")
    if not requests.read and (requests.other_paths or requests.unreadable):
        yield f"  {READABLE}"


def shown(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the most frequent few, the first ones first."""
    return Counter(counts).most_common(MOST_SHOWN)


def not_shown(counts: Mapping[str, int], noun: str) -> Iterator[str]:
    """Say how many are not listed."""
    if len(counts) > MOST_SHOWN:
        yield f"  and {many(len(counts) - MOST_SHOWN, f'other {noun}')}"


def tool_line(tool: str, measurement: Measurement) -> str:
    """Return one tool's sizes, validity, notice and boundary."""
    results = [one for one in measurement.results if one.tool == tool]
    seen = [one for one in results if one.arrival is not None]
    if not seen:
        return (
            f"{excerpt(tool, WIDEST)}: {many(len(results), 'result')} produced, in no request that "
            "was read"
        )
    produced = sum(one.produced_chars for one in seen)
    delivered = sum(one.delivered_chars or 0 for one in seen)
    words = [
        many(len(seen), "result"),
        sizes(delivered, produced),
        counted("syntax", [VALID[one.arrival.valid] for one in seen if one.arrival]),
        counted("notice to the model", [one.arrival.notice.grade for one in seen if one.arrival]),
        counted("lost at", [place(one) for one in seen]),
    ]
    return f"{excerpt(tool, WIDEST)}: {' · '.join(words)}"


def sizes(delivered: int, produced: int) -> str:
    """Return how much was delivered of how much; more than that where text was put around it."""
    if delivered <= produced:
        return f"{delivered} of {produced} characters delivered"
    return f"{produced} characters produced, {delivered} delivered with what was put around them"


def place(result: Measured) -> str:
    """Return the boundary of a result's loss, and whose code that is.

    The first one counts: how much was lost before it was recorded nobody knows.
    """
    if result.shortened:
        return "produce"
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

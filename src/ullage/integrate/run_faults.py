"""What of a recorded run did not arrive, in lines for a failed test. No line: everything did."""

from collections.abc import Iterator, Sequence

from ullage.arrivals.arrival import Arrival
from ullage.checks.measure import compared
from ullage.checks.measured import Measured, Measurement
from ullage.integrate.faults import MOST_SHOWN, advice, described, falls_short

PUT_IT = (
    "put @ullage.record_tool closest to the function that makes the result, and have the test call "
    "it while the run is recorded"
)


def faults_of_run(
    measurement: Measurement, *, tool: str | None, key: str | None, least: float, or_told: bool
) -> list[str]:
    """Return what is wrong, result by result; the first few of them whole."""
    results = [one for one in measurement.results if tool is None or one.tool == tool]
    if not results:
        return [nothing_made(measurement, tool)]
    wrong = [
        lines
        for one in results
        if (lines := list(faults_of_result(one, key=key, least=least, or_told=or_told)))
    ]
    lost = measurement.not_recorded
    uncounted = [f"not written to the ledger, so not counted: {lost} records"] if lost else []
    if not wrong and not uncounted:
        return []
    return [
        f"run {measurement.run}: {len(results) - len(wrong)} of {len(results)} results arrived",
        *uncounted,
        *(line for lines in shown(wrong) for line in lines),
        *unknown(measurement),
    ]


def shown(wrong: Sequence[Sequence[str]]) -> Iterator[Sequence[str]]:
    """Yield the first few results, and how many more there are."""
    for number, lines in enumerate(wrong):
        if number == MOST_SHOWN:
            yield [f"and {len(wrong) - MOST_SHOWN} more results"]
            return
        yield lines


def nothing_made(measurement: Measurement, tool: str | None) -> str:
    """Say that there is nothing to show."""
    there = sorted({one.tool for one in measurement.results})
    of_tool = f" of {tool!r}" if tool else ""
    others = f" (recorded: {', '.join(there)})" if there else ""
    return (
        f"run {measurement.run}: no result{of_tool} was recorded as produced{others}, so nothing "
        f"can be shown to have arrived; {PUT_IT}"
    )


def faults_of_result(
    one: Measured, *, key: str | None, least: float, or_told: bool
) -> Iterator[str]:
    """Yield what is wrong with one result."""
    if one.delivered is None:
        yield (
            f"{one.tool}: in no request that was read (characters produced: {one.produced_chars}): "
            "dropped before the first one, or nothing of the text is left"
        )
        return
    found = arrival_of(one, key)
    if one.shortened:
        yield f"{one.tool}: shortened before it was recorded; {PUT_IT}"
    if found is None or not falls_short(found, least=least, or_told=or_told):
        return
    first, *rest = described(found, least, None)
    yield f"{one.tool}: {first}"
    yield from (f"  {line}" for line in rest)
    whose = {"tool": " (in the tool)", "harness": " (behind the tool)", "unknown": ""}[one.where]
    yield f"  lost at: {one.boundary or 'n/a'}{whose}"
    yield from (f"  {line}" for line in advice(found))


def arrival_of(one: Measured, key: str | None) -> Arrival | None:
    """Return a result's arrival, compared by another key where one is given."""
    if key is None or key == one.key or one.delivered is None or not one.produced:
        return one.arrival
    return compared(one.produced, one.delivered, key=key)


def unknown(measurement: Measurement) -> Iterator[str]:
    """Yield how many results nothing is known of."""
    if measurement.unknown:
        yield (
            f"of {measurement.unknown} of {measurement.delivered_results} tool results that the "
            f"model was given nothing was recorded as produced; {PUT_IT}"
        )

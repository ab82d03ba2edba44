"""What became of findings that are not new, and the checklist, in words."""

from collections import Counter
from collections.abc import Iterator, Sequence

from ullage.checks.checklist import Item
from ullage.checks.gate import Gate
from ullage.transcript.counted import many


def gate_lines(gate: Gate) -> Iterator[str]:
    """Yield what is known, suppressed and gone, and which suppressions did nothing."""
    if known := gate.of("known"):
        yield f"known: {len(known)} (in the baseline, not counted)"
    if gate.gone:
        yield (
            f"gone: {gate.gone} (in the baseline, not found again); if the same files were read, "
            "write the baseline again"
        )
    reasons = Counter(one.reason for one in gate.of("suppressed"))
    for reason, count in reasons.items():
        yield f"suppressed: {count} ({reason})"
    for one in gate.idle:
        yield f"a suppression covered nothing: {one}; take it out"
    for one in gate.lapsed:
        yield f"a suppression has lapsed: {one}, until {one.until}; mend it, or set a new day"


def checklist_lines(items: Sequence[Item]) -> Iterator[str]:
    """Yield the four silent failures: status, what was judged, why, and the defence."""
    yield "Silent failures:"
    for one in items:
        judged = f", {many(one.judged, one.unit)} judged" if one.judged else ""
        yield f"  {one.failure}: {one.status}{judged}; {one.why}"
        if one.status != "pass":
            yield f"    defence: {one.defence}"

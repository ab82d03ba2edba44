"""A run's measurement read back from the rows that were written when it was measured."""

from collections import Counter
from collections.abc import Mapping, Sequence

from ullage.checks.deliveries import measured_before
from ullage.checks.measured import Measurement, Requests, rates_by_tool
from ullage.checks.remembered import Remembered, remembered
from ullage.ledger.measurements import deliveries, figures, has_all_texts
from ullage.ledger.records import StoredExchange
from ullage.ledger.store import Ledger
from ullage.transcript.finding import Finding, Source


def recalled(ledger: Ledger, run: str) -> Measurement | None:
    """Return the measurement that was kept of a run; None for one that has all its texts."""
    if has_all_texts(ledger.session, run):
        return None
    exchanges = list(ledger.exchanges(run, bodies="request"))
    results = list(ledger.results(run))
    before = deliveries(ledger.session, run)
    kept = {number: remembered(one) for number, one in figures(ledger.session, run).items()}
    measured = [measured_before(one, before.get(one.number)) for one in results]
    return Measurement(
        run=run,
        results=measured,
        requests=requests(exchanges, kept),
        delivered_results=sum(one.given for one in kept.values()),
        unknown=sum(one.given_unknown for one in kept.values()),
        not_recorded=ledger.faults(run),
        by_tool=rates_by_tool(measured),
        served=served(kept, run, str(ledger.path)),
        given={number: one.given for number, one in kept.items() if one.given},
        given_unknown={n: one.given_unknown for n, one in kept.items() if one.given_unknown},
        given_shortened={n: one.given_shortened for n, one in kept.items() if one.given_shortened},
    )


def served(kept: Mapping[int, Remembered], run: str, path: str) -> list[Finding]:
    """Return the findings about exchanges, in the order of these."""
    return [
        Finding(
            check=one.check,
            severity=one.severity,
            boundary=one.boundary,
            evidence={**one.evidence, "exchange": number},
            advice=one.advice,
            session=run,
            source=Source(path=path),
        )
        for number, found in sorted(kept.items())
        for one in found.findings
    ]


def requests(exchanges: Sequence[StoredExchange], kept: Mapping[int, Remembered]) -> Requests:
    """Count a run's requests by what became of them."""
    known = [(one, kept[one.number]) for one in exchanges if one.number in kept]
    to_model = [found for _, found in known if found.read.kind == "turn"]
    read = [found for found in to_model if found.read.messages]
    failures = [found.failed for _, found in known if found.failed is not None]
    answered = [one.cohort for one, found in known if found.failed is None]
    return Requests(
        all=len(exchanges),
        to_model=len(to_model),
        to_model_failed=sum(found.failed is not None for found in to_model),
        read=len(read),
        failed=len(failures),
        unreadable=sum(found.failed is None and not found.read.messages for found in to_model),
        other_paths=Counter(
            f"{one.method} {one.path}" for one, found in known if found.read.kind is None
        ),
        failures=Counter(failures),
        conversations=len({found.read.conversation for found in read}),
        cohorts=sorted({cohort for cohort in answered if cohort is not None}),
    )

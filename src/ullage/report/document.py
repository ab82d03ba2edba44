"""A measured run as the members of `ullage.scan/1`."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from ullage.arrivals.rates import CallRate
from ullage.checks.measured import Measurement, Requests
from ullage.checks.scan import Read, Scan
from ullage.report.compactions import compaction_members
from ullage.transcript.finding import Finding


def scan_document(scan: Scan) -> dict[str, object]:
    """Return the members of `ullage.scan/1` for a whole scan."""
    return {
        **scan_members(scan.measurement, scan.findings, scan.read),
        "mistakes": [asdict(one) for one in scan.mistakes],
        "use": [asdict(one) for one in scan.used],
        "compactions": compaction_members(scan.compactions, scan.compared),
    }


def scan_members(
    measurement: Measurement, findings: Sequence[Finding], read: Read | None = None
) -> dict[str, object]:
    """Return the members of `ullage.scan/1`, in their order; one run is one file."""
    requests = measurement.requests
    recorded = Read(
        files=1,
        records=requests.all + len(measurement.results),
        damaged=measurement.not_recorded,
    )
    return {
        "sessions": requests.conversations,
        "exchanges": requests.all,
        "tool_results": measurement.tool_results,
        "findings": [one.to_dict() for one in findings],
        "arrival": {
            "cohorts": list(requests.cohorts),
            "requests": request_members(requests),
            "delivered_results": measurement.delivered_results,
            "produced_unknown": measurement.unknown,
            "unknown_shortened": measurement.unknown_shortened,
            "unseen": len(measurement.unseen),
            "unknown_keys": dict(measurement.unknown_keys),
            "tools": [
                {
                    "tool": tool,
                    "parts": [rate_members(one) for one in rates.parts],
                    "fields": [rate_members(one) for one in rates.fields],
                }
                for tool, rates in measurement.by_tool.items()
            ],
            "results": [one.to_dict() for one in measurement.results],
        },
        "read": asdict(read or recorded),
        "summary": {
            "by_check": dict(Counter(one.check for one in findings)),
            "by_boundary": dict(Counter(one.boundary or "none" for one in findings)),
        },
    }


def request_members(requests: Requests) -> Mapping[str, object]:
    """Return what became of the requests."""
    return {
        "read": requests.read,
        "unreadable": requests.unreadable,
        "failed": requests.failed,
        "failures": dict(requests.failures),
        "other_paths": dict(requests.other_paths),
    }


def rate_members(rate: CallRate) -> Mapping[str, object]:
    """Return one rate in both units, each with its n."""
    named = {"path": rate.path} if rate.field is None else {"path": rate.path, "field": rate.field}
    return {
        **named,
        "calls": {
            "n": rate.calls,
            "whole": rate.whole,
            "in_part": rate.in_part,
            "absent": rate.absent,
            "rate": rate.by_call,
        },
        "records": {
            "n": rate.produced,
            "delivered": rate.delivered,
            "rate": rate.by_record,
        },
    }

"""Ullage: what an agent's tools produced, what its model was given, and what was lost between.

PYTEST_DONT_REWRITE: there is a pytest plugin in here. A program that imports this package before it
starts pytest would be warned that its assertions cannot be rewritten; it has none.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ullage.arrivals.arrival import Arrival, arrival
    from ullage.checks.audit import audit, load
    from ullage.checks.covered import Coverage
    from ullage.checks.scan import Scan
    from ullage.counting.count import Count, count
    from ullage.cutter.budget import Budget, chars, tokens
    from ullage.cutter.cut import cut
    from ullage.cutter.values import Account, Cut, Part
    from ullage.errors import HistoryError, LedgerError, LoadError, ProxyError, UllageError
    from ullage.history.chunked import Chunked
    from ullage.history.chunks import read_in_chunks, read_in_chunks_async
    from ullage.history.compact import compact, compact_async
    from ullage.history.compacted import Compacted
    from ullage.history.current import LargeDataWarning, with_data
    from ullage.history.hand_arrival import HandoffArrival
    from ullage.history.handoff import Handoff
    from ullage.history.recall import MemoryStore
    from ullage.history.recall_ledger import LedgerStore
    from ullage.history.recall_tool import Recall
    from ullage.integrate.arrived import assert_arrived
    from ullage.integrate.coverage import check_coverage
    from ullage.integrate.handing import open_handoff
    from ullage.integrate.recorded_run import RecordedRun, record_run
    from ullage.ledger.store import Ledger
    from ullage.policies.replay import replay
    from ullage.policies.replayed import Replayed
    from ullage.tap.sdk import record_client
    from ullage.tap.tool import RecordingWarning, handed_on, record_data, record_step, record_tool
    from ullage.transcript.finding import Finding
    from ullage.transcript.transcript import Transcript

__all__ = [
    "Account",
    "Arrival",
    "Budget",
    "Chunked",
    "Compacted",
    "Count",
    "Coverage",
    "Cut",
    "Finding",
    "Handoff",
    "HandoffArrival",
    "HistoryError",
    "LargeDataWarning",
    "Ledger",
    "LedgerError",
    "LedgerStore",
    "LoadError",
    "MemoryStore",
    "Part",
    "ProxyError",
    "Recall",
    "RecordedRun",
    "RecordingWarning",
    "Replayed",
    "Scan",
    "Transcript",
    "UllageError",
    "arrival",
    "assert_arrived",
    "audit",
    "chars",
    "check_coverage",
    "compact",
    "compact_async",
    "count",
    "cut",
    "handed_on",
    "load",
    "open_handoff",
    "read_in_chunks",
    "read_in_chunks_async",
    "record_client",
    "record_data",
    "record_run",
    "record_step",
    "record_tool",
    "replay",
    "tokens",
    "with_data",
]

# Each public name and the module that defines it. Loaded on first use, so that importing ullage in
# somebody's agent costs nothing until a name is needed.
_WHERE = {
    "Account": "ullage.cutter.values",
    "Arrival": "ullage.arrivals.arrival",
    "Budget": "ullage.cutter.budget",
    "Chunked": "ullage.history.chunked",
    "Compacted": "ullage.history.compacted",
    "Count": "ullage.counting.count",
    "Coverage": "ullage.checks.covered",
    "Cut": "ullage.cutter.values",
    "Finding": "ullage.transcript.finding",
    "Handoff": "ullage.history.handoff",
    "HandoffArrival": "ullage.history.hand_arrival",
    "HistoryError": "ullage.errors",
    "LargeDataWarning": "ullage.history.current",
    "Ledger": "ullage.ledger.store",
    "LedgerError": "ullage.errors",
    "LedgerStore": "ullage.history.recall_ledger",
    "LoadError": "ullage.errors",
    "MemoryStore": "ullage.history.recall",
    "Part": "ullage.cutter.values",
    "ProxyError": "ullage.errors",
    "Recall": "ullage.history.recall_tool",
    "RecordedRun": "ullage.integrate.recorded_run",
    "RecordingWarning": "ullage.tap.tool",
    "Replayed": "ullage.policies.replayed",
    "Scan": "ullage.checks.scan",
    "Transcript": "ullage.transcript.transcript",
    "UllageError": "ullage.errors",
    "arrival": "ullage.arrivals.arrival",
    "assert_arrived": "ullage.integrate.arrived",
    "audit": "ullage.checks.audit",
    "chars": "ullage.cutter.budget",
    "check_coverage": "ullage.integrate.coverage",
    "compact": "ullage.history.compact",
    "compact_async": "ullage.history.compact",
    "count": "ullage.counting.count",
    "cut": "ullage.cutter.cut",
    "handed_on": "ullage.tap.tool",
    "load": "ullage.checks.audit",
    "open_handoff": "ullage.integrate.handing",
    "read_in_chunks": "ullage.history.chunks",
    "read_in_chunks_async": "ullage.history.chunks",
    "record_client": "ullage.tap.sdk",
    "record_data": "ullage.tap.tool",
    "record_run": "ullage.integrate.recorded_run",
    "record_step": "ullage.tap.tool",
    "record_tool": "ullage.tap.tool",
    "replay": "ullage.policies.replay",
    "tokens": "ullage.cutter.budget",
    "with_data": "ullage.history.current",
}


def __getattr__(name: str) -> object:
    """Load a public name on first use."""
    if name not in _WHERE:
        raise AttributeError(f"module 'ullage' has no attribute {name!r}")
    value = getattr(importlib.import_module(_WHERE[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)

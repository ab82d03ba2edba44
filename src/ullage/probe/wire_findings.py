"""What the checks of a run say of one case's exchanges."""

from collections.abc import Collection, Mapping, Sequence

from ullage.checks.measure import measure_run
from ullage.checks.scan import Scanning
from ullage.ledger.store import Ledger
from ullage.probe.case import Case, Kind
from ullage.probe.observed import Seen, tool_names
from ullage.transcript.finding import Finding
from ullage.wire.exchange import Exchange

OF_THE_MODEL = frozenset(
    {
        "answer-count-contradicted",
        "answer-covers-less",
        "arguments-malformed",
        "constraint-lost",
        "error-loop-after-elision",
        "finished-step-repeated",
        "handle-unused",
        "output-empty",
        "output-stopped",
        "page-limit-hit",
        "plan-loop",
        "refetch",
        "setting-ignored",
        "unstable-source",
    }
)
"""Checks of what a model, a server or a tool does: here it is a script, its payloads always new."""

BY_US: Mapping[Kind, frozenset[str]] = {
    "length": frozenset({"output-cut", "output-cut-empty"}),
    "overflow": frozenset({"effective-window"}),
}
"""Checks that would report what the case itself did: a reply stopped, a prompt refused."""


def wire_findings(
    ledger: Ledger, case: Case, *, beside: Collection[Seen] = ()
) -> Sequence[Finding]:
    """Return what the checks find in a case: its results, its requests, its history.

    Requests `beside` it are of another agent, that is given the conversation to work on: no part of
    the history, and nothing that its prefix could break.
    """
    others = {(one.tools, len(one.messages)) for one in beside}
    scanning = Scanning()
    scanning.add_run(measure_run(ledger, case.tag, counts=lambda one: shape_of(one) not in others))
    unsaid = OF_THE_MODEL | BY_US.get(case.kind, frozenset())
    return [one for one in scanning.done().findings if one.check not in unsaid]


def shape_of(one: Exchange) -> tuple[tuple[str, ...] | None, int]:
    """Return the tools that a request offers, and how many messages it has."""
    messages = () if one.request is None else one.request.messages
    return tool_names(one.body), len(messages)

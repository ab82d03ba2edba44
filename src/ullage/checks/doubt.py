"""Findings about texts that their own record may have cut: said, but not as a model's loss."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ullage.transcript.finding import Finding
from ullage.transcript.words import Boundary

CUTS: tuple[Boundary, ...] = ("produce", "serialise", "budget", "retain", "handoff")
"""What is told by comparing or reading texts."""


def doubted(findings: Iterable[Finding], why: str | None) -> Iterator[Finding]:
    """Give findings of a session whose texts may be cut, for the reason `why`: notes at most."""
    for one in findings:
        if why is None or one.boundary not in CUTS:
            yield one
            continue
        evidence = {**one.evidence, "may_be_cut": why}
        advice = f"May be cut by the record, not for the model: {why}. If it was not: {one.advice}"
        yield replace(one, severity="note", evidence=evidence, advice=advice)

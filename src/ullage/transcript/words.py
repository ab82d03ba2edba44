"""The closed sets of words that code, documents and reports share."""

from typing import Literal

Boundary = Literal["produce", "serialise", "budget", "retain", "summarise", "handoff", "serve"]
"""A step where text can be lost, in the order of the pipeline."""

Severity = Literal["note", "warning", "error"]
"""How much a finding matters, weakest first."""

Cohort = Literal["scripted", "local-small", "external"]
"""What kind of model answered. Figures of different cohorts are never pooled."""

COHORT_HEADER = "x-ullage-cohort"
"""The header of a reply by which a scripted model says that it is one."""


def cohort_said(word: str | None) -> Cohort:
    """Return the cohort of a model by what its reply says of itself, if anything."""
    return "scripted" if word == "scripted" else "external"

"""The closed sets of words that code, documents and reports share."""

from typing import Literal

Boundary = Literal["produce", "serialise", "budget", "retain", "summarise", "handoff", "serve"]
"""A step where text can be lost, in the order of the pipeline."""

Severity = Literal["note", "warning", "error"]
"""How much a finding matters, weakest first."""

Cohort = Literal["scripted", "local-small", "external"]
"""What kind of model answered. Figures of different cohorts are never pooled."""

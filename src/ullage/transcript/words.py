"""The closed sets of words that code, documents and reports share."""

from typing import Literal

Boundary = Literal["produce", "serialise", "budget", "retain", "summarise", "handoff", "serve"]
"""A step where text can be lost, in the order of the pipeline."""

Severity = Literal["note", "warning", "error"]
"""How much a finding matters, weakest first."""

Cohort = Literal["scripted", "local-small", "external"]
"""What kind of model answered. Figures of different cohorts are never pooled."""

# The source paper numbers its steps. The numbers are ambiguous there, so they appear in reports
# only, as our reading.
PAPER_LABEL: dict[Boundary, str] = {
    "produce": "S1a",
    "serialise": "S2",
    "budget": "S1/S3",
    "retain": "S4",
    "summarise": "S4b",
    "handoff": "S5",
}

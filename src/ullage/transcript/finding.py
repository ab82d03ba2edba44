"""What a check reports."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ullage.transcript.words import Boundary, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where the evidence stands: a file and a 1-based line, as far as they are known."""

    path: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One fault that a check found, with the figures it rests on and what to do about it."""

    check: str
    severity: Severity
    boundary: Boundary | None
    evidence: Mapping[str, object]
    advice: str
    session: str | None = None
    source: Source = field(default_factory=Source)
    tool: str | None = None
    call_id: str | None = None

    def to_dict(self) -> dict[str, object]:
        """Return the members of `findings[]` in `ullage.scan/1`, in their order."""
        return {
            "check": self.check,
            "severity": self.severity,
            "boundary": self.boundary,
            "session": self.session,
            "source": {"path": self.source.path, "line": self.source.line},
            "tool": self.tool,
            "call_id": self.call_id,
            "evidence": dict(self.evidence),
            "advice": self.advice,
        }

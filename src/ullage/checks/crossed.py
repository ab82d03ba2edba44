"""What the checks of one compaction are given, and what their findings have alike."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ullage.arrivals.kept import After, after
from ullage.arrivals.user_turns import Said, user_turns
from ullage.transcript.finding import Finding
from ullage.transcript.message import Message
from ullage.transcript.words import Boundary, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossed:
    """The messages before and after a compaction, and what a user said in the first ones."""

    pre: Sequence[Message]
    post: Sequence[Message]
    boundary: Boundary
    turns: Sequence[Said]
    there: After


def crossed(pre: Sequence[Message], post: Sequence[Message], boundary: Boundary) -> Crossed:
    """Read both sides of a compaction once, for all checks."""
    return Crossed(pre=pre, post=post, boundary=boundary, turns=user_turns(pre), there=after(post))


def found(
    one: Crossed, check: str, severity: Severity, evidence: Mapping[str, object], advice: str
) -> Finding:
    """Return a finding about a compaction."""
    return Finding(
        check=check, severity=severity, boundary=one.boundary, evidence=evidence, advice=advice
    )

"""`counter-wrong`: the harness counts its context far off what the provider counts."""

from collections.abc import Iterator
from dataclasses import replace

from ullage.checks.left import compactions, tokens_before
from ullage.checks.session import Session, finding
from ullage.transcript.finding import Finding

NAME = "counter-wrong"
OFF = 1.5
"""More than half too many, or a third too few: a threshold set by such a count fires elsewhere."""
LEAST = 2_000


def check(session: Session) -> Iterator[Finding]:
    """Report a compaction whose written size is far from what the last reply reports."""
    for left in compactions(session):
        # Ullage's record counts all that was to be sent, which may never have been a request.
        if left.one.stated:
            continue
        written = left.one.tokens_before
        unwritten = replace(left, one=replace(left.one, tokens_before=None))
        reported = tokens_before(session, unwritten)
        if written is None or reported is None or min(written, reported) < LEAST:
            continue
        if max(written, reported) <= OFF * min(written, reported):
            continue
        advice = (
            f"The harness takes the context for {written} tokens, the provider for {reported}. "
            "Count with the model's own tokenizer, or by what the last reply reports."
        )
        evidence = {"counted": written, "reported": reported, "ratio": round(written / reported, 2)}
        place = min(left.one.at, len(session.entries) - 1)
        yield finding(session, place, NAME, "warning", None, advice, evidence)

"""Taking single lines out of a result: what the rules for lines share."""

from collections.abc import Collection, Sequence

from ullage.cutter import spans
from ullage.history.rules.placeholder import Placeholder
from ullage.history.rules.results import LEAST, Result
from ullage.history.rules.rule import Proposal

FEWEST = 5
"""Fewer lines are no repetition."""


def has_lines(result: Result) -> bool:
    """Whether lines may be taken out: the text is long enough, and no JSON, which would break."""
    return len(result.text) >= LEAST and "\n" in result.text and not spans.is_json(result.text)


def without(
    result: Result, lines: Sequence[str], taken: Collection[int], gone: str, rule: str, why: str
) -> Proposal:
    """Propose a result without the lines at `taken`; `gone` says what they were."""
    left = "\n".join(line for at, line in enumerate(lines) if at not in taken)
    fewer = len(result.text) - len(left)
    said = f"{len(taken)} of {len(lines)} lines ({fewer} characters), {gone}"
    return Proposal(
        index=result.index, text=Placeholder(gone=said, rules=(rule,)).above(left), why=why
    )

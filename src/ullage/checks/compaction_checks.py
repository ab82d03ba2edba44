"""All checks of one compaction: what stood before it, held against what stands after it."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from ullage.checks import constraint_lost, finished_step_repeated, instruction_lost, task_lost
from ullage.checks.crossed import Crossed, crossed
from ullage.transcript.finding import Finding
from ullage.transcript.message import Message
from ullage.transcript.words import Boundary

CHECKS: Mapping[str, Callable[[Crossed], Iterator[Finding]]] = {
    task_lost.NAME: task_lost.check,
    instruction_lost.NAME: instruction_lost.check,
    constraint_lost.NAME: constraint_lost.check,
    finished_step_repeated.NAME: finished_step_repeated.check,
}
NAMES = tuple(CHECKS)


def compaction_findings(
    pre: Sequence[Message], post: Sequence[Message], *, boundary: Boundary = "summarise"
) -> list[Finding]:
    """Return what a compaction lost of what the agent works for, check by check.

    `pre` are the messages that the model was last given before it, `post` those it was given after
    it, system text included. Pure; evidence names messages of `pre` by their index from 0.
    """
    one = crossed(pre, post, boundary)
    return [finding for check in CHECKS.values() for finding in check(one)]

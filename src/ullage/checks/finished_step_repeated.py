"""`finished-step-repeated`: what was done before a compaction is listed as next after it."""

from collections.abc import Iterator

from ullage.arrivals.done_and_next import may_repeat, next_steps
from ullage.arrivals.repeated_steps import finished, reopened, same
from ullage.checks.crossed import Crossed, found
from ullage.cutter.excerpt import excerpt
from ullage.transcript.finding import Finding

NAME = "finished-step-repeated"
SHOWN = 300


def check(one: Crossed) -> Iterator[Finding]:
    """Report each finished step that is next again, once."""
    steps = {
        step.text: step
        for message in one.post
        for step in next_steps(message.text)
        if not may_repeat(step.text)
    }
    done = list(finished(one.pre)) if steps else []
    for step in steps.values():
        before = next(
            (was for was in done if same(step, was) and not reopened(one.pre, one.turns, was)),
            None,
        )
        if before is not None:
            evidence = {"next": excerpt(step.text, SHOWN), "done": excerpt(before.text, SHOWN)}
            advice = (
                "The summary lists as next what was done before it was written. Have it keep what "
                "is done apart from what is open, and say of each step which it is."
            )
            yield found(one, NAME, "warning", evidence, advice)

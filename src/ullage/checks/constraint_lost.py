"""`constraint-lost`: a standing rule or number of the user or the system did not outlive it."""

from collections.abc import Iterator

from ullage.arrivals.added import without_added, without_handed
from ullage.arrivals.kept_rules import keeps_rule
from ullage.arrivals.negations import forbidden, inverted_in
from ullage.arrivals.standing_rules import Rule, rules_in
from ullage.checks import instruction_lost, task_lost
from ullage.checks.crossed import Crossed, found
from ullage.cutter.excerpt import excerpt
from ullage.transcript.finding import Finding

NAME = "constraint-lost"
SHOWN = 400


def check(one: Crossed) -> Iterator[Finding]:
    """Report each rule that is gone, once; those of a lost instruction are reported with it."""
    reported = set()
    for index, message in enumerate(one.pre):
        if message.role not in ("user", "system") or message.answers is not None:
            continue
        if is_reported(one, index):
            continue
        for rule in rules_in(without_handed(without_added(message.text))):
            if (
                rule.text in reported
                or keeps_rule(rule, one.there)
                or is_inverted(one, index, rule)
            ):
                continue
            reported.add(rule.text)
            evidence = {
                "constraint": excerpt(rule.text, SHOWN),
                "message": index,
                "role": message.role,
            }
            advice = (
                "A standing rule is gone, and the agent will act as if it had never been said. Pin "
                "such rules outside of the summary, word for word, and put them in again after "
                "each compaction."
            )
            yield found(one, NAME, "error", evidence, advice)


def is_inverted(one: Crossed, index: int, rule: Rule) -> bool:
    """Whether a rule of the newest instruction stands inverted: `instruction-lost` reports that."""
    return (
        bool(one.turns)
        and index == one.turns[-1].index
        and any(inverted_in(ban, one.there) for ban in forbidden(rule.text))
    )


def is_reported(one: Crossed, index: int) -> bool:
    """Whether a message is the newest instruction or the task, and reported as lost."""
    if not one.turns:
        return False
    if index == one.turns[-1].index and instruction_lost.is_gone(one):
        return True
    return index == one.turns[0].index and task_lost.is_gone(one)

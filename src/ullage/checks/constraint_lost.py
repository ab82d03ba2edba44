"""`constraint-lost`: a standing rule or number of the user or the system did not outlive it."""

from collections.abc import Iterator
from fractions import Fraction

from ullage.arrivals.wording import comparable, content_words, stands_in
from ullage.checks import instruction_lost, task_lost
from ullage.checks.crossed import Crossed, found
from ullage.checks.negations import forbidden, inverted_in
from ullage.checks.rules import RESTRICTS, Rule, forbids, numbers_of, numbers_said, rules_in
from ullage.cutter.excerpt import excerpt
from ullage.transcript.finding import Finding
from ullage.wire.spelling import without_added

NAME = "constraint-lost"
SHOWN = 400
NEARLY_ALL = Fraction(3, 4)
RULE_SHARE = Fraction(1, 3)
"""So much of a rule's words in one sentence that sets a bound as well: it is kept, reworded."""


def check(one: Crossed) -> Iterator[Finding]:
    """Report each rule that is gone, once; those of a lost instruction are reported with it."""
    reported = set()
    for index, message in enumerate(one.pre):
        if message.role not in ("user", "system") or message.answers is not None:
            continue
        if is_reported(one, index):
            continue
        for rule in rules_in(without_added(message.text)):
            if rule.text in reported or keeps(one, rule) or is_inverted(one, index, rule):
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


def keeps(one: Crossed, rule: Rule) -> bool:
    """Whether a rule is still there: as it was, or in other words with all of its figures.

    A rule in another language than the summary is looked for by its figures alone.
    """
    if stands_in(rule.text, one.there.squeezed):
        return True
    figures = numbers_of(rule.text)
    if figures and not figures <= numbers_said(one.there.text):
        return False
    if figures or not comparable(rule.text, one.there.text):
        return True
    words = [word for word in content_words(rule.clause) if not word.isdigit()]
    needs_bound = forbids(rule.clause)
    for sentence, there in zip(one.there.sentences, one.there.by_sentence, strict=True):
        share = there.share(words)
        if share >= NEARLY_ALL and not needs_bound:
            return True
        if share >= RULE_SHARE and (not needs_bound or RESTRICTS.search(sentence)):
            return True
    return False

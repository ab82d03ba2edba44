"""Whether a standing rule is still there after a compaction, in these or other words."""

from fractions import Fraction

from ullage.arrivals.kept import After
from ullage.arrivals.standing_rules import RESTRICTS, Rule, forbids, numbers_of, numbers_said
from ullage.arrivals.wording import comparable, content_words, stands_in

NEARLY_ALL = Fraction(3, 4)
RULE_SHARE = Fraction(1, 3)
"""So much of a rule's words in one sentence that sets a bound as well: it is kept, reworded."""


def keeps_rule(rule: Rule, there: After) -> bool:
    """Whether a rule is still there: as it was, or in other words with all of its figures.

    A rule in another language than the summary is looked for by its figures alone.
    """
    if stands_in(rule.text, there.squeezed):
        return True
    figures = numbers_of(rule.text)
    if figures and not figures <= numbers_said(there.text):
        return False
    if figures or not comparable(rule.text, there.text):
        return True
    words = [word for word in content_words(rule.clause) if not word.isdigit()]
    needs_bound = forbids(rule.clause)
    for sentence, said in zip(there.sentences, there.by_sentence, strict=True):
        share = said.share(words)
        if share >= NEARLY_ALL and not needs_bound:
            return True
        if share >= RULE_SHARE and (not needs_bound or RESTRICTS.search(sentence)):
            return True
    return False

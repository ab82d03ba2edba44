"""How hard a secret is to guess, and so how much of it may be looked for in other texts.

Made-up keys (`not-needed`, `lm-studio`) are words: looked for in pieces, they would be found in
ordinary results, and a result would seem to have lost what was only redacted.
"""

import re
from functools import lru_cache
from typing import Literal

from ullage.ledger.members import looks_random

Strength = Literal["pieces", "whole"]
"""`pieces`: random enough that any piece of it is its own. `whole`: only as a word of its own."""

SHORTEST = 8
# In bits, and in bits a byte: a long phrase of words has many bits and few a byte.
STRONG = 40.0
DENSE = 2.2
# What two words beside each other come to: a piece with no more could stand in any text.
TWO_WORDS = 16.0
_A_WORD = 8.0
_A_LETTER = 4.7
_A_DIGIT = 3.3
_LONG_WORD = 12

_RUNS = re.compile(rb"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_NO_WORD = re.compile(rb"(?i:[bcdfghjklmnpqrstvwxz]{5})")
_COUNTING = b"01234567890123456789"
# What the keys of a maker have in common, and the first part of a JWT, which is no secret.
_PREFIX = re.compile(
    rb"sk-(?:(?:proj|svcacct|admin|lf|or-v1|ant-[a-z]+[0-9]*)-)?|sk_(?:live|test)_|gh[pousr]_"
    rb"|github_pat_|glpat-|xox[a-z]-|hf_|gsk_|AIza|A[KS]IA|eyJ[A-Za-z0-9_-]*\."
)
# Random letters happen to look like words, a few at a time. In what no person made they are not:
# what bears its maker's beginning and is no dummy, and what is too long and dense for a phrase.
MADE = 80.0
# In bits a byte; of 20,000 random keys of 20 letters and digits the least dense had 1.5.
NO_DUMMY = 1.6
# Capitals without a digit among them would count as one word, and these are always made up.
_ALL_OWN = re.compile(rb"A[KS]IA[A-Z0-9]{16}")


@lru_cache(maxsize=256)  # every request of a run brings the same key
def strength(secret: bytes) -> Strength | None:
    """Say how a secret is to be looked for; None: not at all, it could be anybody's word."""
    if len(secret) < SHORTEST or len(secret.split()) != 1:
        return None
    if is_made(secret):
        return "pieces"
    size = bits(secret)
    if size >= STRONG and size >= DENSE * len(secret):
        return "pieces"
    return "whole" if looks_random(secret) else None


@lru_cache(maxsize=256)
def is_made(secret: bytes) -> bool:
    """Whether a machine made it, so that each piece of it is its own, whatever its letters."""
    if _ALL_OWN.fullmatch(secret):
        return True
    own = secret[own_part(secret) :]
    if len(own) < len(secret):
        return len(own) >= 2 * SHORTEST and bits(own) >= NO_DUMMY * len(own)
    size = bits(secret)
    return size >= MADE and size >= DENSE * len(secret)


def bits(text: bytes) -> float:
    """Estimate how many bits it takes to guess a text: a word is one guess, not many letters."""
    return sum(map(_bits, _RUNS.findall(text)))


def own_part(secret: bytes) -> int:
    """Return where a secret stops to look like every other of its maker."""
    found = _PREFIX.match(secret)
    return found.end() if found else 0


def _bits(run: bytes) -> float:
    size = len(run)
    if run.count(run[-1:]) == size or run in _COUNTING:
        return _A_DIGIT
    if run.isdigit():
        return _A_DIGIT * size
    if _NO_WORD.search(run):
        return _A_LETTER * size
    return min(_A_LETTER * size, _A_WORD + 1.5 * max(0, size - _LONG_WORD))

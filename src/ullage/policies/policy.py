"""Policies by name and budget: Ullage's own table, the shapes of real harnesses, and a user's."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from ullage.counting.count import counter
from ullage.cutter import by_position
from ullage.cutter.budget import Budget, chars, tokens
from ullage.cutter.cut import cut
from ullage.cutter.values import Cut
from ullage.errors import ConfigError
from ullage.imported import imported, is_import_path
from ullage.policies.delivery import Apply, Delivery
from ullage.policies.harnesses import harness, harness_names

LIMIT = re.compile(r"(?P<limit>[1-9]\d*)(?P<unit>t?)")
DEFAULT = ("prefix:6000", "records:6000")


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A policy as it is asked for: `name` is how, `budget` None for a harness with its own limit.

    Compares and pickles by its name: what applies it is looked up where it is used.
    """

    name: str
    word: str
    budget: Budget | None

    def applied(self) -> Callable[[str], Delivery]:
        """Return the function that delivers a text under this policy.

        Raises ConfigError where a function of the user's cannot be imported.
        """
        if self.budget is None:
            return harness(self.word).deliver
        apply, budget = apply_of(self.word), self.budget
        if self.word in POLICIES:  # what fits is left alone, without asking
            return lambda text: Delivery(text=text) if fits(text, budget) else apply(text, budget)
        return lambda text: apply(text, budget)

    def is_over(self, text: str) -> bool:
        """Whether a produced text is more than the policy lets through."""
        if self.budget is None:
            return harness(self.word).is_over(text)
        return not fits(text, self.budget)


def fits(text: str, budget: Budget) -> bool:
    """Whether a text is within a budget."""
    if budget.unit == "chars":
        return len(text) <= budget.limit
    if len(text.encode("utf-8", "surrogatepass")) <= budget.limit:  # a token is a byte or more
        return True
    return counter(budget.model)(text) <= budget.limit


def parse_policy(text: str, *, model: str | None = None) -> Policy:
    """Read `NAME:BUDGET`, such as `records:6000` (characters) or `prefix:1500t` (tokens).

    A harness's name alone (`openhands`) is that harness's own limit. A function of the user's is
    named by its import path: `my_package.cuts:shorten:6000`. Raises ConfigError.
    """
    word, colon, last = text.rpartition(":")
    found = LIMIT.fullmatch(last)
    if not colon or found is None:
        return by_name(text)
    limit = int(found["limit"])
    budget = tokens(limit, model=model) if found["unit"] else chars(limit)
    if word in harness_names():
        raise ConfigError(
            f"policy {text!r}: {word} has a limit of its own; write {word!r} without a budget"
        )
    apply_of(word)
    return Policy(name=text, word=word, budget=budget)


def by_name(text: str) -> Policy:
    """Return the policy of a harness."""
    if text in harness_names():
        return Policy(name=text, word=text, budget=None)
    raise ConfigError(
        f"policy {text!r} needs NAME:BUDGET, such as records:6000 or prefix:1500t, or the name of "
        f"a harness: {', '.join(harness_names())}"
    )


def apply_of(word: str) -> Apply:
    """Return what applies a policy. Raises ConfigError for a name that is none."""
    if word in POLICIES:
        return POLICIES[word]
    if not is_import_path(word):
        raise ConfigError(
            f"no policy is called {word!r}: choose from {', '.join(POLICIES)}, name a harness "
            f"({', '.join(harness_names())}), or a function of your own by its import path, such "
            "as my_package.cuts:shorten:6000"
        )
    made = imported(word, "policy")
    if not callable(made):
        raise ConfigError(f"the policy {word!r} is not a function: {made!r} stands there")
    return own(word, made)


def own(word: str, function: Callable[[str, int], object]) -> Apply:
    """Return the policy of a user's function, which takes a text and a limit.

    It returns the text to deliver, or a `Delivery`. What it raises, and anything else that it
    returns, is its user's to mend.
    """

    def apply(text: str, budget: Budget) -> Delivery:
        made = function(text, budget.limit)
        if isinstance(made, str):
            return Delivery(text=made)
        if isinstance(made, Delivery):
            return made
        raise ConfigError(
            f"the policy {word!r} returned {type(made).__name__}; it must return the text to "
            "deliver, a str"
        )

    return apply


def delivering(shorten: Callable[[str, Budget], Cut | by_position.Slice]) -> Apply:
    """Return the policy of a function that shortens and says with what words."""

    def apply(text: str, budget: Budget) -> Delivery:
        done = shorten(text, budget)
        return Delivery(text=done.text, notice=done.notice)

    return apply


POLICIES: Mapping[str, Apply] = MappingProxyType(
    {
        "records": delivering(cut),
        "prefix": delivering(partial(cut, policy="prefix")),
        "middle": delivering(partial(cut, policy="middle")),
        "lines": delivering(by_position.first_lines),
        "spill": delivering(by_position.preview),
    }
)
"""`records` is Ullage's; `prefix` and `middle` slice by characters and say nothing; `lines` keeps
whole first lines and says how many; `spill` shows a preview and says where the rest is."""

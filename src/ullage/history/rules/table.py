"""The rules by name, in the order in which they are applied: what is missed least first."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ullage.errors import ConfigError
from ullage.history.rules import (
    chatter,
    echoes,
    identical,
    listings,
    long_tails,
    progress,
    seen_before,
    superseded,
)
from ullage.history.rules.rule import Rule
from ullage.imported import imported, is_import_path

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        identical.NAME: identical.identical,
        superseded.NAME: superseded.superseded,
        progress.NAME: progress.progress,
        echoes.NAME: echoes.echoes,
        chatter.NAME: chatter.chatter,
        seen_before.NAME: seen_before.seen_before,
        listings.NAME: listings.listings,
        long_tails.NAME: long_tails.long_tails,
    }
)
"""`identical` to `long-tails`: the further down, the more a model may miss what is gone."""


def rules_by_name(names: Sequence[str]) -> Mapping[str, Rule]:
    """Return rules by name or import path (`my_package.rules:drop_banners`), in the order given.

    Raises ConfigError for a name that is none, and for a path at which no function stands.
    """
    return {name: rule_of(name) for name in names}


def rule_of(name: str) -> Rule:
    """Return one rule."""
    if name in RULES:
        return RULES[name]
    if not is_import_path(name):
        raise ConfigError(
            f"no rule is called {name!r}: choose from {', '.join(RULES)}, or name a function of "
            "your own by its import path, such as my_package.rules:drop_banners"
        )
    found = imported(name, "rule")
    if not callable(found):
        module, _, function = name.partition(":")
        raise ConfigError(
            f"the rule {name!r}: the module {module!r} has no function {function!r}; it takes "
            "(pieces, guard) and gives Proposals"
        )
    rule: Rule = found
    return rule

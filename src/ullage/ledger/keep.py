"""How much of what is recorded is kept, by tool and by field."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import get_args

from ullage.ledger.records import Keep

LEVELS: tuple[Keep, ...] = get_args(Keep)
"""From everything to the least."""

DEFAULT = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepPolicy:
    """What is kept of the results of each tool, and of single fields of them.

    A request holds the results of all tools, so its bodies are kept as the strictest of all
    these levels says, whatever it holds.
    """

    default: Keep = "full"
    tools: Mapping[str, Keep] = field(default_factory=dict)
    fields: Mapping[str, Mapping[str, Keep]] = field(default_factory=dict)

    @property
    def exchanges(self) -> Keep:
        """What is kept of requests and replies."""
        named = [one for fields in self.fields.values() for one in fields.values()]
        return strictest([self.default, *self.tools.values(), *named])

    @property
    def everything(self) -> bool:
        """Whether nothing is left out."""
        return self.exchanges == "full"

    def of(self, tool: str) -> Keep:
        """Return what is kept of a tool's results."""
        return self.tools.get(tool, self.default)

    def fields_of(self, tool: str) -> Mapping[str, Keep]:
        """Return the fields of a tool's results of which less is kept than of the rest."""
        return self.fields.get(tool, {})

    def to_dict(self) -> dict[str, str]:
        """Return the policy as `read_policy` takes it."""
        named = {
            f"{tool}:{name}": level
            for tool, fields in self.fields.items()
            for name, level in fields.items()
        }
        return {DEFAULT: self.default, **self.tools, **named}


def strictest(levels: Iterable[Keep]) -> Keep:
    """Return the level of these that keeps least."""
    return max(levels, key=LEVELS.index, default="full")


def read_policy(settings: Mapping[str, object]) -> KeepPolicy:
    """Read levels by tool, by `TOOL:FIELD`, and for `default`.

    Raises ValueError for a level that is none.
    """
    default: Keep = "full"
    tools: dict[str, Keep] = {}
    fields: dict[str, dict[str, Keep]] = {}
    for name, word in settings.items():
        level = level_of(name, word)
        tool, colon, of = name.rpartition(":")
        if name == DEFAULT:
            default = level
        elif colon:
            fields.setdefault(tool, {})[of] = level
        else:
            tools[name] = level
    return KeepPolicy(default=default, tools=tools, fields=fields)


def level_of(name: str, word: object) -> Keep:
    """Return a level by its word."""
    found = next((one for one in LEVELS if one == word), None)
    if found is None:
        raise ValueError(f"keep {name} = {word!r}: choose {', '.join(LEVELS)}")
    return found

"""The tool call that is under way, where a framework says so."""

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the ledger is behind it, and is loaded with the first call only
    from ullage.tap.tool import Made


@dataclass(slots=True, eq=False)
class Call:
    """One call that a framework makes: the model's name for it, and what is known of it so far.

    `made` are the results that the tool's own code recorded. `inside` are what calls without a
    name of their own returned during this one. `raw` is the value before the framework formatted
    it, where there is a place to see that. With `names_inner` a call inside it
    goes by its name. `tool` is set where an adapter of ours opened the call: what is recorded by a
    choke point further in is this call's, if it is of the same tool and name.
    """

    call_id: str | None = None
    names_inner: bool = False
    tool: str | None = None
    made: "list[Made]" = field(default_factory=list)
    inside: list[object] = field(default_factory=list)
    raw: list[object] = field(default_factory=list)

    def is_around(self, tool: str, call_id: str | None) -> bool:
        """Whether this is an adapter's sight of a call that is seen further in as well."""
        return self.tool == tool and call_id in (None, self.call_id)

    def gives_its_name(self, tool: str) -> bool:
        """Whether a call inside it that has no name goes by its name."""
        return self.names_inner or self.is_around(tool, None)


UNDER_WAY: ContextVar[Call | None] = ContextVar("ullage_call_under_way", default=None)
"""The innermost call of this thread or task, and of those that were given its context."""

"""A recording that agents are asked about: its index, and what its tools have returned before."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from ullage.lab.environment.recording import Recording
from ullage.lab.environment.threads import Index, index
from ullage.lab.environment.tools import call
from ullage.lab.experiment.delivery import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A recording's index. Tools are pure: what one has returned is the same in every run."""

    index: Index
    made: dict[tuple[str, bytes], Result] = field(default_factory=dict)

    def ask(self, tool: str, arguments: Mapping[str, object]) -> Result:
        """Call a tool of the recording. Raises ValueError that says what is wrong with the call."""
        key = (tool, msgspec.json.encode(arguments, order="deterministic"))
        if key not in self.made:
            self.made[key] = call(self.index, tool, arguments)
        return self.made[key]


def world_of(recording: Recording) -> World:
    """Return the world of a recording. Raises ValueError for one without events."""
    return World(index=index(recording))

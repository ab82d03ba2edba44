"""A recording: events in the order of time, and the names of the containers in it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ullage.lab.environment.event import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """Kernel events, and what an operator calls the pid namespaces in them.

    `events()` begins anew each time. `containers` maps a namespace's inode number to a name; one
    that has none is shown as `ns-NUMBER`. Nothing here says what is wrong with the machine.
    """

    events: Callable[[], Iterator[Event]]
    containers: Mapping[int, str]

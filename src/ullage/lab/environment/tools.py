"""The tools that an agent is given over a recording: an index and arguments in, JSON out.

They see the recording alone: nothing here may import what says which process is at fault.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from ullage.lab.environment.arguments import (
    Compute,
    NoArguments,
    OfAnyProcess,
    OfProcess,
    checked,
    schema,
)
from ullage.lab.environment.compute import compute
from ullage.lab.environment.listing import list_containers
from ullage.lab.environment.rows import Row
from ullage.lab.environment.tables import events_table, thread_states_table, timeline_table
from ullage.lab.environment.threads import Index

Result = Mapping[str, object]
"""What a tool returns: JSON can hold it as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool: what it says of itself, what it is asked, and what it does."""

    description: str
    arguments: type[msgspec.Struct]
    run: Callable[[Index, Any], Result]  # the arguments are of the type beside it


def listing(index: Index, _: NoArguments) -> Result:
    """List the processes of all containers."""
    return list_containers(index)


def thread_states(index: Index, asked: OfProcess) -> Result:
    """Return the states of a process's threads."""
    return {"pid": asked.pid, "rows": thread_states_table(index, asked.pid)}


def timeline(index: Index, asked: OfAnyProcess) -> Result:
    """Return how many events there were over time."""
    return {"pid": asked.pid, "rows": timeline_table(index, asked.pid)}


def computed(index: Index, asked: Compute) -> Result:
    """Build a table. Raises ValueError where thread states are asked of no process."""
    return compute(SOURCES[asked.source](index, asked.pid), asked)


def events_rows(index: Index, pid: int | None) -> list[Row]:
    """Return the rows of events, of one process or of all."""
    return [row for row in events_table(index) if pid is None or row["pid"] == pid]


def states_rows(index: Index, pid: int | None) -> list[Row]:
    """Return the rows of thread states. Raises ValueError where no process is named."""
    if pid is None:
        raise ValueError("source 'thread_states' needs a pid; take one from another tool's result")
    return thread_states_table(index, pid)


SOURCES: dict[str, Callable[[Index, int | None], list[Row]]] = {
    "events": events_rows,
    "thread_states": states_rows,
    "timeline": timeline_table,
}

TOOLS: dict[str, Tool] = {
    "list_containers": Tool(
        description="List the processes of all containers. early_list: began during the recording. "
        "late_list: were there before. wait_ms, io_ms, reclaim_ms: the longest single time that a "
        "thread waited for a CPU, was blocked, reclaimed memory.",
        arguments=NoArguments,
        run=listing,
    ),
    "thread_states": Tool(
        description="How long each thread of a process was running, runnable, asleep, blocked.",
        arguments=OfProcess,
        run=thread_states,
    ),
    "timeline": Tool(
        description="How many kernel events there were in each 100 ms, of a process or of all.",
        arguments=OfAnyProcess,
        run=timeline,
    ),
    "compute": Tool(
        description="Build a table from kernel events, thread states or the timeline: filter, "
        "group, sort, limit.",
        arguments=Compute,
        run=computed,
    ),
}


def call(index: Index, name: str, arguments: object) -> Result:
    """Call a tool as a model does. Raises ValueError that says what is wrong with the call."""
    tool = TOOLS.get(name)
    if tool is None:
        raise ValueError(f"there is no tool {name!r}; there are {', '.join(TOOLS)}")
    return tool.run(index, checked(arguments, tool.arguments, name))


def schemas() -> dict[str, dict[str, Any]]:
    """Return the JSON schema of each tool's arguments."""
    return {name: schema(tool.arguments) for name, tool in TOOLS.items()}

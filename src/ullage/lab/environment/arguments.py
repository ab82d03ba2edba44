"""The arguments of each tool: what a model may ask, checked strictly, and its JSON schema."""

from typing import Annotated, Any, Literal, TypeVar

import msgspec

Source = Literal["events", "thread_states", "timeline"]
Compare = Literal["==", "!=", "<", "<=", ">", ">=", "contains"]
Aggregate = Literal["sum", "max", "min", "mean"]
Pid = Annotated[int, msgspec.Meta(ge=0, description="A process, by its pid.")]
Limit = Annotated[int, msgspec.Meta(ge=1, description="Return at most so many rows.")]


class NoArguments(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A tool that is asked nothing."""


class OfProcess(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A tool about one process."""

    pid: Pid


class OfAnyProcess(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A tool about one process, or about all of them where none is named."""

    pid: Pid | None = None


class Where(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Keep the rows whose column compares so with a value."""

    column: str
    op: Compare
    value: int | float | str


class Sort(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Order rows by a column."""

    column: str
    descending: bool = False


class Compute(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Build a table from the rows of a source: filter, group, sort, limit, in this order."""

    source: Annotated[
        Source,
        msgspec.Meta(
            description="events: pid, comm, event, count, share. thread_states (needs pid): tid, "
            "comm, events, switches, running_ms, runnable_ms, asleep_ms, blocked_ms, wait_ms, "
            "io_ms, reclaim_ms. timeline: at_ms, events."
        ),
    ]
    pid: Pid | None = None
    where: list[Where] = []
    group: Annotated[
        list[str], msgspec.Meta(description="One row for each combination of these columns.")
    ] = []
    aggregate: Annotated[
        dict[str, Aggregate], msgspec.Meta(description="With group: a number column, and how.")
    ] = {}
    sort: list[Sort] = []
    limit: Limit | None = None


T = TypeVar("T", bound=msgspec.Struct)


def checked(arguments: object, wanted: type[T], tool: str) -> T:
    """Return arguments as `wanted`. Raises ValueError that says which one is wrong, and how."""
    try:
        return msgspec.convert(arguments, wanted, strict=True)
    except msgspec.ValidationError as error:
        known = ", ".join(msgspec.structs.fields(wanted)[at].name for at in range(fields(wanted)))
        raise ValueError(
            f"wrong arguments for {tool}: {error}; it takes {known or 'none'}"
        ) from error


def fields(wanted: type[msgspec.Struct]) -> int:
    """Return how many arguments there are."""
    return len(msgspec.structs.fields(wanted))


def schema(wanted: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the JSON schema of arguments, with nothing referred to from elsewhere."""
    whole = msgspec.json.schema(wanted)
    definitions = whole.get("$defs", {})
    return dict(resolved(whole, definitions))


def resolved(node: Any, definitions: dict[str, Any]) -> Any:  # a JSON schema is any JSON
    """Return a schema with its references put in."""
    if isinstance(node, dict):
        if "$ref" in node:
            name = node["$ref"].rsplit("/", 1)[-1]
            return resolved(definitions[name], definitions)
        return {key: resolved(value, definitions) for key, value in node.items() if key != "$defs"}
    return [resolved(one, definitions) for one in node] if isinstance(node, list) else node

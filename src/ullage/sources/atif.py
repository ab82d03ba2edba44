"""ATIF, the trajectory format of Harbor and Terminal-Bench, of any 1.x: steps and observations.

https://github.com/harbor-framework/harbor, docs/rfcs. It has no place for what a tool produced.
A step of the system with `context_management`, or with references to the trajectories of a
summary, is a compaction. Copied steps are shared with the trajectory that they are from.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, takewhile

from ullage.errors import LoadError
from ullage.sources.form import Form
from ullage.sources.messages import said
from ullage.sources.opened import NO_DOCUMENT, Opened, is_object
from ullage.sources.places import Places, items, member
from ullage.sources.record import Damaged, Plain, Record
from ullage.sources.times import seconds_of
from ullage.transcript.finding import Source
from ullage.transcript.message import Message, Role, ToolCall
from ullage.transcript.served import Usage
from ullage.transcript.transcript import Act, Compaction, Entry, Transcript
from ullage.wire.members import Object, inside, number, objects, text, written

VERSION = "ATIF-v1"
ROLES: Mapping[str, Role] = {"system": "system", "user": "user", "agent": "assistant"}
ACTS: Mapping[str, Act] = {"compaction": "summarise", "summarization": "summarise", "trim": "trim"}
REPLACED = "replace"
Waiting = tuple[Object, str | None, str | None, Sequence[int | None]]
"""A trajectory with its parent, the call that began it, and the lines of its steps."""


def is_trajectory(value: object) -> bool:
    """Whether a value is a trajectory of this format."""
    return is_object(value) and (text(value, "schema_version") or "").startswith(VERSION)


def fits(opened: Opened) -> bool:
    """Whether a file is one trajectory, or has one in each line."""
    if opened.document is not NO_DOCUMENT:
        return is_trajectory(opened.document)
    return bool(opened.head) and all(map(is_trajectory, opened.head))


def records(opened: Opened) -> Iterator[Record]:
    """Yield the trajectories of a file, and those inside them."""
    if is_object(opened.document):
        if not isinstance(opened.document.get("steps"), list):
            raise LoadError(f"{opened.name}: no steps of a trajectory")
        places = Places(opened.data)
        root = places.root()
        lines = [places.line(one) for one in items(member(root, "steps"))]
        source = Source(path=opened.name, line=places.line(root))
        yield from trajectories(opened.document, source, lines)
        return
    for line in opened.lines():
        if line.fault is not None:
            yield Damaged(
                line=line.number, why=line.fault, chars=line.chars, saved=len(line.values)
            )
        for value in line.values:
            if is_object(value) and is_trajectory(value):
                yield from trajectories(value, Source(path=opened.name, line=line.number), ())
            else:
                yield Plain(line=line.number)


def trajectories(
    document: Object, source: Source, lines: Sequence[int | None]
) -> Iterator[Transcript]:
    """Yield a trajectory and those that its calls began, as far as they stand in it."""
    waiting: list[Waiting] = [(document, None, None, lines)]
    while waiting:
        raw, parent, call, own = waiting.pop(0)
        found = transcript(raw, source, own, parent, call)
        yield found
        begun = dict(calls_of_subagents(raw))
        for one in objects(raw.get("subagent_trajectories")):
            name = text(one, "trajectory_id", "session_id") or ""
            waiting.append((one, found.session, begun.get(name), ()))


def calls_of_subagents(raw: Object) -> Iterator[tuple[str, str]]:
    """Yield the names of trajectories that results refer to, with the ids of their calls."""
    for step in objects(raw.get("steps")):
        for result in objects(inside(step, "observation").get("results")):
            call = text(result, "source_call_id")
            for one in objects(result.get("subagent_trajectory_ref")):
                for name in (text(one, "session_id"), text(one, "trajectory_id")):
                    if name and call:
                        yield name, call


def transcript(
    raw: Object,
    source: Source,
    lines: Sequence[int | None],
    parent: str | None,
    call: str | None,
) -> Transcript:
    """Return one trajectory."""
    steps = objects(raw.get("steps"))
    reading = Reading()
    ends = []
    for at, one in enumerate(steps):
        line = lines[at] if at < len(lines) else source.line
        reading.add(one, Source(path=source.path, line=line))
        ends.append(len(reading.entries))
    copied = list(takewhile(lambda one: one.get("is_copied_context") is True, steps))
    agent = inside(raw, "agent")
    tools = (inside(one, "function") or one for one in objects(agent.get("tool_definitions")))
    name = text(raw, "session_id", "trajectory_id") or source.path or "trajectory"
    own = text(raw, "trajectory_id") or name
    return Transcript(
        session=f"{parent}/{own}" if parent else name,
        form="atif",
        entries=reading.entries,
        compactions=reading.compactions,
        source=source,
        agent=text(agent, "name"),
        version=text(agent, "version"),
        model=text(agent, "model_name"),
        tools=tuple(filter(None, (text(one, "name") for one in tools))),
        shared=ends[len(copied) - 1] if copied else 0,
        parent=parent,
        parent_call=call,
        unread=reading.unread,
    )


@dataclass(slots=True)
class Reading:
    """A trajectory so far."""

    entries: list[Entry] = field(default_factory=list)
    compactions: list[Compaction] = field(default_factory=list)
    unread: dict[str, int] = field(default_factory=dict)

    def add(self, step: Object, source: Source) -> None:
        """Add one step."""
        role = ROLES.get(text(step, "source") or "")
        if role is None:
            kind = f"step of {text(step, 'source') or 'nobody'}"
            self.unread[kind] = self.unread.get(kind, 0) + 1
        elif role == "system" and is_compaction(step):
            self.compacted(step, source)
        else:
            self.entries += spoken(step, role, source)
            self.entries += results(step, role, source)

    def compacted(self, step: Object, source: Source) -> None:
        """Add a compaction: what it says itself is no message, its observation is the summary."""
        at = len(self.entries)
        managed = inside(inside(step, "extra"), "context_management")
        summaries = [
            Entry(message=Message(role="user", text=given), source=source, at=when(step))
            for one in objects(inside(step, "observation").get("results"))
            if (given := said(one.get("content")))
        ]
        fresh = tuple(range(at, at + len(summaries)))
        first = (one for one in range(at) if self.entries[one].message.role == "system")
        replaced = text(managed, "boundary") == REPLACED
        self.entries += summaries
        self.compactions.append(
            Compaction(
                at=at,
                act=ACTS.get(text(managed, "type") or "compaction"),
                # Whatever replaces the context, a system prompt is sent with each request.
                after=tuple(chain(first, fresh)) if replaced else None,
                summary=fresh,
                source=source,
            )
        )


def is_compaction(step: Object) -> bool:
    """Whether a step of the system says that the context was managed."""
    if inside(inside(step, "extra"), "context_management"):
        return True
    results = objects(inside(step, "observation").get("results"))
    return any(objects(one.get("subagent_trajectory_ref")) for one in results)


def spoken(step: Object, role: Role, source: Source) -> Iterator[Entry]:
    """Give the message of a step, with its calls."""
    metrics = inside(step, "metrics")
    calls = tuple(
        ToolCall(
            call_id=text(one, "tool_call_id"),
            name=text(one, "function_name") or "",
            arguments=written(one.get("arguments", {})),
        )
        for one in objects(step.get("tool_calls"))
    )
    yield Entry(
        message=Message(role=role, text=said(step.get("message")), calls=calls),
        source=source,
        at=when(step),
        usage=usage_of(metrics) if metrics else None,
        model=text(step, "model_name"),
        key=key_of(step),
    )


def results(step: Object, role: Role, source: Source) -> Iterator[Entry]:
    """Give the results of a step; one of the system observes nothing that a tool returned."""
    calls = objects(step.get("tool_calls"))
    # Where a step has one call, all that it observes is of that call.
    only = text(calls[0], "tool_call_id") if len(calls) == 1 else None
    for one in objects(inside(step, "observation").get("results")):
        given, call = said(one.get("content")), text(one, "source_call_id")
        if not given and call is None:
            continue
        yield Entry(
            message=Message(
                role="tool" if role == "assistant" else role,
                text=given,
                answers=(call or only) if role == "assistant" else None,
            ),
            source=source,
            at=when(step),
            key=key_of(step),
        )


def usage_of(metrics: Object) -> Usage:
    """Return the tokens of a step; those of the prompt hold the cached ones."""
    return Usage(
        input=number(metrics, "prompt_tokens"),
        output=number(metrics, "completion_tokens"),
        cached=number(metrics, "cached_tokens"),
    )


def when(step: Object) -> float | None:
    """Return the time of a step."""
    return seconds_of(step.get("timestamp"))


def key_of(step: Object) -> str | None:
    """Return the name of a step in its file."""
    found = number(step, "step_id")
    return None if found is None else f"step {found}"


ATIF = Form(
    name="atif",
    what="trajectories in ATIF 1.x, of Harbor and Terminal-Bench",
    fits=fits,
    records=records,
)

"""OpenHands, version 0: histories of events, alone or in the lines of an evaluation's output.

An action is what the model wrote, an observation what came of it; `cause` names its action. What
was returned is not kept apart from what was delivered. The workspace's own notes (`recall`) are put
into words by a template that the file does not hold: they are no message here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ullage.sources.condensed import Condensation, View
from ullage.sources.drafts import Draft, ended
from ullage.sources.form import Form
from ullage.sources.opened import Opened, is_object
from ullage.sources.record import Damaged, Plain, Record
from ullage.sources.times import seconds_of
from ullage.transcript.finding import Source
from ullage.transcript.message import Message, ToolCall
from ullage.transcript.served import Label
from ullage.transcript.transcript import Entry, Transcript
from ullage.wire.contents import text_of
from ullage.wire.members import Object, compact, inside, listed, number, objects, text
from ullage.wire.openai_chat import first_choice, read_calls, usage_of

FORM_NAME = "openhands"
LABELS: Mapping[str, Label] = {
    "stop": "complete",
    "tool_calls": "complete",
    "length": "cut-by-limit",
    "content_filter": "cut-by-server",
}
HIDDEN = ("agent_state_changed", "null", "change_agent_state", "condensation_request")
"""Events that no view of the history holds."""
QUIET = ("recall", "pause", "resume", "start", "stop", "init")
"""Events that are no message."""


@dataclass(slots=True)
class History:
    """A history while it is read; `replies` are the ids of the replies whose tokens are counted."""

    draft: Draft
    source: Source
    view: View = field(default_factory=View)
    replies: set[str] = field(default_factory=set)
    calls: dict[str, ToolCall] = field(default_factory=dict)
    last: ToolCall | None = None

    def add(self, event: Object) -> None:
        """Add an event."""
        place = self.draft.records
        self.draft.records += 1
        told = number(event, "id")
        key = f"place {place}" if told is None else str(told)
        kind = text(event, "action", "observation")
        if kind is None:
            self.draft.unread["neither an action nor an observation"] += 1
        elif kind == "condensation":
            self.condense(key, event)
        elif kind not in HIDDEN:
            self.view.add(key)
            if kind not in QUIET:
                read = History.observation if "observation" in event else History.action
                entry = read(self, key, event, kind)
                at = seconds_of(event.get("timestamp"))
                self.draft.add(replace(entry, source=self.source, at=at, key=key))

    def action(self, key: str, event: Object, kind: str) -> Entry:
        """Return an action: what was said, by whom, or a call."""
        # The oldest files have the arguments among the members of the event.
        given = inside(event, "args") or event
        if kind == "system":
            return Entry(message=Message(role="system", text=text(given, "content") or ""))
        if kind == "message" and self.by_user(event):
            return Entry(message=Message(role="user", text=text(given, "content") or ""))
        meta = inside(event, "tool_call_metadata")
        answer = inside(meta, "model_response")
        wrote = text_of(inside(first_choice(answer), "message").get("content"))
        said = wrote or text(given, "thought", "content") or ""
        if kind == "message":
            return self.reply(Message(role="assistant", text=said), answer)
        if kind == "finish":
            final = text(given, "final_thought") or said or text(event, "message") or ""
            return self.reply(Message(role="assistant", text=final), answer)
        call = called(key, kind, given, meta)
        self.calls[key] = self.last = call
        return self.reply(Message(role="assistant", text=said, calls=(call,)), answer)

    def by_user(self, event: Object) -> bool:
        """Whether a message is a person's; the oldest files do not say, and begin with one."""
        source = text(event, "source")
        return source == "user" or (source is None and not self.draft.entries)

    def reply(self, message: Message, answer: Object) -> Entry:
        """Return what the model wrote; calls of one reply count its tokens once."""
        name = text(answer, "id")
        used = inside(answer, "usage") if name not in self.replies else {}
        if name is not None:
            self.replies.add(name)
        finish = text(first_choice(answer), "finish_reason")
        model = text(answer, "model")
        if model is not None and self.draft.base.model is None:
            self.draft.base = replace(self.draft.base, model=model)
        return Entry(
            message=message,
            usage=usage_of(used) if used else None,
            label=ended(finish, LABELS, message),
            finish_reason=finish,
            model=model,
        )

    def observation(self, key: str, event: Object, kind: str) -> Entry:
        """Return what came of an action: of the one that it names, else of the last."""
        cause = number(event, "cause")
        call = self.calls.get(str(cause)) if "id" in event else self.last
        meta = inside(event, "tool_call_metadata")
        name = text(meta, "function_name") or (call.name if call else kind)
        return Entry(
            message=Message(
                role="tool",
                text=text(event, "content") or "",
                answers=call.call_id if call else text(meta, "tool_call_id"),
                name=name,
            ),
            failed=kind == "error" or event.get("success") is False,
        )

    def condense(self, key: str, event: Object) -> None:
        """Add a condensation: of the ids that it names, or of a range of them."""
        given = inside(event, "args") or event
        named = {str(one) for one in listed(given.get("forgotten_event_ids"))}
        first = number(given, "forgotten_events_start_id")
        last = number(given, "forgotten_events_end_id")

        def forgets(one: str) -> bool:
            in_range = first is not None and last is not None and one.isdecimal()
            return one in named or (in_range and (first or 0) <= int(one) <= (last or 0))

        condensation = Condensation(
            key=key,
            forgets=forgets,
            summary=text(given, "summary"),
            offset=number(given, "summary_offset"),
            at=seconds_of(event.get("timestamp")),
        )
        self.view.condense(condensation, self.draft, self.source)


def called(key: str, kind: str, given: Object, meta: Object) -> ToolCall:
    """Return the call of an action: as the model wrote it, else as it was understood."""
    name, told = text(meta, "function_name"), text(meta, "tool_call_id")
    message = inside(first_choice(inside(meta, "model_response")), "message")
    wrote = next((one for one in read_calls(message) if one.call_id == told), None)
    if wrote is not None and told is not None:
        return wrote
    known = {"thought", "action", "source", "id", "timestamp", "message"}
    arguments = {one: value for one, value in given.items() if one not in known}
    return ToolCall(call_id=told or f"event {key}", name=name or kind, arguments=compact(arguments))


def events_of(raw: object) -> list[Object]:
    """Return the events of a history; the oldest has pairs of an action and what came of it."""
    found: list[Object] = []
    for one in listed(raw):
        found += objects(one if isinstance(one, list) else [one])
    return found


def is_event(one: Object) -> bool:
    """Whether an object is an event of version 0."""
    kinds = [one[name] for name in ("action", "observation") if name in one]
    members = {"args", "extras", "content", "thought"}
    return len(kinds) == 1 and isinstance(kinds[0], str) and bool(members & one.keys())


def is_history(raw: object) -> bool:
    """Whether a value is a history."""
    return all(map(is_event, events_of(raw)[:2])) and bool(events_of(raw))


def is_output(one: Object) -> bool:
    """Whether an object is what an evaluation, or the resolver, wrote of one task."""
    asked = "instruction" in one or "instance_id" in one
    return asked and "trajectory" not in one and is_history(one.get("history"))


def transcript_of(events: Sequence[Object], base: Transcript) -> Transcript:
    """Read one history."""
    history = History(draft=Draft(base=base), source=base.source)
    for one in events:
        history.add(one)
    return history.draft.done()


def output(document: Object, name: str, place: Source) -> Transcript:
    """Read what an evaluation wrote of one task."""
    base = Transcript(
        session=text(document, "instance_id") or name,
        form=FORM_NAME,
        entries=(),
        source=place,
        agent="OpenHands",
        model=text(inside(inside(document, "metadata"), "llm_config"), "model"),
        outcome=outcome_of(document),
    )
    return transcript_of(events_of(document.get("history")), base)


def outcome_of(document: Object) -> float | None:
    """Return whether the task was solved, if the file says so."""
    report = inside(inside(document, "test_result"), "report")
    for one in (report.get("resolved"), document.get("success")):
        if isinstance(one, bool):
            return float(one)
    return None


def records(opened: Opened) -> Iterator[Record]:
    """Yield the history of a file, or one of each line."""
    held: object = opened.document
    if isinstance(held, list) and is_history(held):
        base = Transcript(
            session=opened.name,
            form=FORM_NAME,
            entries=(),
            source=Source(path=opened.name),
            agent="OpenHands",
        )
        yield transcript_of(events_of(held), base)
        return
    if is_object(held) and not opened.one_line:
        yield output(held, opened.name, Source(path=opened.name))
        return
    for line in opened.lines():
        if line.fault is not None:
            yield Damaged(
                line=line.number, why=line.fault, chars=line.chars, saved=len(line.values)
            )
        for value in line.values:
            place = Source(path=opened.name, line=line.number)
            if is_object(value) and is_history(value.get("history")):
                yield output(value, f"{opened.name}:{line.number}", place)
            else:
                yield Plain(line=line.number)


def fits(opened: Opened) -> bool:
    """Whether a file is a history, or has one in its first lines."""
    held: object = opened.document
    if isinstance(held, list):
        return is_history(held)
    tests: list[Callable[[], bool]] = [
        lambda: is_object(held) and is_output(held),
        lambda: any(map(is_output, opened.head)),
    ]
    return any(test() for test in tests)


OPENHANDS = Form(
    name=FORM_NAME,
    what="histories of OpenHands, version 0, and the output of its evaluations",
    fits=fits,
    records=records,
)

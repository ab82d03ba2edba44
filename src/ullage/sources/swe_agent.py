"""SWE-agent: trajectories, `.traj`, of its versions 0 and 1.

The history holds the messages whole; what a history processor took out of a prompt, only the prompt
of a step shows (`query` since 1.1, before it `messages`, which is the prompt of the next step).
Without them the history is what the model was given. `observation` is what the environment
returned, before it was cut and put into a template.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ullage.sources.drafts import Draft
from ullage.sources.form import Form
from ullage.sources.opened import Opened, is_object
from ullage.sources.record import Record
from ullage.transcript.finding import Source
from ullage.transcript.message import Message, Role, ToolCall
from ullage.transcript.transcript import Compaction, Entry, Produced, Transcript
from ullage.wire.contents import text_of
from ullage.wire.members import NOTHING, Object, compact, inside, listed, objects, text
from ullage.wire.openai_chat import ROLES, read_calls
from ullage.wire.results import is_result

FORM_NAME = "swe-agent"
COMMANDS = (
    "create",
    "edit",
    "exit_forfeit",
    "filemap",
    "find_file",
    "goto",
    "open",
    "scroll_down",
    "scroll_up",
    "search_dir",
    "search_file",
    "skip",
    "str_replace_editor",
    "submit",
)
"""The commands of the agent's own interface; all others are the shell's."""
WORD = re.compile(r"\s*(\w+)")
Said = tuple[str | None, str]
"""The role and the text of a message of a prompt."""


@dataclass(slots=True)
class Run:
    """A run while it is read.

    `now` is the entry that each message of the history is in force as, `said` what the last prompt
    with it said, `held` the messages that the last prompt held.
    """

    draft: Draft
    roles: list[str | None] = field(default_factory=list)
    now: list[int] = field(default_factory=list)
    said: dict[int, str] = field(default_factory=dict)
    held: list[int] = field(default_factory=list)
    pending: list[ToolCall] = field(default_factory=list)
    observed: str | None = None

    def add(self, item: Object, step: Object) -> None:
        """Add a message of the history; `step` is the one that it is the reply of."""
        place = len(self.now)
        word = text(item, "role")
        role = ROLES.get(word or "")
        self.roles.append(word)
        if role is None:
            self.draft.unread[f"message {word}"] += 1
            role = "user"
        elif item.get("is_demo") is True:
            # An example is part of what the model was told: its replies and results are no ones
            # of this run.
            role = "system"
        elif role == "assistant":
            self.pending = calls_of(item, f"action {place}")
            self.observed = text(step, "observation")
        elif role == "user" and self.pending:
            role = "tool"
        entry = self.result(item) if role == "tool" else self.message(item, role)
        self.now.append(self.draft.add(replace(entry, key=f"history {place}")))

    def message(self, item: Object, role: Role) -> Entry:
        """Return a message that is no result."""
        message = Message(
            role=role,
            text=text_of(item.get("content")),
            calls=tuple(self.pending) if role == "assistant" else (),
        )
        return Entry(message=message, source=self.draft.base.source)

    def result(self, item: Object) -> Entry:
        """Return a result; in the text of a user's message where there is no function calling."""
        ids = [one for one in listed(item.get("tool_call_ids")) if isinstance(one, str)]
        call = self.pending.pop(0) if self.pending else None
        observed, self.observed = self.observed, None
        message = Message(
            role="tool",
            text=text_of(item.get("content")),
            answers=ids[0] if ids else (call.call_id if call else None),
            name=call.name if call else None,
        )
        return Entry(
            message=message,
            source=self.draft.base.source,
            produced=None if observed is None else Produced(text=observed),
        )

    def ask(self, prompt: Sequence[Said], number: int) -> None:
        """Take in the prompt of the reply that comes next: what it says is what was delivered.

        What only one prompt holds is left out: the reply that did not parse, and what was answered
        to it.
        """
        known = [(role, self.text(place)) for place, role in enumerate(self.roles)]
        there = {
            place: said[1]
            for place, said in zip(placed(known, prompt), prompt, strict=True)
            if place is not None
        }
        at = len(self.draft.entries)
        expected = [one for one in range(len(known)) if one in self.held or one not in self.said]
        changed = [one for one in there if one in self.said and there[one] != self.said[one]]
        missed = [one for one in range(len(known)) if one not in there and one not in self.said]
        for one in missed:
            self.mend(one, in_context=False)
        for one in there:
            if one not in self.said:
                self.mend(one, said=there[one], number=number)
        self.said |= there
        cleared = [one for one in changed if is_result(self.entry(one).message)]
        for one in changed:
            if one not in cleared:
                standing = replace(self.entry(one), key=None, exchange=number)
                self.now[one] = self.draft.add(reworded(standing, there[one]))
        lost = [one for one in expected if one not in there and one not in missed]
        if changed or lost or [one for one in expected if one not in missed] != [*there]:
            self.draft.compactions.append(
                Compaction(
                    at=at,
                    act="elide" if changed else "trim",
                    after=tuple(self.now[one] for one in there),
                    cleared=tuple(self.now[one] for one in cleared),
                    recorded=False,
                    source=self.draft.base.source,
                )
            )
        self.held = [*there]

    def entry(self, place: int) -> Entry:
        """Return the entry of a message of the history."""
        return self.draft.entries[self.now[place]]

    def text(self, place: int) -> str:
        """Return what the model was last told in a message of the history."""
        return self.said.get(place, self.entry(place).message.text)

    def mend(
        self,
        place: int,
        *,
        said: str | None = None,
        number: int | None = None,
        in_context: bool = True,
    ) -> None:
        """Put down how a message was first delivered."""
        entry = replace(self.entry(place), exchange=number, in_context=in_context)
        self.draft.entries[self.now[place]] = entry if said is None else reworded(entry, said)


def reworded(entry: Entry, said: str) -> Entry:
    """Return an entry with another text."""
    return replace(entry, message=replace(entry.message, text=said))


def calls_of(item: Object, key: str) -> list[ToolCall]:
    """Return the calls of a reply: those it has, else the action that was read out of its text."""
    called = list(read_calls(item))
    action = text(item, "action") or ""
    if called or not action.strip():
        return called
    found = WORD.match(action)
    name = found[1] if found and found[1] in COMMANDS else "bash"
    return [ToolCall(call_id=key, name=name, arguments=compact({"command": action}))]


def placed(known: Sequence[Said], prompt: Sequence[Said]) -> list[int | None]:
    """Return which message of the history each message of a prompt is, None for one of its own.

    Processors change texts, and seldom the number of messages. Where they did, equal messages are
    found first, and one that is left over is the next of its role between them.
    """
    if len(known) == len(prompt):
        return [*range(len(prompt))]
    found: list[int | None] = []
    at = 0
    for one in prompt:
        same = next((place for place in range(at, len(known)) if known[place] == one), None)
        found.append(same)
        at = at if same is None else same + 1
    low = 0
    for number, one in enumerate(prompt):
        if found[number] is None:
            ahead = (place for place in found[number:] if place is not None)
            between = range(low, next(ahead, len(known)))
            found[number] = next((place for place in between if known[place][0] == one[0]), None)
        low = low if found[number] is None else (found[number] or 0) + 1
    return found


def prompts_of(steps: Sequence[Object]) -> list[list[Said] | None]:
    """Return the prompt of each step, None where it was not kept."""
    own = [said_in(one.get("query")) for one in steps]
    earlier = [None, *(said_in(one.get("messages")) for one in steps)]
    return [one or before for one, before in zip(own, earlier, strict=False)]


def said_in(raw: object) -> list[Said] | None:
    """Return the messages of a prompt; none where it was left empty."""
    said = [(text(one, "role"), text_of(one.get("content"))) for one in objects(raw) if one]
    return said or None


def replies_of(history: Sequence[Object], steps: Sequence[Object]) -> dict[int, int]:
    """Return the step of each reply of the history, by the place of the reply.

    A step whose reply is not there ended the run, or was asked again.
    """
    found: dict[int, int] = {}
    left = 0
    for place, item in enumerate(history):
        if text(item, "role") != "assistant" or item.get("is_demo") is True:
            continue
        step = next((one for one in range(left, len(steps)) if is_reply(item, steps[one])), None)
        if step is not None:
            found[place] = step
            left = step + 1
    return found


def is_reply(item: Object, step: Object) -> bool:
    """Whether a message is the reply of a step."""
    if text_of(item.get("content")) == (text(step, "response") or ""):
        return True
    action = text(item, "action")
    return bool(action) and action == text(step, "action")


def main_agent(history: Sequence[Object]) -> list[Object]:
    """Return the messages of the first agent: those of another are in no prompt of it."""
    first = next((text(one, "agent") for one in history if text(one, "agent")), None)
    return [one for one in history if text(one, "agent") in (None, first)]


def transcript_of(document: Object, base: Transcript) -> Transcript:
    """Read one run."""
    history = objects(document.get("history"))
    own = main_agent(history)
    steps = objects(document.get("trajectory"))
    run = Run(draft=Draft(base=base, records=len(history)))
    if len(own) < len(history):
        run.draft.unread["message of another agent"] = len(history) - len(own)
    replies = replies_of(own, steps)
    prompts = prompts_of(steps)
    for place, item in enumerate(own):
        step = replies.get(place)
        prompt = None if step is None else prompts[step]
        if prompt is not None and step is not None:
            run.ask(prompt, step + 1)
        run.add(item, NOTHING if step is None else steps[step])
    return run.draft.done()


def records(opened: Opened) -> Iterator[Record]:
    """Yield the run of a file, or each attempt of one that was tried again."""
    document = opened.document if is_object(opened.document) else NOTHING
    attempts = [one for one in objects(document.get("attempts")) if objects(one.get("history"))]
    runs = attempts or [document]
    for number, one in enumerate(runs, start=1):
        info = inside(one, "info")
        base = Transcript(
            session=opened.name if len(runs) == 1 else f"{opened.name}#{number}",
            form=FORM_NAME,
            entries=(),
            source=Source(path=opened.name, line=1 if opened.one_line else None),
            agent="SWE-agent",
            version=text(info, "swe_agent_version"),
            outcome=outcome_of(one, info),
        )
        yield transcript_of(one, base)


def outcome_of(document: Object, info: Object) -> float | None:
    """Return whether the task was solved, if an evaluation has put it there.

    `exit_status` says only how the run ended.
    """
    for one in (info.get("resolved"), document.get("resolved"), info.get("score")):
        if isinstance(one, (bool, int, float)):
            return float(one)
    return None


def fits(opened: Opened) -> bool:
    """Whether a document is a trajectory: steps and a history, or a history of an agent alone."""
    document: object = opened.document
    return is_object(document) and (is_run(document) or any(map(is_run, attempts_of(document))))


def attempts_of(document: Object) -> list[Object]:
    """Return the attempts of a run that was tried again."""
    return objects(document.get("attempts"))


def is_run(document: Mapping[str, object]) -> bool:
    """Whether an object is one run."""
    history, steps = objects(document.get("history")), objects(document.get("trajectory"))
    if not history or not {"role", "content"} <= history[0].keys():
        return False
    alone = document.keys() == {"history"} and "agent" in history[0]
    return alone or (bool(steps) and {"action", "observation"} <= steps[0].keys())


SWE_AGENT = Form(
    name=FORM_NAME,
    what="a trajectory of SWE-agent",
    fits=fits,
    records=records,
)

"""mini-swe-agent: trajectories, bare lists of messages of its version 1 and documents since then.

Its only tool is a shell. What a command put out stands whole in `extra.raw_output`, where the
version keeps it; in a bare list the message after a command is its output.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ullage.sources.drafts import Draft, ended
from ullage.sources.form import Form
from ullage.sources.opened import Opened, is_object
from ullage.sources.record import Record
from ullage.sources.times import seconds_of
from ullage.transcript.finding import Source
from ullage.transcript.message import Message, ToolCall
from ullage.transcript.served import Label
from ullage.transcript.transcript import Entry, Produced, Transcript
from ullage.wire.contents import text_of
from ullage.wire.members import NOTHING, Object, compact, inside, objects, text
from ullage.wire.openai_chat import ROLES, first_choice, read_calls, usage_of

FORM_NAME = "mini-swe-agent"
BLOCK = re.compile(r"```(?:mswea_bash_command|bash)\s*\n(.*?)\n?```", re.DOTALL)
"""Where a reply of version 1 holds its command."""
OUTPUT = re.compile(r"\s*<returncode>")
"""How the output of a command begins there."""
LABELS: Mapping[str, Label] = {
    "stop": "complete",
    "tool_calls": "complete",
    "length": "cut-by-limit",
    "content_filter": "cut-by-server",
}
EXIT = "exit"
"""The role of what ends a run: no model is given it."""


@dataclass(slots=True)
class Run:
    """A run while it is read; `pending` are the calls that are not yet answered."""

    draft: Draft
    pending: list[ToolCall] = field(default_factory=list)

    def add(self, raw: Object) -> None:
        """Add a message."""
        word = text(raw, "role")
        role = ROLES.get(word or "")
        extra = inside(raw, "extra")
        if role == "assistant":
            entry = self.reply(raw, extra)
        elif role == "tool" or "raw_output" in extra or self.follows(role, extra):
            entry = self.result(raw, extra)
        else:
            if role is None and word != EXIT:
                self.draft.unread[f"message {word}"] += 1
            message = Message(role=role or "user", text=text_of(raw.get("content")))
            entry = Entry(message=message, in_context=role is not None)
        at = seconds_of(extra.get("timestamp"))
        key = f"messages {len(self.draft.entries)}"
        self.draft.add(replace(entry, source=self.draft.base.source, at=at, key=key))

    def follows(self, role: str | None, extra: Object) -> bool:
        """Whether a message is the output of a command by its place alone."""
        return role == "user" and not extra and bool(self.pending)

    def reply(self, raw: Object, extra: Object) -> Entry:
        """Return what the model wrote."""
        answer = inside(extra, "response")
        said = text_of(raw.get("content"))
        self.pending = commands_of(raw, extra, said, f"action {len(self.draft.entries)}")
        message = Message(role="assistant", text=said, calls=tuple(self.pending))
        used = inside(answer, "usage")
        finish = text(first_choice(answer), "finish_reason")
        return Entry(
            message=message,
            usage=usage_of(used) if used else None,
            label=ended(finish, LABELS, message),
            finish_reason=finish,
            model=text(answer, "model"),
        )

    def result(self, raw: Object, extra: Object) -> Entry:
        """Return the output of a command."""
        told = text(raw, "tool_call_id")
        call = next((one for one in self.pending if told in (None, one.call_id)), None)
        if call is not None:
            self.pending.remove(call)
        whole = text(extra, "raw_output")
        code = extra.get("returncode")
        return Entry(
            message=Message(
                role="tool",
                text=text_of(raw.get("content")),
                answers=told or (call.call_id if call else None),
                name=call.name if call else None,
            ),
            failed=isinstance(code, int) and code != 0,
            produced=None if whole is None else Produced(text=whole),
        )


def commands_of(raw: Object, extra: Object, said: str, key: str) -> list[ToolCall]:
    """Return the commands of a reply: its calls, its actions, or the block in its text."""
    called = list(read_calls(raw))
    if called:
        return called
    actions = [one for action in objects(extra.get("actions")) if (one := text(action, "command"))]
    blocks: Sequence[str] = actions or BLOCK.findall(said)
    # A text with two blocks is refused, and what follows is no output.
    if not actions and len(blocks) != 1:
        return []
    return [
        ToolCall(call_id=f"{key}.{number}", name="bash", arguments=compact({"command": one}))
        for number, one in enumerate(blocks)
    ]


def records(opened: Opened) -> Iterator[Record]:
    """Yield the run of a file."""
    held: object = opened.document
    document = held if is_object(held) else NOTHING
    messages = objects(document.get("messages") if document else held)
    info = inside(document, "info")
    base = Transcript(
        session=opened.name,
        form=FORM_NAME,
        entries=(),
        source=Source(path=opened.name, line=1 if opened.one_line else None),
        agent="mini-swe-agent",
        version=text(info, "mini_version"),
        model=text(inside(inside(info, "config"), "model"), "model_name"),
    )
    run = Run(draft=Draft(base=base, records=len(messages)))
    for one in messages:
        run.add(one)
    yield run.draft.done()


def fits(opened: Opened) -> bool:
    """Whether a document says that it is one, or is a list of commands and their outputs."""
    held: object = opened.document
    if is_object(held):
        said = text(held, "trajectory_format") or ""
        own = said.startswith("mini-swe-agent") or "mini_version" in inside(held, "info")
        return own and isinstance(held.get("messages"), list)
    return isinstance(held, list) and is_first_version(held)


def is_first_version(held: Sequence[object]) -> bool:
    """Whether a list is one of version 1: plain messages, a command and its output in turn."""
    plain = all(is_object(one) and one.keys() == {"role", "content"} for one in held)
    messages = objects([*held])
    if not plain or [text(one, "role") for one in messages[:3]] != ["system", "user", "assistant"]:
        return False
    asked = BLOCK.search(text(messages[2], "content") or "")
    given = any(OUTPUT.match(text(one, "content") or "") for one in messages[3:4])
    return asked is not None and given


MINI_SWE_AGENT = Form(
    name=FORM_NAME,
    what="a trajectory of mini-swe-agent",
    fits=fits,
    records=records,
)

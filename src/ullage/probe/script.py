"""What the scripted model says: turns in a plan, chosen by the conversation alone. Pure."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from ullage.probe.request import ChatRequest

FinishReason = Literal["stop", "length", "tool_calls", "content_filter"]
FINAL_ANSWER = "final_answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool to call; arguments that are a string are sent as they stand, also when broken."""

    name: str
    arguments: Mapping[str, object] | str = field(default_factory=dict)

    @property
    def arguments_text(self) -> str:
        """The arguments as the wire has them."""
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One reply: a text, or calls."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    finish_reason: FinishReason | None = None

    @property
    def finished_by(self) -> FinishReason:
        """The reason that the reply gives for its end."""
        return self.finish_reason or ("tool_calls" if self.calls else "stop")


Script = Callable[[ChatRequest], Turn]
"""Says what comes next in a conversation; the same request always gets the same turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A script that is a list of turns: the number of assistant messages says which is next.

    Past the end, the last turn that is a text is said again.
    """

    turns: tuple[Turn, ...]

    def __call__(self, request: ChatRequest) -> Turn:
        """Return the turn after the assistant messages of `request`."""
        if request.assistant_messages < len(self.turns):
            return self.turns[request.assistant_messages]
        texts = [turn for turn in self.turns if not turn.calls]
        return texts[-1] if texts else Turn(text="done")


def first_tool_once(request: ChatRequest) -> Turn:
    """Call the first tool that is offered, once and without arguments; then say that it is done.

    Agents that end by a tool named final_answer get that call instead of the text.
    """
    offered = request.tools or ()
    tools = [name for name in offered if name != FINAL_ANSWER]
    if tools and not request.assistant_messages:
        return Turn(calls=(Call(name=tools[0]),))
    if FINAL_ANSWER in offered:
        return Turn(calls=(Call(name=FINAL_ANSWER, arguments={"answer": "done"}),))
    return Turn(text="done")


def first_tool_each_turn(request: ChatRequest) -> Turn:
    """Call the first tool once for each thing that the user says, whatever was said before it."""
    return first_tool_once(replace(request, assistant_messages=int(request.answered)))


def offered_only(turn: Turn, request: ChatRequest) -> Turn:
    """Return `turn`, or a text that says which of its tools the request does not offer."""
    if request.tools is None:
        return turn
    missing = [call.name for call in turn.calls if call.name not in request.tools]
    if not missing:
        return turn
    offered = ", ".join(request.tools) or "none"
    return Turn(
        text=f"scripted: the plan calls {', '.join(missing)}, "
        f"which this request does not offer (offered: {offered})"
    )

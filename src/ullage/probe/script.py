"""What the scripted model says: turns in a plan, chosen by the conversation alone. Pure."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from ullage.probe.request import ModelRequest

FinishReason = Literal["stop", "length", "tool_calls", "content_filter"]
FINAL_ANSWER = "final_answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool to call; arguments that are a string are sent as they stand, also when broken.

    With `like`, the tool is the first that is offered whose name contains `name`, in any case of
    letters.
    """

    name: str
    arguments: Mapping[str, object] | str = field(default_factory=dict)
    like: bool = False

    @property
    def arguments_text(self) -> str:
        """The arguments as the wire has them."""
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)

    @property
    def arguments_object(self) -> Mapping[str, object] | None:
        """The arguments for a protocol that has them as an object; None where they are none."""
        if not isinstance(self.arguments, str):
            return self.arguments
        try:
            found = json.loads(self.arguments)
        except (ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """An answer that is an error: its status, and what for.

    `kind` is "overflow" where the prompt of `tokens` is larger than the `window`, "planned" where
    the plan says so, "not-held" for a reply that the server does not hold, else "faulty": a request
    that cannot be answered.
    """

    status: int
    kind: Literal["overflow", "planned", "not-held", "faulty"]
    message: str = ""
    tokens: int = 0
    window: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One reply: a text, or calls, or an error."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    finish_reason: FinishReason | None = None
    refused: Refusal | None = None

    @property
    def finished_by(self) -> FinishReason:
        """The reason that the reply gives for its end."""
        return self.finish_reason or ("tool_calls" if self.calls else "stop")


Script = Callable[[ModelRequest], Turn]
"""Says what comes next in a conversation; the same request gets the same turn, errors apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A script that is a list of turns: the number of assistant messages says which is next.

    Past the end, the last turn that is a text is said again. With `each_user_turn` the plan starts
    anew with each thing that the user says. A turn that is an error is passed once it was given: it
    leaves no message. A prompt of more tokens than `window` gets the provider's overflow error.
    """

    turns: tuple[Turn, ...]
    each_user_turn: bool = False
    window: int | None = None

    def __call__(self, request: ModelRequest) -> Turn:
        """Return the turn after the replies that `request` has had."""
        if self.window is not None and request.tokens > self.window:
            return overflow(request, self.window)
        said, failed = self.said(request), request.failed
        for turn in self.turns:
            if turn.refused and failed:
                failed -= 1
            elif not turn.refused and said:
                said -= 1
            else:
                return turn
        texts = [turn for turn in self.turns if not turn.calls and not turn.refused]
        return texts[-1] if texts else Turn(text="done")

    def said(self, request: ModelRequest) -> int:
        """Count the turns that were said; a result whose call is gone from the history had one."""
        if not self.each_user_turn:
            return request.assistant_messages
        return max(request.turn_messages, int(request.answered))


def overflow(request: ModelRequest, window: int) -> Turn:
    """Return the error that a prompt gets which is larger than the model's window."""
    refused = Refusal(status=400, kind="overflow", tokens=request.tokens, window=window)
    return Turn(refused=refused)


def first_tool_once(request: ModelRequest) -> Turn:
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


def first_tool_each_turn(request: ModelRequest) -> Turn:
    """Call the first tool once for each thing that the user says, whatever was said before it."""
    return first_tool_once(replace(request, assistant_messages=int(request.answered)))


def offered_only(turn: Turn, request: ModelRequest) -> Turn:
    """Return `turn` with its tools by their names, or a text that says which are not offered."""
    if request.tools is None:
        return turn
    named = [offered_name(call, request.tools) for call in turn.calls]
    missing = [call.name for call, name in zip(turn.calls, named, strict=True) if name is None]
    if not missing:
        calls = zip(turn.calls, named, strict=True)
        return replace(
            turn, calls=tuple(Call(name=name or "", arguments=one.arguments) for one, name in calls)
        )
    offered = ", ".join(request.tools) or "none"
    return Turn(
        text=f"scripted: the plan calls {', '.join(missing)}, "
        f"which this request does not offer (offered: {offered})"
    )


def offered_name(call: Call, tools: tuple[str, ...]) -> str | None:
    """Return the name of the tool that a call means, None where it is not offered."""
    if call.like:
        return next((name for name in tools if call.name.lower() in name.lower()), None)
    return call.name if call.name in tools else None

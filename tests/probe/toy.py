"""A small harness that loses what it is told to lose, and what a probe sees of it."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ullage.probe.canary import Payload, payload, prompt
from ullage.probe.case import Case
from ullage.probe.observed import Ended, Observed
from ullage.probe.script import Call, Turn

Raw = dict[str, object]
Cut = Callable[[str], str]
Trim = Callable[[list[Raw]], list[Raw]]
FETCH = Turn(calls=(Call(name="fetch_rows"),))
CHAT = "/v1/chat/completions"


@dataclass(frozen=True, kw_only=True)
class Told:
    """One request as a server saw it."""

    number: int
    body: Raw
    turn: Turn | None
    status: int = 200
    path: str = CHAT

    @property
    def size(self) -> int:
        return len(json.dumps(self.body).encode())


def whole(text: str) -> str:
    return text


def all_of(messages: list[Raw]) -> list[Raw]:
    return messages


def written(made: Payload) -> str:
    return made.text


@dataclass(kw_only=True)
class Toy:
    """An agent with one tool. `cut` shortens a result, `trim` a history before each request.

    `write` is how a payload becomes the tool's text. `before` may ask the model something else
    before each request, given the history and what is left of it.
    """

    case: Case
    cut: Cut = whole
    trim: Trim = all_of
    write: Callable[[Payload], str] = written
    before: Callable[["Toy", list[Raw], list[Raw]], None] = lambda toy, old, new: None
    role: str = "tool"
    messages: list[Raw] = field(default_factory=list)
    asked: list[Told] = field(default_factory=list)
    payloads: list[Payload] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)

    def run(self) -> Observed:
        """Say every prompt and do what the model says."""
        for turn in range(self.case.turns):
            self.messages.append({"role": "user", "content": prompt(self.case, turn)})
            if self.case.size and self.case.kind != "user":
                self.ask(FETCH)
                self.fetch()
            done = Turn(text="done" if self.case.size else "noted")
            self.ask(done)
            self.answers.append(done.text)
        return self.observed()

    def observed(self, *, error: str | None = None, ended: Ended = "done") -> Observed:
        return Observed(
            case=self.case,
            asked=self.asked,
            payloads=self.payloads,
            answers=self.answers,
            error=error,
            ended=ended,
        )

    def ask(self, turn: Turn, *, status: int = 200) -> None:
        """Send the history, and take in the reply."""
        kept = self.trim(list(self.messages))
        self.before(self, self.messages, kept)
        self.send([{"role": "system", "content": "You are a helpful agent."}, *kept], turn, status)
        if status == 200:
            self.messages.append(as_message(turn, len(self.payloads)))

    def send(
        self, messages: Sequence[Raw], turn: Turn, status: int = 200, *, tools: bool = True
    ) -> None:
        """Send one request."""
        body: Raw = {"model": self.case.model, "messages": list(messages)}
        if tools:
            body["tools"] = [{"type": "function", "function": {"name": "fetch_rows"}}]
        number = len(self.asked) + 1
        self.asked.append(Told(number=number, body=body, turn=turn, status=status))

    def fetch(self) -> None:
        """Call the tool, and put its result behind the call."""
        made = payload(self.case, len(self.payloads))
        self.payloads.append(made)
        result: Raw = {"role": self.role, "content": self.cut(self.write(made))}
        if self.role == "tool":
            result["tool_call_id"] = f"call_{len(self.payloads) - 1}"
        self.messages.append(result)


def as_message(turn: Turn, number: int) -> Raw:
    """Write a reply down as a message."""
    if not turn.calls:
        return {"role": "assistant", "content": turn.text}
    calls = [
        {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": call.name, "arguments": call.arguments_text},
        }
        for call in turn.calls
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}

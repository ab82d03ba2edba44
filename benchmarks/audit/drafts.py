"""A session while it is being made: messages in order, with what its log says beside them."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from ullage.transcript.finding import Source
from ullage.transcript.message import Message, Role, ToolCall
from ullage.transcript.served import Usage
from ullage.transcript.transcript import Act, Compaction, Entry, Produced, Transcript

AGENTS = ("harness-a", "harness-b", "crew", None)
MODELS = (("gpt-4o", 128_000), ("claude-sonnet-4-5", 200_000), ("local-model", 32_768))


@dataclass(slots=True)
class Draft:
    """One session. `tokens` is what the model is said to read at each of its messages, if known."""

    draw: Random
    name: str = ""
    language: str = "en"
    tokens: int | None = None
    entries: list[Entry] = field(default_factory=list)
    compactions: list[Compaction] = field(default_factory=list)
    model: tuple[str, int] = MODELS[0]
    agent: str | None = None
    grown: int = 0

    def add(self, message: Message, **more: Any) -> int:
        """Append one message, and return its place."""
        at = len(self.entries)
        source = Source(path=f"{self.name}.jsonl", line=at + 1)
        usage = None
        if self.tokens is not None and message.role == "assistant":
            usage = Usage(input=self.tokens + self.grown // 4, output=len(message.text) // 4 + 1)
        self.entries.append(Entry(message=message, source=source, usage=usage, **more))
        self.grown += len(message.text)
        return at

    def say(self, role: Role, text: str) -> int:
        """Append what somebody said."""
        return self.add(Message(role=role, text=text))

    def system(self, text: str) -> int:
        """Append system text."""
        return self.say("system", text)

    def user(self, text: str) -> int:
        """Append what a person said."""
        return self.say("user", text)

    def wrote(self, text: str) -> int:
        """Append what the model said."""
        return self.say("assistant", text)

    def call(
        self,
        tool: str,
        given: str,
        arguments: dict[str, Any] | None = None,
        *,
        produced: str | None = None,
        failed: bool = False,
        text: str = "",
    ) -> int:
        """Append a call and its result; return the place of the result."""
        return self.calls([(tool, arguments or {}, given, produced, failed)], text=text)[0]

    def calls(
        self,
        made: Sequence[tuple[str, dict[str, Any], str, str | None, bool]],
        *,
        text: str = "",
    ) -> list[int]:
        """Append calls made at once, and their results."""
        ids = [f"call_{self.draw.getrandbits(48):012x}" for _ in made]
        calls = tuple(
            ToolCall(call_id=one, name=tool, arguments=json.dumps(arguments, ensure_ascii=False))
            for one, (tool, arguments, *_) in zip(ids, made, strict=True)
        )
        self.add(Message(role="assistant", text=text, calls=calls))
        return [
            self.add(
                Message(role="tool", text=given, answers=one, name=tool),
                produced=None if produced is None else Produced(text=produced),
                failed=failed,
            )
            for one, (tool, _, given, produced, failed) in zip(ids, made, strict=True)
        ]

    def compact(
        self,
        stays: Iterable[int],
        stands_in: Sequence[tuple[Role, str]] = (),
        *,
        act: Act = "summarise",
        recorded: bool = True,
        shown: Sequence[int] | None = None,
        cleared: Sequence[int] = (),
        **more: Any,
    ) -> Compaction:
        """Let older messages go: those that stay, then texts that stand for the others."""
        at = len(self.entries)
        fresh = [self.say(role, text) for role, text in stands_in]
        order = [*fresh, *stays]
        head = [one for one in order if self.entries[one].message.role == "system"]
        tail = [one for one in order if one not in head]
        one = Compaction(
            at=at,
            act=act,
            after=(*head, *tail),
            summary=tuple(fresh) if act == "summarise" else (),
            recorded=recorded,
            shown=None if shown is None else tuple(shown),
            cleared=tuple(cleared),
            **more,
        )
        self.compactions.append(one)
        return one

    def done(self, **more: Any) -> Transcript:
        """Return the transcript."""
        return Transcript(
            **{
                "session": self.name,
                "form": "audit",
                "entries": self.entries,
                "compactions": self.compactions,
                "source": Source(path=f"{self.name}.jsonl"),
                "agent": self.agent,
                "model": self.model[0],
                "window": self.model[1],
                **more,
            }
        )


def draft(draw: Random, language: str = "en", *, tokens: int | None = None) -> Draft:
    """Begin a session with a name, an agent and a model."""
    return Draft(
        draw=draw,
        name=f"s{draw.getrandbits(40):010x}",
        language=language,
        tokens=tokens,
        model=draw.choice(MODELS),
        agent=draw.choice(AGENTS),
    )

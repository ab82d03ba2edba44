"""The harness: asks an agent, runs the tools that it calls, and keeps the history of a stage."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ullage.lab.experiment.delivery import delivered
from ullage.lab.experiment.memory import Memory, Message
from ullage.lab.experiment.taps import Taps, message_of
from ullage.lab.experiment.tools import ANSWER, Stage, Tools, offered
from ullage.lab.experiment.turn import Agent, Turn

Ended = Literal["done", "limit"]
"""The agent had said its last word, or had made as many calls as it may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageEnd:
    """How a stage ended: its last words, the answer that was given in it, if one was."""

    ended: Ended
    words: str
    answer: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Harness:
    """An agent with its tools and both taps on. The settings are those of the tools."""

    agent: Agent
    tools: Tools
    taps: Taps
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def stage(self, stage: Stage, head: Sequence[Message]) -> StageEnd:
        """Let the agent work from the first messages on, until it stops or is stopped."""
        memory = Memory(units=[], called=Counter())
        settings, limits = self.tools.settings, self.tools.limits
        made = 0
        while made < limits.calls:
            summary = memory.summarise(settings.summarise, limits)
            if summary is not None:
                self.taps.summarised(summary.shown, summary.text)
            body = {
                "model": self.taps.cohort,
                "messages": [*head, *memory.messages(settings.retain, limits)],
                "tools": offered(stage, settings),
            }
            turn = self.agent(body)
            ids = [next(self.numbers) for _ in turn.calls]
            message = message_of(turn, ids[0] if ids else 0)
            self.taps.delivered(body, message, stage)
            if not turn.calls:
                return StageEnd(ended="done", words=turn.words, answer=None)
            results = self.results(turn, message, stage)
            memory.units.append((message, *results))
            made += len(turn.calls)
            for call in turn.calls:
                if stage == "decide" and call.tool == ANSWER:
                    culprit = str(call.arguments.get("culprit", ""))
                    return StageEnd(ended="done", words=turn.words, answer=culprit)
        return StageEnd(ended="limit", words="", answer=None)

    def results(self, turn: Turn, message: Message, stage: Stage) -> list[Message]:
        """Run the calls of a turn; return the messages that answer them."""
        answers = []
        for call, told in zip(turn.calls, message["tool_calls"], strict=True):
            result = self.tools.call(call.tool, call.arguments)
            self.taps.produced(call.tool, call.arguments, told["id"], result, stage)
            text = delivered(result, self.tools.settings, self.tools.limits, self.tools.spilled)
            answers.append({"role": "tool", "tool_call_id": told["id"], "content": text})
        return answers

"""Which requests of a case are the acting model's, and which are asked beside it."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Literal

from ullage.probe.canary import Payload, found, prompt, turn_id
from ullage.probe.observed import Observed, Seen
from ullage.probe.script import Call
from ullage.transcript.message import Message
from ullage.wire.results import is_result

Guess = Literal["title", "summariser", "compressor", "other"]
"""What an auxiliary request may be for, by the words of its instruction: a hint only."""

TITLE = re.compile(r"\btitle\b", re.IGNORECASE)
COMPRESS = re.compile(
    r"\bcompress\w*[^.\n]{0,80}\btool|\btool[^.\n]{0,80}\bcompress", re.IGNORECASE
)
SUMMARISE = re.compile(
    r"\bsummar(?:y|i[sz]\w*)|\bcompact\w*|\bcondens\w*|\bcompress\w*|\bcontinuation\b|\bhand-?off\b",
    re.IGNORECASE,
)
FINAL_ANSWER = "final_answer"
SHORT = 200
"""A longer text that the user did not say is an instruction of the harness's, and no "go on"."""


class Story:
    """The requests of one case as they are judged: sorted, with the ids in each text.

    Requests repeat their history, so a text is searched once.
    """

    def __init__(self, observed: Observed) -> None:
        self.observed = observed
        self.case = observed.case
        self._ids: dict[str, frozenset[str]] = {}

    @cached_property
    def turns(self) -> dict[str, int]:
        """The turns of the user, from 0, by their ids."""
        return {turn_id(self.case, turn): turn for turn in range(self.case.turns)}

    @cached_property
    def prompts(self) -> Sequence[str]:
        """What the user says, turn by turn."""
        return [prompt(self.case, turn) for turn in range(self.case.turns)]

    @cached_property
    def acting(self) -> Sequence[Seen]:
        """The requests of the acting model (and of its sub-agents), in their order."""
        return [one for one in self.observed.seen if self._is_acting(one)]

    @cached_property
    def auxiliary(self) -> Sequence[Seen]:
        """The other requests: summaries, titles, compressed results."""
        acting = {one.number for one in self.acting}
        return [one for one in self.observed.seen if one.number not in acting]

    @cached_property
    def replies(self) -> frozenset[str]:
        """What the scripted model has said."""
        return frozenset(one.turn.text for one in self.observed.seen)

    @cached_property
    def summaries(self) -> frozenset[str]:
        """What the scripted model has written where it was asked for a summary."""
        return frozenset(
            one.turn.text for one in self.auxiliary if guess(self, one) == "summariser"
        )

    @cached_property
    def asking(self) -> Sequence[Seen]:
        """The acting model's requests whose replies called the tool, once for each call."""
        return [one for one in self.acting for _ in range(self.fetches(one))]

    def fetches(self, one: Seen) -> int:
        """Count the calls of the tool that a reply makes, be it in code."""
        calls = sum(self._is_fetch(call) for call in one.turn.calls)
        return calls or int(f"{self.observed.tool}(" in one.turn.text)

    def is_tool(self, name: str) -> bool:
        """Whether a tool is the one that returns the payloads, by the word in its name."""
        return self.observed.tool.lower() in name.lower()

    def other_calls(self, one: Seen) -> int:
        """Count the other calls that a reply makes, but the one that ends a run."""
        others = (call for call in one.turn.calls if not self._is_fetch(call))
        return sum(call.name != FINAL_ANSWER for call in others)

    def made_by(self, one: Seen) -> Sequence[Payload]:
        """Return the payloads that the reply to a request called for."""
        pairs = zip(self.asking, self.observed.payloads, strict=False)
        return [made for asking, made in pairs if asking.number == one.number]

    def ids(self, text: str) -> frozenset[str]:
        """Return the ids in a text."""
        if text not in self._ids:
            self._ids[text] = frozenset(found(text))
        return self._ids[text]

    def given(self, one: Seen) -> frozenset[str]:
        """Return the ids in all that a request gives and the model did not write itself."""
        texts = (message.text for message in one.messages if message.role != "assistant")
        return frozenset().union(*map(self.ids, texts))

    def said(self, one: Seen) -> frozenset[int]:
        """Return the turns of the user that stand in a request."""
        return frozenset(self.turns[name] for name in self.given(one) if name in self.turns)

    @cached_property
    def beside(self) -> Sequence[Seen]:
        """The auxiliary requests of other agents that were given the conversation to work on."""
        return [one for one in self.auxiliary if self._is_others(one)]

    def instruction(self, one: Seen) -> Message | None:
        """Return what a request is to do: its last words of the user's, or a system text behind.

        A summariser may be told what to do at the end, by the system.
        """
        last = one.messages[-1] if one.messages else None
        goes_behind = last is not None and last.role == "system" and not one.tools
        return last if goes_behind else self.asked_last(one)

    def asked_last(self, one: Seen) -> Message | None:
        """Return the last message that speaks for the user, results left out."""
        spoken = [each for each in one.messages if each.role == "user" and not self.is_result(each)]
        return spoken[-1] if spoken else None

    def is_result(self, message: Message) -> bool:
        """Whether a message carries what a tool returned."""
        if is_result(message):
            return True
        ids = self.ids(message.text)
        has_rows = any(name.startswith("row-") for name in ids)
        return has_rows and message.role == "user" and not self._has_turn(message)

    def own_words(self, message: Message | None) -> str:
        """Return what a harness says in a message besides what the user said."""
        text = "" if message is None else message.text
        for said in self.prompts:
            text = text.replace(said, "")
        return text

    @cached_property
    def _calls(self) -> Sequence[Call]:
        calls = (call for one in self.observed.seen for call in one.turn.calls)
        return [call for call in calls if call.name != FINAL_ANSWER]

    def _is_fetch(self, call: Call) -> bool:
        # A coding CLI has no such tool: then its first call prints the file.
        if any(self.is_tool(one.name) for one in self._calls):
            return self.is_tool(call.name)
        return call == self._calls[0] if self._calls else False

    @cached_property
    def _offering(self) -> bool:
        return any(one.tools for one in self.observed.seen)

    def _has_turn(self, message: Message) -> bool:
        return not self.turns.keys().isdisjoint(self.ids(message.text))

    def _is_acting(self, one: Seen) -> bool:
        last = self.instruction(one)
        words = self.own_words(last)
        is_users = last is not None and self._has_turn(last)
        if one.tools:
            # A task that is handed over may speak of summaries.
            if is_users or self.case.kind == "handoff":
                return True
            return SUMMARISE.search(words) is None and not self._is_others(one)
        if not self._offering:
            return SUMMARISE.search(words) is None and TITLE.search(words) is None
        goes_on = any(each.role in ("assistant", "tool") for each in one.messages)
        is_short = is_users or len(words) < SHORT
        return goes_on and is_short and SUMMARISE.search(words) is None

    def _is_others(self, one: Seen) -> bool:
        """Whether another agent is given what the user said, and a long instruction behind it.

        A CLI has its memory looked after like that. It has tools and a system text of its own: an
        agent that works for the user goes on with those of the first request, and a helper of it is
        not given the conversation.
        """
        first = next((each for each in self.observed.seen if each.tools), None)
        last = self.asked_last(one)
        if first is None or last is None or one.tools in (None, first.tools):
            return False
        is_told = not self._has_turn(last) and len(self.own_words(last)) >= SHORT
        return is_told and bool(self.said(one)) and system_of(one) != system_of(first)


def system_of(one: Seen) -> str:
    """Return the system texts of a request."""
    return "\n".join(each.text for each in one.messages if each.role == "system")


def guess(story: Story, one: Seen) -> Guess:
    """Guess what an auxiliary request is for."""
    if one in story.beside:
        return "other"
    words = f"{system_of(one)}\n{story.own_words(story.instruction(one))}"
    if COMPRESS.search(words):
        return "compressor"
    if SUMMARISE.search(words):
        return "summariser"
    return "title" if TITLE.search(words) else "other"

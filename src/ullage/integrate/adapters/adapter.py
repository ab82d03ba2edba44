"""The one thing that an adapter holds: its settings, and what it remembers of conversations."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from ullage.history import finding_tool, recall_tool
from ullage.history.compact import compact, compact_async
from ullage.history.compacted import Compacted
from ullage.history.recall import offers
from ullage.history.recall_tool import Recall
from ullage.history.recorded import record_events
from ullage.integrate.adapters.carried import Carried
from ullage.integrate.adapters.entries import (
    Document,
    Entry,
    Fitted,
    at_given_places,
    ended,
    list_of,
    marked_again,
    started,
)
from ullage.integrate.adapters.fitting import Fitting
from ullage.integrate.adapters.memory import Memory
from ullage.integrate.adapters.results import (
    Handed,
    cut_texts,
    keep_handed_on,
    keep_produced,
)
from ullage.tap.arguments import canonical
from ullage.tap.calls import UNDER_WAY, Call
from ullage.tap.environment import TapSettings, recording_to
from ullage.tap.tool import guarded, ledger_of, text_of


class OwnTool(NamedTuple):
    """A tool of Ullage's: a plain function, its name, and what a model is told of it."""

    name: str
    description: str
    function: Callable[..., str]
    parameters: Mapping[str, Any]


def always(_: Handed) -> bool:
    """Let every cut go on."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What a compaction begins with: what was given, and what of it was done before."""

    given: Sequence[Any]
    entries: Sequence[Entry]
    messages: Sequence[Any]
    document: Document
    budget: int


class Adapter:
    """Cuts results and shortens histories as a `Fitting` says. Threads and tasks may share it."""

    def __init__(self, fitting: Fitting) -> None:
        self.fitting = fitting
        self.recall = None if fitting.store is None else Recall(fitting.store)
        self.carried = Carried(fitting.handoff, fitting.stage)
        self._memory = Memory()

    def own_tools(self) -> list[OwnTool]:
        """Return the tools that the agent is to have beside its own."""
        made: list[OwnTool] = []
        if self.recall is not None:
            function = self.recall.recall
            made.append(
                OwnTool(recall_tool.NAME, recall_tool.DESCRIPTION, function, recall_tool.PARAMETERS)
            )
        if self.fitting.handoff is not None:
            function = self.fitting.handoff.tool()
            made.append(
                OwnTool(
                    finding_tool.NAME, finding_tool.DESCRIPTION, function, finding_tool.PARAMETERS
                )
            )
        return made

    def is_own(self, tool: str | None) -> bool:
        """Whether a tool is one of these: their answers are short already, and no result."""
        return tool in [one.name for one in self.own_tools()]

    @contextmanager
    def call(self, tool: str, call_id: str | None = None) -> Iterator[Call]:
        """Stand around a framework's own call of a tool; `call_id` is the model's name for it."""
        call = Call(call_id=call_id, tool=tool)
        token = UNDER_WAY.set(call)
        try:
            with recording_to(self.fitting.recording()):
                yield call
        finally:
            UNDER_WAY.reset(token)

    def result(self, call: Call, arguments: object, value: object) -> Handed:
        """Record a value as produced, cut its text to the budget, record what is handed on."""
        return self.texts(call, arguments, [text_of(value)])

    def texts(
        self,
        call: Call,
        arguments: object,
        texts: Sequence[str],
        *,
        may_go: Callable[[Handed], bool] = always,
    ) -> Handed:
        """Do the same to a result that is several texts, which share the budget.

        Where a cut may not go on, for reasons of the framework's, the texts do as they came.
        """
        if self.is_own(call.tool):
            return Handed(texts=tuple(texts))
        with recording_to(self.fitting.recording()):
            keep_produced(call, arguments, "".join(texts))
            handed = self.cut(texts, tool=call.tool or "", arguments=arguments)
            if handed.cut and not may_go(handed):
                handed = Handed(texts=tuple(texts))
            keep_handed_on(call, handed.text)
        return handed

    def cut(self, texts: Sequence[str], *, tool: str = "", arguments: object = None) -> Handed:
        """Cut texts to the budget of one result, and record nothing."""
        budget = self.fitting.result_budget()
        if budget is None or not texts:
            return Handed(texts=tuple(texts))
        store = self.fitting.store
        handle = None if store is None else offers(store, tool=tool, call=canonical(arguments))
        return cut_texts(texts, budget, self.fitting.keep, handle)

    def history(self, document: Document) -> Fitted | None:
        """Shorten a request to the budget; None where the settings leave histories alone.

        `document` is a body in a provider's form, its tools and its output limit included.
        Raises HistoryError where it cannot be done.
        """
        start = self._started(document)
        if start is None:
            return None
        done = compact(start.document, start.budget, **self.fitting.options())
        return self._ended(start, done)

    async def history_async(self, document: Document) -> Fitted | None:
        """Do the same without holding an event loop while a summariser is asked."""
        start = self._started(document)
        if start is None:
            return None
        done = await compact_async(start.document, start.budget, **self.fitting.options())
        return self._ended(start, done)

    def _started(self, document: Document) -> Start | None:
        if self.fitting.history is None:
            return None
        name = list_of(document)
        given = list(document[name])
        known, length = self._memory.beginning(given)
        entries = started(given, known, length)
        messages = marked_again(given, entries)
        return Start(
            given=given,
            entries=entries,
            messages=messages,
            document={**document, name: messages},
            budget=self.fitting.history,
        )

    def _ended(self, start: Start, done: Compacted) -> Fitted:
        entries = ended(start.entries, start.messages, done)
        if done.changed:
            self._memory.keep(start.given, entries)
            with recording_to(self.fitting.recording()):
                note(done)
        changed = entries != [Entry(place=place) for place in range(len(start.given))]
        return Fitted(
            entries=tuple(entries),
            compacted=at_given_places(done, start.entries),
            changed=changed,
        )


def note(done: Compacted) -> None:
    """Record what was done to a history; it is logged already."""

    def act(settings: TapSettings) -> None:
        record_events(ledger_of(settings), settings.run, done, time.time())

    guarded(act)

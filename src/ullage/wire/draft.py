"""A reply as far as it has been read: readers fill it in, and it gives the reply and its label."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ullage.transcript.message import Message, ToolCall
from ullage.transcript.served import Label, Usage
from ullage.wire.failures import said_of
from ullage.wire.members import Object
from ullage.wire.reply import AppliedEdit, Compaction, Reply
from ullage.wire.request import Scalar

Stop = Literal["limit", "server", "malformed"]
"""Why a reply ended, where it did not end by itself."""


@dataclass(slots=True)
class DraftCall:
    """A call as far as it has come; the arguments of a `free` one are no JSON."""

    call_id: str | None = None
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    free: bool = False

    def done(self) -> ToolCall:
        """Return the call."""
        return ToolCall(call_id=self.call_id, name=self.name, arguments="".join(self.arguments))

    def parses(self) -> bool:
        """Whether the arguments can be read; none at all is what a tool without any gets."""
        said = "".join(self.arguments)
        if self.free or not said.strip():
            return True
        try:
            json.loads(said)
        except (ValueError, RecursionError):
            return False
        return True


@dataclass(slots=True)
class Draft:
    """A reply as far as it has come.

    Texts, calls and thoughts are held by the place of their block, in order of first appearance.
    `ended` says that its terminal event, or the whole of its JSON, was there. `wrote` that it
    holds something besides text and calls: an image, what a tool of the server's found.
    `compactions` are the texts of the blocks that stand for older history, if they can be read.
    """

    streamed: bool = False
    ended: bool = False
    pending: bool = False
    known: bool = False
    stop: Stop | None = None
    finish_reason: str | None = None
    texts: dict[object, list[str]] = field(default_factory=dict)
    calls: dict[object, DraftCall] = field(default_factory=dict)
    reasoning: dict[object, int] = field(default_factory=dict)
    wrote: bool = False
    usage: Usage | None = None
    model: str | None = None
    compactions: dict[object, list[str]] = field(default_factory=dict)
    applied_edits: tuple[AppliedEdit, ...] | None = None
    error: str | None = None
    echoes: Mapping[str, Scalar] = field(default_factory=dict)
    ids: tuple[str, ...] = ()
    not_understood: int = 0

    def write(self, key: object, text: str | None) -> None:
        """Add to the text of the block of a key."""
        if text:
            self.texts.setdefault(key, []).append(text)

    def think(self, key: object, text: str | None) -> None:
        """Count what is thought before the answer."""
        self.reasoning[key] = self.reasoning.get(key, 0) + len(text or "")

    def call(self, key: object) -> DraftCall:
        """Return the call of a key, a new one where it has not been seen."""
        return self.calls.setdefault(key, DraftCall())

    def finish(self, word: str | None, stops: Mapping[str, Stop]) -> None:
        """Take in the provider's word for the end, and what it stands for."""
        if word is not None:
            self.finish_reason, self.stop = word, stops.get(word)

    def fail(self, document: Object) -> None:
        """Take in the error that a document tells."""
        self.stop, self.error = "server", said_of(document)

    def done(self) -> Reply:
        """Return the reply."""
        text = "".join(piece for block in self.texts.values() for piece in block)
        calls = tuple(one.done() for one in self.calls.values())
        malformed = tuple(one.done() for one in self.calls.values() if not one.parses())
        return Reply(
            message=Message(role="assistant", text=text, calls=calls),
            finish_reason=self.finish_reason,
            label=self.label(malformed=bool(malformed), blank=not text.strip()),
            streamed=self.streamed,
            pending=self.pending,
            usage=self.usage,
            model=self.model,
            malformed_calls=malformed,
            reasoning_chars=sum(self.reasoning.values()),
            compaction=self.compaction(),
            applied_edits=self.applied_edits,
            error=self.error,
            echoes=self.echoes,
            ids=self.ids,
            not_understood=self.not_understood,
        )

    def label(self, *, malformed: bool, blank: bool) -> Label:
        """Say how the reply ended; the order is that of `Label`."""
        if self.stop == "server":
            return "cut-by-server"
        if not self.ended:
            return "empty" if self.pending else "broken-stream"
        if self.stop == "limit":
            return "cut-by-limit"
        if malformed or self.stop == "malformed" or not self.known:
            return "malformed"
        nothing = blank and not self.calls and not self.wrote and not self.compactions
        return "empty" if nothing else "complete"

    def compaction(self) -> Compaction | None:
        """Return what is known of a compaction, by its blocks and by its passes."""
        passes = self.usage.iterations if self.usage else ()
        summarising = sum(one.kind == "compaction" for one in passes)
        if not self.compactions and not summarising:
            return None
        texts = ["".join(one) for one in self.compactions.values()]
        return Compaction(
            blocks=len(self.compactions),
            iterations=summarising,
            text="\n".join(filter(None, texts)) or None,
        )

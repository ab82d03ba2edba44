"""One session of an agent as its transcript tells it: messages in order, and what replaced them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ullage.transcript.finding import Source
from ullage.transcript.message import Message
from ullage.transcript.served import Label, Usage

Act = Literal["summarise", "elide", "trim"]
"""What a compaction did: older messages gave way to a model's words, to a rule's, to nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Produced:
    """What a tool returned, as far as a transcript holds it apart from what the model was given.

    `text` is None where only its size is known, in `chars` or in `size` (bytes). `at_least` says
    that the log itself may have cut it: what was produced is this, or more.
    """

    text: str | None = None
    chars: int | None = None
    size: int | None = None
    at_least: bool = False
    source: Source = field(default_factory=Source)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One message, and what its transcript says about it.

    A result's `message.text` is what the model was given, `produced` what the tool returned, and
    `failed` that it was marked as an error. `usage`, `label` and `finish_reason` (the provider's
    word) are of a model's reply. `at` is in seconds since the epoch (UTC). `key` is its name in its
    own file. `in_context` is False for what a person was shown and the model was not. `exchange` is
    the number of the request that carried it first, where requests are known. `until` is the entry
    before which it was taken out again though nothing was lost by it: a passing note of a harness.
    """

    message: Message
    source: Source = field(default_factory=Source)
    at: float | None = None
    produced: Produced | None = None
    failed: bool = False
    usage: Usage | None = None
    label: Label | None = None
    finish_reason: str | None = None
    model: str | None = None
    key: str | None = None
    in_context: bool = True
    exchange: int | None = None
    until: int | None = None

    def is_in_force(self, before: int) -> bool:
        """Whether it is in the context right before an entry behind it, compactions aside."""
        return self.in_context and (self.until is None or self.until > before)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """A point at which older messages left the context.

    It stands before `entries[at]`. `after` are the entries in force right behind it, in their
    order: those that stayed, and those that stand for others (from `at` on: a summary, a
    placeholder); None where the transcript does not tell. `cleared` are results whose message
    stayed and whose text did not. `summary` are the entries of `after` that are a model's words;
    `shown` what the summariser was shown of the context before, None where that is not known.
    `recorded` is False where no record says so, and it was seen by comparing two requests. `opaque`
    says that what stands for the history cannot be read (encrypted). `stated` says that the history
    tells of it itself, in the words that Ullage leaves in the place of what is gone: `rules` took
    it out, under `tier` where a record names one. Tokens are those of the context, as the
    transcript gives them.
    """

    at: int
    act: Act | None = None
    after: tuple[int, ...] | None = None
    cleared: tuple[int, ...] = ()
    summary: tuple[int, ...] = ()
    shown: tuple[int, ...] | None = None
    recorded: bool = True
    opaque: bool = False
    stated: bool = False
    rules: tuple[str, ...] = ()
    tier: str | None = None
    trigger: str | None = None
    tokens_before: int | None = None
    tokens_after: int | None = None
    source: Source = field(default_factory=Source)


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """One session: what its model was given and wrote, in order, as one conversation.

    `agent` is the program that ran it, `version` the program's, `window` the model's in tokens if
    it says so. `tools` are the names of those that were offered, `settings` what requests
    asked for, by the names of their provider. The first `shared` entries are
    also in another transcript (a branch, a copied context) and are counted there. `parent` is the
    session that began this one, `parent_call` the call by which. `outcome` is a score or reward,
    `mistake` the entry that a person labelled as the decisive one. `records` counts the records of
    the file that it was made from, `unread` those of a kind that is not known, by that kind.
    `may_be_cut` says why all texts may be shorter than what the model was given (telemetry cuts
    values).
    """

    session: str
    form: str
    entries: Sequence[Entry]
    compactions: Sequence[Compaction] = ()
    source: Source = field(default_factory=Source)
    agent: str | None = None
    version: str | None = None
    model: str | None = None
    window: int | None = None
    tools: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    shared: int = 0
    parent: str | None = None
    parent_call: str | None = None
    outcome: float | None = None
    mistake: int | None = None
    records: int = 1
    unread: Mapping[str, int] = field(default_factory=dict)
    may_be_cut: str | None = None

    def context(self, before: int, compactions: Sequence[Compaction] | None = None) -> list[int]:
        """Return the entries that are in force right before `entries[before]`, in their order.

        `compactions` are those that count, all by default.
        """
        past = reversed(self.compactions if compactions is None else compactions)
        # The last one first: there may be very many.
        last = next((one for one in past if one.at <= before and one.after is not None), None)
        kept = () if last is None or last.after is None else last.after
        known = set(kept)
        begin = 0 if last is None else last.at
        fresh = (index for index in range(begin, before) if index not in known)
        return [
            *(
                index
                for index in kept
                if (until := self.entries[index].until) is None or until > before
            ),
            *(index for index in fresh if self.entries[index].is_in_force(before)),
        ]

    def pre(self, number: int) -> list[int]:
        """Return the entries in force right before `compactions[number]`."""
        return self.context(self.compactions[number].at, self.compactions[:number])

    def post(self, number: int) -> list[int] | None:
        """Return the entries in force right after it; None where the transcript does not tell."""
        after = self.compactions[number].after
        return None if after is None else list(after)

"""What a reply brought, whatever the provider's spelling, streamed or not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ullage.transcript.message import Message, ToolCall
from ullage.transcript.served import Label, Usage
from ullage.wire.request import Scalar


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """History that the server replaced: the blocks that stand for it, and their text if readable.

    `iterations` counts the passes that the summariser itself made.
    """

    blocks: int
    iterations: int
    text: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedEdit:
    """One clearing that the server did, by its word; figures are None where it gives none."""

    kind: str
    cleared_tool_uses: int | None
    cleared_input_tokens: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A reply as one message.

    `finish_reason` is the provider's word, None where there is none. `malformed_calls` are those
    whose arguments do not parse. `reasoning_chars` is what was thought before the answer and is
    not part of it. `applied_edits` is None where the reply says nothing of edits; an empty one
    proves nothing. `echoes` are the settings that the reply repeats. `ids` are those by which a
    later request can follow it. `not_understood` counts what has a shape that we do not know.
    """

    message: Message
    finish_reason: str | None
    label: Label
    streamed: bool = False
    pending: bool = False
    usage: Usage | None = None
    model: str | None = None
    malformed_calls: Sequence[ToolCall] = ()
    reasoning_chars: int = 0
    compaction: Compaction | None = None
    applied_edits: tuple[AppliedEdit, ...] | None = None
    error: str | None = None
    echoes: Mapping[str, Scalar] = field(default_factory=dict)
    ids: tuple[str, ...] = ()
    not_understood: int = 0

    @property
    def shortfall(self) -> Label | None:
        """How it ended if that is not all of an answer; None for one that is, or is to come."""
        return None if self.label == "complete" or self.pending else self.label

    @property
    def calls_usable(self) -> bool:
        """Whether the calls can be carried out as they came: all of the reply is there."""
        return self.label == "complete"

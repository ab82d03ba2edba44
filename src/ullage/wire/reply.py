"""What a reply brought, whatever the provider's spelling, streamed or not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ullage.transcript.message import Message, ToolCall
from ullage.wire.request import Scalar

Label = Literal["complete", "cut-by-limit", "cut-by-server", "broken-stream", "malformed", "empty"]
"""How a reply ended, the first that fits of:

- `cut-by-server`: the server stopped for a reason of its own: a filter, a refusal, a pause, an
  error. The answer may go on, or never come.
- `broken-stream`: the body stops before its end: a stream without its terminal event, JSON that
  ends early, no body at all.
- `cut-by-limit`: the output limit or the window was reached.
- `malformed`: a normal end, but the arguments of a call do not parse, or the body has no shape
  that we know.
- `empty`: nothing was written: no text, no call. With `pending`, it is still to come.
- `complete`: a normal end, with something written.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Iteration:
    """One pass of the model inside a reply, by the provider's word: `message`, `compaction`."""

    kind: str
    input: int
    output: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens by the provider's own count, over all passes; None where it does not say.

    `input` is all that was read, what came from the cache (`cached`) or went into it
    (`cache_written`) included. `output` is all that was written, `reasoning` included.
    """

    input: int | None = None
    output: int | None = None
    reasoning: int | None = None
    cached: int | None = None
    cache_written: int | None = None
    iterations: tuple[Iteration, ...] = ()


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

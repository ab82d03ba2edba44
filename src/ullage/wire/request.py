"""What a request asks of a model, whatever the provider's spelling."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ullage.transcript.message import Message
from ullage.wire.marks import Mark

ToolChoice = Literal["auto", "none", "required"]
Scalar = str | int | float | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a request says about how it is to be served; None and empty where it says nothing.

    `output_limit` and `window` are tokens. `context_edits` are the kinds of clearing and
    compaction that the server was asked for. `as_given` holds the single values by the provider's
    own names, to be held against what a reply repeats of them.
    """

    output_limit: int | None = None
    window: int | None = None
    truncation: str | None = None
    context_edits: tuple[str, ...] = ()
    stream: bool = False
    tool_choice: ToolChoice | None = None
    parallel_calls: bool | None = None
    json_answer: bool = False
    as_given: Mapping[str, Scalar] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request body as messages, in their order; a system text is the first one.

    `follows` is the id of the reply or conversation that the server puts before these messages,
    None where they are all. `unseen` names what else the server adds and no request shows (a
    stored prompt, cached content, items by reference), `follows` included. `compactions` counts
    the blocks that stand for older history. `marks` are the messages of the body as they stand in
    it, `head` is that of what stands before them. `not_understood` counts what has a shape that
    we do not know.
    """

    messages: Sequence[Message]
    model: str | None = None
    follows: str | None = None
    unseen: tuple[str, ...] = ()
    settings: Settings = field(default_factory=Settings)
    tools: int = 0
    compactions: int = 0
    head: Mark | None = None
    marks: tuple[Mark, ...] = ()
    not_understood: int = 0

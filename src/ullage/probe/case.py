"""One case of a probe: what a harness is asked, what its tool returns, how the model answers."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["result", "user", "history", "handoff", "length", "overflow", "handle"]
"""What is tried: one tool result; data in the user's own message; many turns; a sub-agent's
findings on their way to the parent; a reply stopped by its length limit; a model that refuses
prompts above a window; the way back that a cut result offers."""

Format = Literal["json", "ndjson", "csv", "markdown", "log"]

Returns = Literal["text", "object"]
"""Whether the tool returns its records as a text or as the value itself (JSON only)."""

Style = Literal["tools", "code", "print"]
"""How the harness wants its model to call: by tool calls, by code whose last expression is the
call, or by code that prints what the call returns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case, as plain data: the same case always makes the same texts.

    `tag` is in the URL of its requests. `variant` names a setting of the harness (its recipe's
    word). `turns` is the number of things the user says, `size` the characters of each tool result
    (0: no tool is called) or, for `user`, of the data in the message; `last_size` is that of the
    last turn's result, where it is another. `lines` is the length of a record in characters, `wide`
    writes it in characters of several bytes: a limit's unit shows by what changes its threshold.
    The model refuses prompts of more than `window` tokens above the first one, None for none.
    `seed` makes ids that nobody can guess; they differ by the tag, or by `records` where that is
    given: a search looks at the same records in another size.
    """

    tag: str
    kind: Kind
    variant: str = "default"
    turns: int = 1
    size: int = 33_000
    last_size: int | None = None
    format: Format = "json"
    returns: Returns = "text"
    lines: int = 130
    wide: bool = False
    window: int | None = None
    model: str = "gpt-4o"
    style: Style = "tools"
    seed: str = "ullage"
    records: str = ""

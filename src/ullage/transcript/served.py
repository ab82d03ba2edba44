"""What a provider says of one reply, whatever its spelling: tokens, and how it ended."""

from dataclasses import dataclass
from typing import Literal

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

"""What a compaction did, step by step; the figures of all events add up to the difference."""

from dataclasses import dataclass
from typing import Literal

from ullage.transcript.words import Boundary

Action = Literal["repair", "elide", "summarise", "trim", "carry", "nothing", "refused"]
"""`carry`: what is kept word for word of what left (rules, failure stacks), and the notice.

`nothing`: a step that could have acted did not, and `why` says why. `refused`: a summary, or what
a summariser did instead, that was not taken.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One step: what it did to which messages by which rule, and the whole history around it.

    `messages` are positions in the history that was given, from 0. `…_before` and `…_after` are
    those of the whole history (fixed parts and reserve included), so that each event begins where
    the one before it ended: in tokens, and in what the budget counts. `shown` are the messages that
    a summariser was shown whole, `requests` how many requests it took.
    """

    boundary: Boundary
    action: Action
    rule: str | None
    messages: tuple[int, ...]
    what: str
    why: str
    tokens_before: int
    tokens_after: int
    before: int
    after: int
    shown: tuple[int, ...] = ()
    requests: int = 0

    def to_dict(self) -> dict[str, object]:
        """Return the members of `events[]` in `ullage.compact/1`, in their order."""
        return {
            "boundary": self.boundary,
            "action": self.action,
            "rule": self.rule,
            "messages": list(self.messages),
            "what": self.what,
            "why": self.why,
            "tokens_before": self.tokens_before,
            "tokens_after": self.tokens_after,
            "before": self.before,
            "after": self.after,
            "shown": list(self.shown),
            "requests": self.requests,
        }

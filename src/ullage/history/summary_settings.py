"""What a summary may take, and how it is made."""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from ullage.counting.count import counter
from ullage.history.summary_contract import DEFAULT_INSTRUCTIONS, read_slots

Manner = Literal["carry", "levels"]
"""`carry`: part after part, the summary so far carried on. `levels`: each alone, then merged."""

WINDOW = 32_000
MAX_TOKENS = 2_000
SLACK = Fraction(5, 4)
"""A model cannot count its tokens: a reply may be so many times its limit. Inferred."""
SHARE = Fraction(1, 2)
"""Of the limit, so much may be added word for word, open steps and rules aside. Inferred."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarySettings:
    """What a summary may take, and how it is made.

    `window` is that of the summariser in tokens, prompt and reply together; `max_tokens` how long
    the summary may be, in tokens as `count` counts them; a reply is refused where it is more than
    `slack` times that. `share` of it may be added word for word below the summary.
    `instructions` is the editable text of `summary_contract`.
    """

    window: int = WINDOW
    max_tokens: int = MAX_TOKENS
    manner: Manner = "carry"
    instructions: str = DEFAULT_INSTRUCTIONS
    slack: Fraction = SLACK
    share: Fraction = SHARE
    count: Callable[[str], int] = field(default_factory=counter)

    def __post_init__(self) -> None:
        read_slots(self.instructions)
        if self.max_tokens < 1:
            raise ValueError(f"max_tokens={self.max_tokens!r}: a summary takes 1 token or more")
        if self.slack < 1 or self.share < 0:
            raise ValueError(
                f"slack={self.slack!r}, share={self.share!r}: slack is 1 or more, share 0 or more"
            )

    @property
    def largest_reply(self) -> int:
        """The tokens that a reply may take: more is refused."""
        return int(self.max_tokens * self.slack)

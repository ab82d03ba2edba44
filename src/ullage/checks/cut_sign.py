"""A result that was cut, by whatever sign."""

from dataclasses import dataclass

from ullage.checks.caps import Cap
from ullage.checks.seen import Cut, Seen


@dataclass(frozen=True, slots=True, kw_only=True)
class CutResult:
    """A cut result: `known` by itself, or by the `cap` at which it stands with others."""

    seen: Seen
    cap: Cap | None
    known: Cut | None

    @property
    def sign(self) -> str:
        """How the cut is known, in a word."""
        return self.known.sign if self.known is not None else "length"

    @property
    def notice(self) -> str:
        """The most that the model was told."""
        if self.known is not None:
            return self.known.notice
        return "cut" if self.seen.dots else "none"

    @property
    def way_back(self) -> bool:
        """Whether the model was told how to get the rest."""
        return self.known is not None and self.known.way_back

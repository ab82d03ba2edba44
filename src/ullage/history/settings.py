"""How a history is to be shortened: the settings of a compaction, checked before it begins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from ullage.history.piece import HistoryUnit
from ullage.history.protect import Protect, read_protect
from ullage.history.trim import ORDERS

Tier = Literal["T0", "T1", "T2", "T3", "T4"]
"""How much is done, after a study of harnesses: `tiers.TIERS` says what each one is."""

Summarise = Literal["may", "never"]
"""Whether a model may be asked for a summary."""

NEVER = "never"
SOFT, HARD = 0.60, 0.85
"""T4's ratios of the budget: from where on rules act, and a summary (arXiv 2609.20804)."""
KEEP_TURNS = 3
"""The last turns of the model that no rule and no summary touches; trim may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of a compaction. Raises ValueError for what cannot be meant.

    `budget` is in `unit` and holds everything: messages, fixed parts, the reply's reserve.
    `reserve` is in tokens and used where the body sets no output limit of its own. `gate`: a
    summary is asked for only where the rules leave the history this share over the budget, such as
    0.30; without one the tier's own trigger counts. `soft` and `hard` are T4's ratios.
    """

    budget: int
    unit: HistoryUnit = "tokens"
    tier: Tier = "T4"
    model: str | None = None
    reserve: int | None = None
    protect: Sequence[Protect] = ()
    keep_turns: int = KEEP_TURNS
    summarise: Summarise = "may"
    trim: str = "oldest-unit"
    gate: float | None = None
    soft: float = SOFT
    hard: float = HARD

    def __post_init__(self) -> None:
        check_whole("budget", self.budget, least=1)
        check_choice("unit", self.unit, get_args(HistoryUnit))
        check_choice("tier", self.tier, get_args(Tier))
        check_whole("keep_turns", self.keep_turns, least=0)
        check_choice("summarise", self.summarise, get_args(Summarise))
        check_choice("trim", self.trim, [*ORDERS, NEVER])
        if self.reserve is not None:
            check_whole("reserve", self.reserve, least=0)
        if self.gate is not None and not is_number(self.gate, 0, 100):
            raise ValueError(
                f"gate={self.gate!r}: a share over the budget such as 0.30, or None for no gate"
            )
        if not is_number(self.soft, 0, 1) or not is_number(self.hard, 0, 1):
            raise ValueError(
                f"soft={self.soft!r}, hard={self.hard!r}: ratios of the budget from 0 to 1"
            )
        if self.soft > self.hard:
            raise ValueError(
                f"soft={self.soft!r} is above hard={self.hard!r}: rules come before a summary"
            )
        if isinstance(self.protect, str) or callable(self.protect):
            raise ValueError(  # noqa: TRY004
                f"protect={self.protect!r}: give a list of rules, [{self.protect!r}]"
            )
        for one in self.protect:
            read_protect(one)

    @property
    def soft_limit(self) -> int:
        """T4's first ratio, in the unit of the budget."""
        return int(self.soft * self.budget)

    @property
    def hard_limit(self) -> int:
        """T4's second ratio, in the unit of the budget."""
        return int(self.hard * self.budget)


def check_whole(name: str, value: object, *, least: int) -> None:
    """Refuse what is no whole number, or too small a one."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name}={value!r}: a whole number is needed")  # noqa: TRY004
    if value < least:
        raise ValueError(f"{name}={value!r}: at least {least}")


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """Refuse a word that is none of a closed set."""
    if value not in choices:
        raise ValueError(f"{name}={value!r}: choose {', '.join(choices)}")


def is_number(value: object, low: float, high: float) -> bool:
    """Whether a value is a number between two others, both included."""
    whole = isinstance(value, (int, float)) and not isinstance(value, bool)
    return whole and low <= float(value) <= high  # type: ignore[arg-type]  # whole says it is one

"""The settings of an adapter: what a result, and what a whole request may take."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from ullage.cutter.budget import Budget, tokens
from ullage.cutter.keep import Rule
from ullage.history.handoff import Handoff
from ullage.history.job import Options
from ullage.history.piece import HistoryUnit
from ullage.history.protect import Protect
from ullage.history.recall import Store
from ullage.history.settings import HARD, KEEP_TURNS, SOFT, Settings, Summarise, Tier
from ullage.tap.environment import DEFAULT_RUN, TapSettings, tap_settings

PASSED_ON: tuple[str, ...] = (
    *("unit", "tier", "model", "reserve", "protect", "keep_turns", "rules", "summariser"),
    *("summarise", "trim", "gate", "soft", "hard", "store"),
)
"""The settings that `ullage.compact` takes under the same names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """What an adapter does: cut results to `results`, shorten histories to `history`.

    `results` is a budget for each result of a tool: `chars(n)`, `tokens(n)`, or a number, which is
    tokens; None leaves results whole, and they are still recorded. `keep` names what must stay of
    a result, as in `ullage.cut`. `history` is the budget of a whole request in `unit`: messages,
    tools and the reply's reserve; None leaves histories alone. The settings from `unit` to `hard`
    are those of `ullage.compact`. `store` keeps what is left out, and the agent is given a tool to
    ask for it. `handoff` holds what earlier stages found: its findings stand in every request of
    this one, which is named `stage`, and the agent is given the tool that records its own.

    What happens is recorded in `ledger` under `run`: by default where `ULLAGE_LEDGER` and
    `ULLAGE_RUN` say, nowhere where they are unset.
    """

    results: Budget | int | None = None
    keep: Sequence[Rule] = ()
    history: int | None = None
    unit: HistoryUnit = "tokens"
    tier: Tier = "T4"
    model: str | None = None
    reserve: int | None = None
    protect: Sequence[Protect] = ()
    keep_turns: int = KEEP_TURNS
    rules: Sequence[str] | None = None
    summariser: str | Callable[..., Any] | None = None
    summarise: Summarise = "may"
    trim: str = "oldest-unit"
    gate: float | None = None
    soft: float = SOFT
    hard: float = HARD
    store: Store | None = None
    handoff: Handoff | None = None
    stage: str = "next"
    ledger: Path | str | None = None
    run: str | None = None

    def __post_init__(self) -> None:
        if self.results is not None:
            self.result_budget()
        Settings(
            budget=1 if self.history is None else self.history,
            unit=self.unit,
            tier=self.tier,
            model=self.model,
            reserve=self.reserve,
            protect=self.protect,
            keep_turns=self.keep_turns,
            summarise=self.summarise,
            trim=self.trim,
            gate=self.gate,
            soft=self.soft,
            hard=self.hard,
        )

    def result_budget(self) -> Budget | None:
        """Return the budget of one result. Raises TypeError, ValueError."""
        if self.results is None or isinstance(self.results, Budget):
            return self.results
        return tokens(self.results, model=self.model)

    def options(self) -> Options:
        """Return the keyword arguments of `ullage.compact`."""
        given = {name: getattr(self, name) for name in PASSED_ON}
        return cast("Options", given)

    def recording(self) -> TapSettings | None:
        """Return where to record; None where neither the settings nor the environment say."""
        given = tap_settings()
        if self.ledger is not None:
            run = self.run or (given.run if given else DEFAULT_RUN)
            return TapSettings(ledger=Path(self.ledger), run=run)
        return replace(given, run=self.run) if given and self.run else given

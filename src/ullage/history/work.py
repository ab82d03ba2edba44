"""What a tier does, and what it works with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ullage.history.block import Block, write_block
from ullage.history.forms.form import Form
from ullage.history.gauge import Gauge
from ullage.history.guard import Guard, guard_of
from ullage.history.piece import Piece
from ullage.history.rules.rule import Rule
from ullage.history.settings import Settings, Tier
from ullage.history.summary_settings import SummarySettings
from ullage.history.units import units_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a tier does, in this order; trim follows in all that act.

    `keeps`: what rules take out is kept in a store, if there is one, and its placeholder says how
    to have it again. `ratios`: rules and a summary begin at `soft` and `hard` of the budget; else
    where the history is over the budget.
    """

    what: str
    acts: bool = True
    elides: bool = False
    keeps: bool = False
    summarises: bool = False
    ratios: bool = False


TIERS: Mapping[Tier, Plan] = {
    "T0": Plan(what="nothing", acts=False),
    "T1": Plan(what="rules take stale results out", elides=True),
    "T2": Plan(what="T1, and a store to have them again from", elides=True, keeps=True),
    "T3": Plan(what="a model's summary alone", summarises=True),
    "T4": Plan(
        what="rules above the soft ratio, a summary above the hard one, with T2's store",
        elides=True,
        keeps=True,
        summarises=True,
        ratios=True,
    ),
}
"""After the context tiers of a study of coding harnesses (arXiv 2609.20804). That every tier ends
with a trim, the gate, and what may never be taken out are not the study's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What a tier works with: its settings, the ways to write a message, the rules, the store.

    `handle` keeps a whole text and returns how to have it again; None without a store. `asks` says
    whether there is a summariser.
    """

    settings: Settings
    form: Form
    gauge: Gauge
    rules: Mapping[str, Rule]
    summary: SummarySettings
    handle: Callable[[str], str] | None = None
    asks: bool = False

    @property
    def plan(self) -> Plan:
        """What the tier does."""
        return TIERS[self.settings.tier]

    def guard(self, pieces: Sequence[Piece]) -> Guard:
        """Return what may not be touched in a history as it is now."""
        return guard_of(
            pieces,
            units_of(pieces),
            protect=self.settings.protect,
            keep_turns=self.settings.keep_turns,
        )

    def block(self, block: Block) -> Piece:
        """Return the message of a block, in the words of the history's form."""
        return self.form.say("user", write_block(block), self.gauge)

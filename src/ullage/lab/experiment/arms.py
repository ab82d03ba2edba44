"""The arms of the experiment, as data. What S2 to S5 break in the source paper is not known."""

from collections.abc import Mapping
from types import MappingProxyType

from ullage.lab.experiment.settings import Settings

REPAIRED = Settings(budget="records")

ARMS: Mapping[str, Settings] = MappingProxyType(
    {
        "oracle": Settings(),
        "repaired": REPAIRED,
        "budget": Settings(budget="prefix"),
        "budget-reversed": Settings(budget="prefix", order="reversed"),
        "order-only": Settings(order="reversed"),
        "serialise": Settings(budget="records", serialise="repr"),
        "retain": Settings(budget="records", retain="last"),
        "summarise": Settings(budget="records", summarise="loses"),
        "handoff": Settings(budget="records", handoff="lost"),
        "spill": Settings(budget="spill"),
        "all": Settings(
            serialise="repr", budget="prefix", retain="last", summarise="loses", handoff="lost"
        ),
    }
)
"""Every fault alone is one setting away from `repaired`; `all` is all of them at once. The order of
parts is no loss: `order-only` is one away from `oracle`, `budget-reversed` from `budget`."""

SINGLE = ("budget", "serialise", "retain", "summarise", "handoff", "spill")
FAULTS = ("serialise", "budget", "retain", "summarise", "handoff")
"""The boundaries at which something can be lost here."""


def arm(name: str) -> Settings:
    """Return an arm by its name. Raises ValueError where there is none of that name."""
    if name not in ARMS:
        raise ValueError(f"there is no arm {name!r}; there are {', '.join(ARMS)}")
    return ARMS[name]

"""The history of a stage: what of it the next request has, by the switches `retain`, `summarise`.

A unit is one turn of the agent with the results of its calls: units are left out whole, so that no
result stands without its call.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ullage.lab.experiment.settings import Limits, Retain, Summarise

Message = dict[str, Any]  # as it is sent: any JSON
Unit = tuple[Message, ...]
KEPT = 2
"""So many units stand behind a summary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A summary that was written: what its writer was shown, and what it wrote."""

    shown: tuple[Unit, ...]
    text: str


@dataclass(slots=True, kw_only=True)
class Memory:
    """The units of a stage so far. `called` counts the calls that summaries stand for."""

    units: list[Unit]
    called: Counter[str]
    summary: str = ""

    def messages(self, retain: Retain, limits: Limits) -> list[Message]:
        """Return the history as the next request has it."""
        said = [{"role": "user", "content": self.summary}] if self.summary else []
        kept = RETAIN[retain](self.units, limits)
        return [*said, *(message for unit in kept for message in unit)]

    def summarise(self, how: Summarise, limits: Limits) -> Summary | None:
        """Replace a history that is too long; return the summary, None where none was written."""
        return SUMMARISE[how](self, limits)


def last(units: Sequence[Unit], limits: Limits) -> Sequence[Unit]:
    """Return the last units that have so many results between them, and at least the last one."""
    kept, results = 0, 0
    for unit in reversed(units):
        results += sum(one["role"] == "tool" for one in unit)
        if kept and results > limits.retained:
            break
        kept += 1
    return units[len(units) - kept :]


def lossy(memory: Memory, limits: Limits) -> Summary | None:
    """Let a scripted summary stand for all but the last units: the calls by name, no result."""
    size = sum(len(str(one.get("content") or "")) for unit in memory.units for one in unit)
    if size <= limits.summarised_over or len(memory.units) <= KEPT:
        return None
    shown = tuple(memory.units[:-KEPT])
    memory.called.update(
        call["function"]["name"]
        for unit in shown
        for one in unit
        for call in one.get("tool_calls", ())
    )
    told = ", ".join(f"{name} {count} times" for name, count in sorted(memory.called.items()))
    memory.summary = f"Summary of the work so far. Called: {told}. Their results were looked at."
    memory.units = memory.units[-KEPT:]
    return Summary(shown=shown, text=memory.summary)


RETAIN: dict[Retain, Callable[[Sequence[Unit], Limits], Sequence[Unit]]] = {
    "all": lambda units, _: units,
    "last": last,
}
SUMMARISE: dict[Summarise, Callable[[Memory, Limits], Summary | None]] = {
    "off": lambda _, __: None,
    "loses": lossy,
}

"""Runs in a real ledger, for the tests of this folder."""

import itertools
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.lab.environment.made import generated

from ullage.lab.environment.generate import Generated
from ullage.lab.experiment.agents.policy import scripted
from ullage.lab.experiment.key import key_of
from ullage.lab.experiment.measures import Measures, measure
from ullage.lab.experiment.recorded import Recorded, recorded
from ullage.lab.experiment.run import Outcome, run
from ullage.lab.experiment.settings import Settings
from ullage.lab.experiment.world import World, world_of
from ullage.ledger.store import Ledger

CLASSES = {
    "spawned loud": generated("spawned", "loud", position=20),
    "spawned quiet": generated("spawned", "quiet", position=60),
    "resident loud": generated("resident", "loud", position=20),
    "resident quiet": generated("resident", "quiet", position=90),
    "healthy": generated("healthy", "loud", position=20),
}


@cache
def world(made: Generated) -> World:
    return world_of(made.recording)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A run, and what its ledger says of it: bodies are those of requests, by agent, in order."""

    outcome: Outcome
    recorded: Recorded
    measures: Measures
    bodies: list[tuple[str | None, dict[str, Any]]]  # requests as they were sent: any JSON
    cohorts: set[str | None]

    def actions(self) -> list[tuple[str, str]]:
        return [(one.tool, one.arguments) for one in self.recorded.made]

    def of(self, tool: str) -> str:
        """The text that the first call of a tool was answered with."""
        return next(one.delivered or "" for one in self.recorded.made if one.tool == tool)


def ran(
    folder: Path,
    made: Generated,
    settings: Settings,
    *,
    style: str = "retries",
    seed: int = 1,
    tag: str = "run",
) -> Ran:
    ticks = itertools.count(1_700_000_000)
    with Ledger(folder / f"{next(NUMBERS)}.ledger") as ledger:
        outcome = run(
            world(made),
            settings,
            scripted(style, seed=seed),
            tag=tag,
            ledger=ledger,
            clock=lambda: float(next(ticks)),
        )
        exchanges = list(ledger.exchanges(tag))
        return Ran(
            outcome=outcome,
            recorded=recorded(ledger, tag),
            measures=measure(ledger, tag, key_of(made)),
            bodies=[(one.agent, json.loads(one.request_body)) for one in exchanges],
            cohorts={one.cohort for one in exchanges},
        )


NUMBERS = itertools.count()

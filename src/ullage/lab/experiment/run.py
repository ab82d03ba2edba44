"""One run: a recording, an arm's settings, an agent; two stages; all of it in a ledger."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ullage.history.handoff import Handoff
from ullage.lab.experiment.harness import Ended, Harness
from ullage.lab.experiment.memory import Message
from ullage.lab.experiment.settings import Carry, Limits, Settings
from ullage.lab.experiment.spilled import Spilled
from ullage.lab.experiment.taps import Taps
from ullage.lab.experiment.tools import Tools
from ullage.lab.experiment.turn import Agent
from ullage.lab.experiment.world import World
from ullage.ledger.store import Ledger
from ullage.transcript.words import Cohort

INVESTIGATE = (
    "You look into a kernel recording of a machine with containers. Find out which container, if "
    "any, has a process at fault: one that had to wait too long for a CPU, a disk or memory. "
    "Record each finding as soon as you have it; another agent decides from your findings."
)
DECIDE = (
    "Decide which container is at fault, from what the investigation has found. Answer by the tool "
    "`answer`."
)
TASK = "Which container is at fault?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a run. `answer` is None where the agent gave none."""

    run: str
    answer: str | None
    investigated: Ended
    decided: Ended


def run(
    world: World,
    settings: Settings,
    agent: Agent,
    *,
    tag: str,
    ledger: Ledger,
    clock: Callable[[], float],
    limits: Limits | None = None,
    cohort: Cohort = "scripted",
) -> Outcome:
    """Run an agent on a recording under an arm's settings, as run `tag` of a ledger.

    The agent has its seed already. `clock` gives seconds since the epoch. Nothing but the ledger is
    written, and the same arguments give the same calls. Raises LedgerError where it cannot be.
    """
    handoff = Handoff(ledger, run=tag, clock=clock)
    tools = Tools(
        world=world,
        handoff=handoff,
        settings=settings,
        limits=limits or Limits(),
        spilled=Spilled(),
    )
    taps = Taps(ledger=ledger, run=tag, cohort=cohort, clock=clock)
    harness = Harness(agent=agent, tools=tools, taps=taps)
    with handoff.worker("investigate", stage="investigate") as worker:
        found = harness.stage("investigate", [system(INVESTIGATE), user(TASK)])
        if found.ended == "limit":
            worker.cut(f"it had made the {tools.limits.calls} calls that it may")
    words = [user(f"The investigation ended with: {found.words}")] if found.words else []
    handed = CARRY[settings.handoff](handoff)
    decided = harness.stage("decide", [system(DECIDE), user(TASK), *handed, *words])
    return Outcome(run=tag, answer=decided.answer, investigated=found.ended, decided=decided.ended)


def system(text: str) -> Message:
    """Return a system message."""
    return {"role": "system", "content": text}


def user(text: str) -> Message:
    """Return a user message."""
    return {"role": "user", "content": text}


def carried(handoff: Handoff) -> list[Message]:
    """Return the block of all findings, as a message."""
    return handoff.messages("decide")


def lost(_: Handoff) -> list[Message]:
    """Return nothing: the findings stay where they are."""
    return []


CARRY: Mapping[Carry, Callable[[Handoff], list[Message]]] = MappingProxyType(
    {"carried": carried, "lost": lost}
)

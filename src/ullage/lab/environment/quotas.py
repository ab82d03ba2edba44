"""How many events each process has, and between which times."""

from collections.abc import Sequence

from ullage.lab.environment.deployment import Deployment, Task
from ullage.lab.environment.parameters import Parameters
from ullage.lab.environment.slices import FEWEST, LONG, SIZE, Quota

START = 10_000_000_000
"""The first nanosecond of a recording, on its own clock."""
EACH = 300_000
"""Nanoseconds a recording lasts for each of its events: 6 s for 20,000 of them."""
IDLE = 1.0
"""Events of the idle thread for each slice, measured: three where it wakes the first of a few."""
FORK = 6
"""Events that a fork adds, measured: its own, the waking, and the switches around them."""


def quotas(parameters: Parameters, deployment: Deployment) -> list[Quota]:
    """Return every process's part of the events.

    What the loud, the alike and the host's processes and the idle thread leave is shared among the
    others by weight.
    """
    total, length = parameters.n_events, parameters.n_events * EACH
    tasks = deployment.tasks
    own = dumped(tasks) + forked(tasks)
    busy = int((total - own) / (1 + IDLE / SIZE))
    fixed = {one.pid: fixed_share(one, parameters, deployment) for one in tasks}
    taken = sum(max(FEWEST, round(share * total)) for share in fixed.values() if share is not None)
    weights = sum(one.weight for one in tasks if fixed[one.pid] is None)
    found = []
    for one in tasks:
        share = fixed[one.pid]
        events = (busy - taken) * one.weight / weights if share is None else share * total
        found.append(
            Quota(
                task=one,
                events=max(FEWEST, round(events)),
                start=START + int((one.born or 0.005) * length),
                end=START + length - LONG[1],
            )
        )
    return found


def dumped(tasks: Sequence[Task]) -> int:
    """Return how many events the state dump has."""
    return sum(len(one.tids) for one in tasks if one.born is None)


def forked(tasks: Sequence[Task]) -> int:
    """Return how many events forks add."""
    return FORK * sum(1 for one in tasks if one.born is not None)


def fixed_share(one: Task, parameters: Parameters, deployment: Deployment) -> float | None:
    """Return a process's part of all events, None where it takes of what is left."""
    if one.share is None or one.pid != deployment.loud.pid or parameters.share_of == "whole":
        return one.share
    # Of the events behind its fork: those are the whole without what others did before it.
    return one.share * (1 - before(one, parameters, deployment))


def before(loud: Task, parameters: Parameters, deployment: Deployment) -> float:
    """Return about which part of all events stand before a process's fork.

    Each process's events are spread evenly from its own start to the end.
    """
    born = loud.born or 0.0
    weights = sum(one.weight for one in deployment.tasks if one.share is None)
    fixed = sum(one.share for one in deployment.tasks if one.share is not None)
    idle = IDLE / SIZE / (1 + IDLE / SIZE)
    early = dumped(deployment.tasks) / parameters.n_events + idle * born
    for one in deployment.tasks:
        share = one.share if one.share is not None else one.weight / weights * (1 - fixed - idle)
        begins = one.born or 0.0
        early += share * max(0.0, born - begins) / (1 - begins)
    return early

"""How many events each process has, and between which times."""

from collections.abc import Sequence

from ullage.lab.environment.deployment import Deployment, Task
from ullage.lab.environment.parameters import LOUD_SHARE, Parameters
from ullage.lab.environment.slices import FEWEST, LONG, SIZE, Quota

START = 10_000_000_000
"""The first nanosecond of a recording, on its own clock."""
EACH = 300_000
"""Nanoseconds a recording lasts for each of its events: 6 s for 20,000 of them."""
IDLE = 1.0
"""Events of the idle thread for each slice, measured: three where it wakes the first of a few."""
FORK = 6
"""Events that a fork adds, measured: its own, the waking, and the switches around them."""


def quotas(
    parameters: Parameters, deployment: Deployment, *, loud_share: float = LOUD_SHARE
) -> list[Quota]:
    """Return every process's part of the events; the loud one has `loud_share` of all.

    What the loud, the alike and the host's processes and the idle thread leave is shared among the
    others by weight.
    """
    total, length = parameters.n_events, parameters.n_events * EACH
    tasks = deployment.tasks
    own = dumped(tasks) + forked(tasks)
    busy = int((total - own) / (1 + IDLE / SIZE))
    fixed = {one.pid: loud_share if one.pid == deployment.loud.pid else one.share for one in tasks}
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

"""A recording from its parameters and a seed: the same ones give the same events, byte for byte."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from ullage.lab.environment.deployment import Deployment, deploy
from ullage.lab.environment.event import Event
from ullage.lab.environment.parameters import LOUD_SHARE, Parameters
from ullage.lab.environment.quotas import quotas
from ullage.lab.environment.recording import Recording
from ullage.lab.environment.schedule import schedule
from ullage.lab.environment.slices import slices

BITS = 64


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Generated:
    """A generated recording, and what it was generated from: the truth follows from these.

    `seed` is the number that everything random in it followed from.
    """

    recording: Recording
    parameters: Parameters
    deployment: Deployment
    seed: int
    uuid: UUID


def generate(parameters: Parameters, rng: random.Random) -> Generated:
    """Return a recording; of `rng`, one number is drawn. Events are made when they are asked for.

    At any time only the events of a few milliseconds are held in memory.
    """
    return regenerate(parameters, rng.getrandbits(BITS))


def regenerate(parameters: Parameters, seed: int) -> Generated:
    """Return the recording that followed from this `seed` before."""
    rng = random.Random(seed)
    deployment = deploy(parameters, rng)
    planned, run = rng.getrandbits(BITS), rng.getrandbits(BITS)

    def made(loud_share: float) -> Iterator[Event]:
        shares = quotas(parameters, deployment, loud_share=loud_share)
        wanted = slices(deployment, shares, parameters.fault, planned)
        return schedule(deployment, wanted, random.Random(run))

    loud_share = LOUD_SHARE
    if parameters.share_of == "after_fork" and deployment.loud.born is not None:
        loud_share = share_behind_fork(made(LOUD_SHARE), deployment.loud.pid)

    def events() -> Iterator[Event]:
        return made(loud_share)

    return Generated(
        recording=Recording(
            events=events,
            containers={one.ns: one.name for one in deployment.containers},
        ),
        parameters=parameters,
        deployment=deployment,
        seed=seed,
        uuid=UUID(int=rng.getrandbits(128), version=4),
    )


def share_behind_fork(events: Iterator[Event], pid: int) -> float:
    """Return the share of all events that makes `LOUD_SHARE` of those behind a process's fork.

    `events` are those of the same recording with that share of the whole. What stands before the
    fork is the others' alone, and grows with what they are left.
    """
    before, count = 0, 0
    for event in events:
        if event.name == "sched_process_fork" and event.fields["child_tid"] == pid:
            before = count
        count += 1
    early = before / count / (1 - LOUD_SHARE)
    return LOUD_SHARE * (1 - early) / (1 - LOUD_SHARE * early)

"""A recording from its parameters and a seed: the same ones give the same events, byte for byte."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from ullage.lab.environment.deployment import Deployment, deploy
from ullage.lab.environment.event import Event
from ullage.lab.environment.parameters import Parameters
from ullage.lab.environment.quotas import quotas
from ullage.lab.environment.recording import Recording
from ullage.lab.environment.schedule import schedule
from ullage.lab.environment.slices import slices

BITS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
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
    shares = quotas(parameters, deployment)
    planned, run = rng.getrandbits(BITS), rng.getrandbits(BITS)

    def events() -> Iterator[Event]:
        wanted = slices(deployment, shares, parameters.fault, planned)
        return schedule(deployment, wanted, random.Random(run))

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
